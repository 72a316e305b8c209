"""Files are whole or untouched, fingerprints stable, mismatches refused with advice."""

import json
import os
import subprocess
import sys

import pytest

from tellapart.artefacts import (
    fingerprint,
    hold_folder,
    read_json,
    require_same,
    require_writable,
    write_json,
)
from tellapart.errors import UserError


def test_a_fingerprint_depends_on_the_value_and_not_on_its_spelling():
    assert fingerprint({"a": 1, "b": [2, 3]}) == fingerprint({"b": [2, 3], "a": 1})
    assert fingerprint({"a": 1}) != fingerprint({"a": 2})
    assert fingerprint([]) == "4f53cda18c2baa0c"


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "settings.json"
    write_json(path, {"old": True})

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        write_json(path, {"old": False})
    assert read_json(path) == {"old": True}
    assert [entry.name for entry in tmp_path.iterdir()] == ["settings.json"]


def test_a_link_stays_a_link_and_a_pipe_is_written_to(tmp_path):
    (tmp_path / "target.json").write_text("old")
    (tmp_path / "link.json").symlink_to("target.json")
    write_json(tmp_path / "link.json", [1])
    assert (tmp_path / "link.json").is_symlink()
    assert read_json(tmp_path / "target.json") == [1]
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_json(tmp_path / "pipe", [2])
    assert os.read(reader, 100) == b"[\n  2\n]\n"
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()


def test_a_place_nothing_can_be_written_to_is_refused_beforehand(tmp_path):
    with pytest.raises(UserError, match="is a folder; name a file"):
        require_writable(tmp_path)
    with pytest.raises(UserError, match="nowhere does not exist; make it first"):
        require_writable(tmp_path / "nowhere" / "a.json")
    require_writable(tmp_path / "new.json")


def test_json_files_end_in_a_line_and_take_any_name(tmp_path):
    write_json(tmp_path / "a.json", {"name": os.fsdecode(b"\xff.jpg")})
    assert (tmp_path / "a.json").read_text().endswith("}\n")
    assert json.loads((tmp_path / "a.json").read_text())["name"] == os.fsdecode(b"\xff.jpg")


def test_a_mismatch_names_what_differs_and_what_to_do():
    with pytest.raises(UserError) as refusal:
        require_same(
            {"size": 224, "encoder": "x"},
            {"size": 260, "encoder": "x"},
            artefact="It",
            advice="Redo.",
        )
    assert str(refusal.value) == "It does not fit: size is 260 there but 224 here. Redo."


def test_two_processes_cannot_write_into_one_folder(tmp_path):
    """The lock is the process's: one that is killed lets go of it by dying."""
    script = (
        "import sys, time; from pathlib import Path; from tellapart.artefacts import hold_folder\n"
        "with hold_folder(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    with other.stdout:
        assert other.stdout.readline() == "held\n"
        with (
            pytest.raises(UserError, match="Another tellapart is writing into"),
            hold_folder(tmp_path),
        ):
            pass
        other.kill()
        other.wait()
    with hold_folder(tmp_path):
        pass
