"""The real command line: what people see, and the exit codes scripts rely on."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tellapart.cli import COMMANDS, find_function, main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four pictures, one of them broken; six captions each for two of them."""
    pictures = tmp_path / "my pictures"
    pictures.mkdir()
    for name in ("a.jpg", "b.png", "c.jpg"):
        Image.new("RGB", (40, 30), "red").save(pictures / name)
    (pictures / "d.jpg").write_bytes(b"")
    (pictures / "a.txt").write_text("A red square.\n" * 6)
    (pictures / "b.txt").write_text("Another red square, seen from afar.\n" * 6)
    return pictures


def test_help_names_every_command_and_is_quick():
    """Help must not wait for torch: it runs in a process of its own, where torch is not loaded."""
    script = "import sys, tellapart.cli as c\ntry: c.main(['--help'])\nexcept SystemExit: pass\n"
    script += "assert 'torch' not in sys.modules and 'transformers' not in sys.modules"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert all(command in shown.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_the_common_settings(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert "--seed" in shown
    assert "--device" in shown
    assert "--quiet" in shown


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_function_that_takes_its_settings(command):
    settings, place = COMMANDS[command]
    [parameter] = inspect.signature(find_function(place)).parameters.values()
    assert parameter.annotation is settings


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("tellapart 0.")


def test_inspect_shows_people_what_is_there(folder, capsys):
    assert main(["inspect", str(folder)]) == 0
    shown = capsys.readouterr().out
    for expected in ("train", "│        4 │        2 │          2 │       12 │"):
        assert expected in shown
    assert "1 picture cannot be read" in shown
    assert f"{folder}/d.jpg: the file is empty" in shown


def test_inspect_as_json(folder, capsys):
    assert main(["inspect", str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["total"] == {"pictures": 4, "labelled": 2, "unlabelled": 2, "captions": 12}
    assert found["unreadable"] == {str(folder / "d.jpg"): "the file is empty"}
    assert found["words"]["vocabulary"] == 7
    assert found["words"]["coverage"] == {"train": 1.0}
    assert found["words"]["lengths"] == {"3": 6, "6": 6}


def test_inspect_without_opening_pictures(folder, capsys):
    assert main(["inspect", str(folder), "--no-open-pictures", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unreadable"] == {}


def test_inspect_real_flickr8k(shared_data, capsys):
    flickr = shared_data / "flickr8k"
    arguments = ["--images", str(flickr / "images"), "--no-open-pictures", "--json"]
    assert main(["inspect", str(flickr / "dataset_flickr8k.json"), *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["total"] == {
        "pictures": 7500,
        "labelled": 7500,
        "unlabelled": 0,
        "captions": 37500,
    }
    assert {split: row["pictures"] for split, row in found["splits"].items()} == {
        "train": 6000,
        "val": 1000,
        "test": 500,
    }


def test_vocabulary(folder, tmp_path, capsys):
    out = tmp_path / "run" / "vocabulary"
    assert main(["vocabulary", str(folder), "--out", str(out)]) == 0
    assert json.loads((out / "vocabulary.json").read_text())["words"] == 11
    assert "11 words from 12 captions" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["inspect", "nowhere"], "tellapart: nowhere does not exist.\n"),
        (
            ["inspect"],
            "tellapart: No data: name an annotation file or a folder of pictures",
        ),
        (["vocabulary", ".", "--out", "v"], "tellapart: There are no training captions"),
        (["features", ".", "--out", "f", "--device", "cuda:99"], "'cuda:99' is not available here"),
        (["features", ".", "--out", "f", "--device", "toaster"], "'toaster' is not available here"),
        (
            ["features", ".", "--out", "f", "--batch-size", "0"],
            "--batch-size and --workers must be",
        ),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(
    arguments, sentence, tmp_path, monkeypatch, capsys
):
    Image.new("RGB", (8, 8)).save(tmp_path / "a.png")
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


@pytest.mark.parametrize(
    "arguments", [["inspekt"], ["inspect", "--no-such-flag"], ["features", "x"]]
)
def test_a_mistyped_command_line_is_explained(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err


def test_a_folder_we_may_not_write_into(folder, tmp_path, as_ordinary_user, capsys):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    assert main(["vocabulary", str(folder), "--out", str(tmp_path / "v")]) == 0  # all is imported
    with as_ordinary_user():
        assert main(["vocabulary", str(folder), "--out", str(locked / "vocabulary")]) == 2
    assert "Permission denied" in capsys.readouterr().err


def test_odd_file_names_reach_a_terminal_that_cannot_spell_them(folder):
    (folder / os.fsdecode(b"\xff.jpg")).write_bytes(b"")
    shown = subprocess.run(
        [sys.executable, "-m", "tellapart.cli", "inspect", str(folder)],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
    )
    assert shown.returncode == 0, shown.stderr
    assert rb"\udcff.jpg: the file is empty" in shown.stdout


def test_an_output_that_cannot_be_is_refused_in_a_sentence(folder, tmp_path, capsys):
    (tmp_path / "file").write_text("precious")
    long = str(tmp_path / ("x" * 300))
    for out in (tmp_path / "file", tmp_path / "file" / "below", long):
        assert main(["vocabulary", str(folder), "--out", str(out)]) == 2
        assert main(["features", str(folder), "--out", str(out), "--size", "64"]) == 2
    assert main(["inspect", long]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 7
    assert "Traceback" not in said
    assert (tmp_path / "file").read_text() == "precious"


def test_another_vocabulary_is_never_replaced(folder, tmp_path, capsys):
    out = str(tmp_path / "v")
    assert main(["vocabulary", str(folder), "--out", out]) == 0
    assert main(["vocabulary", str(folder), "--out", out]) == 0
    assert main(["vocabulary", str(folder), "--out", out, "--max-words", "3"]) == 2
    assert "Word ids mean other words there" in capsys.readouterr().err
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "tokenizer.json").write_text("precious")
    assert main(["vocabulary", str(folder), "--out", str(tmp_path / "theirs")]) == 2
    assert (tmp_path / "theirs" / "tokenizer.json").read_text() == "precious"


def test_notes_are_said_by_every_command_that_reads_data(folder, tmp_path, capsys):
    twice = [str(folder), str(folder / "a.jpg")]
    assert main(["inspect", *twice]) == 0
    assert main(["vocabulary", *twice, "--out", str(tmp_path / "v")]) == 0
    assert capsys.readouterr().err.count("named more than once") == 2


def test_captions_without_a_training_split_still_have_lengths(tmp_path, capsys):
    (tmp_path / "captions_val2014.json").write_text(
        json.dumps(
            {"images": [{"id": 1}], "annotations": [{"image_id": 1, "caption": "a red dog"}]}
        )
    )
    arguments = [str(tmp_path / "captions_val2014.json"), "--no-open-pictures", "--json"]
    assert main(["inspect", *arguments]) == 0
    words = json.loads(capsys.readouterr().out)["words"]
    assert (words["vocabulary"], words["longest"], words["coverage"]) == (0, 3, {"val": 0.0})
    assert main(["inspect", *arguments, "--min-count", "0"]) == 2


def test_an_encoder_size_beyond_reason_is_refused(folder, tmp_path, capsys):
    arguments = ["features", str(folder), "--out", str(tmp_path / "f"), "--size"]
    assert main([*arguments, "1000000"]) == 2
    assert "2048 pixels at most" in capsys.readouterr().err
    assert main([*arguments, "100"]) == 2
    assert "the nearest that fits is 96" in capsys.readouterr().err
