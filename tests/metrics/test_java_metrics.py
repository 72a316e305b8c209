"""METEOR and SPICE run where they can, and say what is missing where they cannot."""

import os
import stat
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tellapart.metrics import java, scores
from tellapart.metrics.java import CannotRun, LineProgram, find_jar, find_java, run_to_its_end
from tellapart.metrics.meteor import meteor
from tellapart.metrics.scores import score_captions
from tellapart.metrics.spice import CORENLP_JARS, spice

ONE = [["a", "dog", "runs"]]
ONE_REFERENCE = [[["a", "dog", "runs"], ["the", "dog"]]]


def script(folder: Path, name: str, *lines: str) -> Path:
    """An executable Python script."""
    path = folder / name
    path.write_text("\n".join([f"#!{sys.executable}", *lines]))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def no_java(tmp_path, monkeypatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.fixture
def real_java() -> str:
    try:
        return find_java()
    except CannotRun as reason:
        pytest.skip(str(reason))


def test_without_java_the_reason_says_what_to_install(no_java):
    with pytest.raises(CannotRun, match="install a Java runtime, 8 or newer, or set JAVA_HOME"):
        meteor(ONE, ONE_REFERENCE)


def test_a_java_that_does_not_run_is_no_java(no_java, tmp_path):
    script(tmp_path, "java", "raise SystemExit('buy one at the shop')")
    with pytest.raises(CannotRun, match="there is no Java"):
        find_java()


def test_java_home_comes_first(no_java, tmp_path, monkeypatch):
    (tmp_path / "home" / "bin").mkdir(parents=True)
    chosen = script(tmp_path / "home" / "bin", "java")
    script(tmp_path, "java")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    assert find_java() == str(chosen)


def test_meteor_equals_pycocoevalcap(real_java):
    """Three pictures in two processes; tests/end_to_end has real captions in one."""
    pytest.importorskip("pycocoevalcap")
    from pycocoevalcap.meteor.meteor import Meteor

    candidates = ["a dog runs over grass", "", "two men are sitting on benches"]
    references = [["a dog is running", "the dog runs"], ["a cat"], ["two people sit on a bench"]]
    oracle = Meteor()
    expected, each = oracle.compute_score(
        dict(enumerate(references)), {n: [c] for n, c in enumerate(candidates)}
    )
    oracle.meteor_p.kill()
    oracle.meteor_p.communicate()
    words = [[reference.split() for reference in refs] for refs in references]
    found = meteor([c.split() for c in candidates], words, processes=2)
    assert found.corpus == pytest.approx(expected, abs=1e-9)
    np.testing.assert_allclose(found.per_caption, each, atol=1e-9)


FAKE_METEOR = """
import os, sys
if "-version" in sys.argv:
    sys.exit()
with open({starts!r}, "a") as file:
    file.write("started\\n")
for line in sys.stdin.buffer:
    answers = [{answer}] * line.count(b"|||") + [b"0.5"] if line.startswith(b"EVAL") else [b"1 2"]
    sys.stdout.buffer.write(b"\\n".join(answers) + b"\\n")
    sys.stdout.buffer.flush()
"""


@pytest.fixture
def fake_meteor(no_java, tmp_path):
    """A METEOR in milliseconds: it gives each caption the answer it is told to give."""
    pytest.importorskip("pycocoevalcap")

    def install(answer: bytes) -> Path:
        starts = tmp_path / "starts"
        script(tmp_path, "java", FAKE_METEOR.format(starts=str(starts), answer=answer))
        return starts

    return install


def test_one_process_per_part_and_none_for_the_end(fake_meteor):
    starts = fake_meteor(b"0.25")
    found = meteor(ONE * 3, ONE_REFERENCE * 3, processes=2)
    assert found.per_caption.tolist() == [0.25] * 3
    assert found.corpus == 0.5
    assert starts.read_text() == "started\n" * 2


@pytest.mark.parametrize("answer", [b"NaN", b"inf", b"out of memory", b"\xff\xfe"])
def test_an_answer_that_is_no_number_is_a_reason(answer, fake_meteor):
    """Bytes that are not UTF-8 too; and JSON has no NaN."""
    fake_meteor(answer)
    with pytest.raises(CannotRun, match="its answer is not a number"):
        meteor(ONE, ONE_REFERENCE)


def test_half_a_surrogate_pair_is_told_as_a_question_mark(fake_meteor):
    fake_meteor(b"1")
    assert meteor([["http://a\ud83d"]], ONE_REFERENCE).corpus == 0.5


def test_no_captions_are_an_error_of_the_caller():
    for metric in (meteor, spice):
        with pytest.raises(ValueError, match="no captions to score"):
            metric([], [])


def test_meteor_alone_counts_no_ngrams(fake_meteor, monkeypatch):
    fake_meteor(b"1")
    monkeypatch.setattr(scores, "compare", pytest.fail)
    assert score_captions(ONE, ONE_REFERENCE, metrics=["METEOR"]).values == {"METEOR": 0.5}
    with pytest.raises(ValueError, match="no metric CIDER"):
        score_captions(ONE, ONE_REFERENCE, metrics=["CIDER"])


def test_a_folder_is_no_jar():
    with pytest.raises(CannotRun, match="its jar is missing"):
        find_jar("meteor")


def test_a_program_that_dies_leaves_its_last_words(tmp_path):
    dying = script(tmp_path, "dying", "import sys", "input()", "sys.exit('out of memory')")
    with LineProgram([str(dying)], folder=tmp_path) as program:
        program.tell("hello")
        with pytest.raises(CannotRun, match="it stopped: out of memory"):
            program.hear()


def test_a_program_that_hangs_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(java, "PATIENCE", 0.3)
    hanging = script(tmp_path, "hanging", "import time", "time.sleep(600)")
    with (
        LineProgram([str(hanging)], folder=tmp_path) as program,
        pytest.raises(CannotRun, match="exit code -9, without a word"),
    ):
        program.hear()


def test_a_program_that_does_not_listen_is_stopped(tmp_path, monkeypatch):
    """A line longer than the pipe waits for somebody to read it."""
    monkeypatch.setattr(java, "PATIENCE", 0.3)
    deaf = script(tmp_path, "deaf", "import time", "time.sleep(600)")
    with (
        LineProgram([str(deaf)], folder=tmp_path) as program,
        pytest.raises(CannotRun, match="exit code -9, without a word"),
    ):
        program.tell("x" * 1_000_000)


def wrapper(folder: Path) -> tuple[Path, Path]:
    """A script that starts the real program, as many a `java` is; and where that puts its id."""
    number = folder / "number"
    real = script(
        folder, "real", "import os, time",
        f"open({str(number)!r}, 'w').write(str(os.getpid()))", "time.sleep(600)",
    )  # fmt: skip
    lines = ["import subprocess", f"subprocess.run([{str(real)!r}])"]
    return script(folder, "wrapper", *lines), number


def require_gone(number: Path) -> None:
    """Fail unless the process ends within seconds; its new parent may take a while to notice."""
    status = Path(f"/proc/{number.read_text()}/status")
    for _ in range(100):
        try:
            if "State:\tZ" in status.read_text():
                return
        except (FileNotFoundError, ProcessLookupError):
            return
        time.sleep(0.05)
    pytest.fail("the program behind the wrapper still runs")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_the_program_behind_a_wrapper_is_stopped_too(tmp_path, monkeypatch):
    monkeypatch.setattr(java, "PATIENCE", 1.5)
    command, number = wrapper(tmp_path)
    with LineProgram([str(command)], folder=tmp_path) as program, pytest.raises(CannotRun):
        program.hear()
    require_gone(number)
    with pytest.raises(CannotRun, match="it was stopped after 2 seconds"):
        run_to_its_end([str(command)], patience=1.5)
    require_gone(number)


def test_a_program_that_cannot_be_started_is_a_reason(tmp_path):
    with pytest.raises(CannotRun, match="cannot be started: No such file"):
        LineProgram([str(tmp_path / "nothing")], folder=tmp_path)


def test_a_talkative_program_never_blocks(tmp_path):
    """A megabyte of complaints would fill a pipe and stop everything."""
    talker = script(
        tmp_path, "talker", "import sys", "for line in sys.stdin:",
        "    sys.stderr.write('x' * 1_000_000)", "    print(line, end='', flush=True)",
    )  # fmt: skip
    with LineProgram([str(talker)], folder=tmp_path) as program:
        for number in range(3):
            program.tell(str(number))
            assert program.hear() == str(number)


def test_a_program_does_not_outlive_its_block(tmp_path):
    sleeper = script(tmp_path, "sleeper", "import time, os", "print(os.getpid(), flush=True)",
                     "time.sleep(600)")  # fmt: skip
    with LineProgram([str(sleeper)], folder=tmp_path) as program:
        number = int(program.hear())
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_spice_says_exactly_what_it_needs(monkeypatch, tmp_path):
    pytest.importorskip("pycocoevalcap")
    monkeypatch.delenv("TELLAPART_CORENLP", raising=False)
    with pytest.raises(
        CannotRun, match=r"get stanford-corenlp-full-2015-12-09\.zip .* by --corenlp"
    ):
        spice(ONE, ONE_REFERENCE)
    with pytest.raises(CannotRun, match="it needs Stanford CoreNLP"):
        spice(ONE, ONE_REFERENCE, corenlp=tmp_path)


def test_spice_names_all_that_is_missing(no_java, monkeypatch):
    monkeypatch.delenv("TELLAPART_CORENLP", raising=False)
    with pytest.raises(CannotRun, match=r"there is no Java.*; and .*Stanford CoreNLP"):
        spice(ONE, ONE_REFERENCE)


FAKE_SPICE = """
import json, sys
if "-version" in sys.argv:
    sys.exit(print('openjdk version "17.0.1"', file=sys.stderr))
at = sys.argv.index("edu.anu.spice.SpiceScorer")
assert "java.base/java.math=ALL-UNNAMED" in sys.argv and "models.jar" in sys.argv[at - 1]
rows = json.load(open(sys.argv[at + 1]))
scores = [{"image_id": r["image_id"], "scores": {"All": {"f": len(r["refs"]) / 10}}} for r in rows]
json.dump(scores[::-1], open(sys.argv[sys.argv.index("-out") + 1], "w"))
"""


def test_spice_is_asked_and_read_as_it_should_be(no_java, tmp_path):
    """CoreNLP is nothing a test can bring, so a stand-in for Java checks the conversation."""
    pytest.importorskip("pycocoevalcap")
    script(tmp_path, "java", FAKE_SPICE)
    for name in CORENLP_JARS:
        (tmp_path / name).touch()
    found = spice([["a"], ["b"]], [[["a"]], [["b"], ["c"]]], corenlp=tmp_path)
    assert found.per_caption.tolist() == [0.1, 0.2]
    assert found.corpus == pytest.approx(0.15)


@pytest.mark.parametrize(
    ("fake", "reason"),
    [
        ("import sys\nif '-version' not in sys.argv: sys.exit('no such class')", "no such class"),
        ("", "its answer cannot be read"),
    ],
)
def test_spice_that_fails_has_a_reason(fake, reason, no_java, tmp_path):
    pytest.importorskip("pycocoevalcap")
    script(tmp_path, "java", fake)
    for name in CORENLP_JARS:
        (tmp_path / name).touch()
    with pytest.raises(CannotRun, match=reason):
        spice(ONE, ONE_REFERENCE, corenlp=tmp_path)


def test_captions_that_spice_cannot_compare_are_left_out_of_the_mean(no_java, tmp_path):
    pytest.importorskip("pycocoevalcap")
    for name in CORENLP_JARS:
        (tmp_path / name).touch()
    empty_is_nan = FAKE_SPICE.replace('len(r["refs"]) / 10', 'r["test"] and 0.4 or float("nan")')
    script(tmp_path, "java", empty_is_nan)
    found = spice([["a"], []], [[["a"]], [["b"]]], corenlp=tmp_path)
    assert found.corpus == 0.4
    assert np.isnan(found.per_caption[1])
    with pytest.raises(CannotRun, match="no caption a score"):
        spice([[]], [[["b"]]], corenlp=tmp_path)


def test_spice_has_a_time_limit(no_java, tmp_path, monkeypatch):
    pytest.importorskip("pycocoevalcap")
    for name in CORENLP_JARS:
        (tmp_path / name).touch()
    monkeypatch.setattr("tellapart.metrics.spice.SECONDS_PER_START", -1.5)
    sleep = "import sys, time\nif '-version' not in sys.argv: time.sleep(600)"
    script(tmp_path, "java", sleep)
    with pytest.raises(CannotRun, match="it was stopped after"):
        spice(ONE, ONE_REFERENCE, corenlp=tmp_path)
