"""METEOR and SPICE run where they can, and say what is missing where they cannot."""

import os
import stat
import sys
from pathlib import Path

import numpy as np
import pytest

from tellapart.metrics import java
from tellapart.metrics.java import CannotRun, LineProgram, find_java
from tellapart.metrics.meteor import meteor
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
    """Three pictures, once in one process and once in three."""
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
    for processes in (1, 3):
        words = [[reference.split() for reference in refs] for refs in references]
        found = meteor([c.split() for c in candidates], words, processes=processes)
        assert found.corpus == pytest.approx(expected, abs=1e-9)
        np.testing.assert_allclose(found.per_caption, each, atol=1e-9)


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
