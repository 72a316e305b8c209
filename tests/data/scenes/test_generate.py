"""The folder on disk: repeatable to the byte, resumable, and never mixed with other files."""

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from tellapart.artefacts import hold_folder
from tellapart.data.scenes import generate_scenes, judge_caption, read_scenes
from tellapart.data.scenes.generate import sample_part
from tellapart.errors import UserError


def make(folder, *, test=5, size=64, seed=0, advance=lambda _: None):
    counts = {"labelled": 12, "unlabelled": 4, "val": 3, "test": test}
    generate_scenes(folder, **counts, size=size, seed=seed, advance=advance)


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenes") / "data"
    make(folder)
    return folder


def test_the_files_agree_with_each_other(made):
    dataset = json.loads((made / "dataset.json").read_text())
    images = dataset["images"]
    assert dataset["dataset"] == "scenes"
    assert [image["split"] for image in images] == ["train"] * 16 + ["val"] * 3 + ["test"] * 5
    assert [image["imgid"] for image in images] == list(range(24))
    names = {image["filename"] for image in images}
    assert names == {path.name for path in (made / "images").iterdir()} == read_scenes(made).keys()
    for image in images:
        expected = 0 if image["filename"].startswith("unlabelled") else 5
        assert len(image["sentences"]) == expected
        with Image.open(made / "images" / image["filename"]) as picture:
            assert picture.size == (64, 64)


def test_sentences_are_numbered_tokenised_and_true(made):
    dataset = json.loads((made / "dataset.json").read_text())
    scenes = read_scenes(made)
    sentences = [(image, line) for image in dataset["images"] for line in image["sentences"]]
    assert [line["sentid"] for _, line in sentences] == list(range(len(sentences)))
    for image, line in sentences:
        assert line["tokens"] == line["raw"].lower().strip(".").split()
        assert judge_caption(line["raw"], scenes[image["filename"]]).is_true


def test_the_contact_sheet_is_a_picture(made):
    with Image.open(made / "contact-sheet.png") as sheet:
        assert sheet.width > 1000


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(made, tmp_path):
    make(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(made)
    make(tmp_path / "other", seed=1)
    assert contents(tmp_path / "other")["scenes.json"] != contents(made)["scenes.json"]


def test_a_larger_part_begins_with_the_smaller_one():
    for part in ("labelled", "test"):
        assert list(sample_part(part, 30, 0))[:10] == list(sample_part(part, 10, 0))


def test_a_finished_folder_is_left_as_it_is(made):
    before = {path: path.stat().st_mtime_ns for path in made.rglob("*")}
    told = []
    make(made, advance=told.append)
    assert {path: path.stat().st_mtime_ns for path in made.rglob("*")} == before
    assert sum(told) == 24


def test_an_unfinished_folder_is_made_anew(made, tmp_path):
    folder = tmp_path / "data"
    with pytest.raises(RuntimeError):
        make(folder, test=7, advance=stop)
    assert (folder / "unfinished.json").exists()
    assert list((folder / "images").iterdir())
    told = []
    make(folder, advance=told.append)
    assert contents(folder) == contents(made)
    assert sum(told) == 24


def test_other_settings_are_refused(made):
    with pytest.raises(UserError, match=r"size is 64 there but 96 here.*Choose another folder"):
        make(made, size=96)


def stop(_):
    raise RuntimeError


FOREIGN = ["thesis.txt", "images/holiday.jpg", "images/test-00001.jpg", "dataset.json"]


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_files_are_refused_and_kept(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(UserError, match="Choose an empty or a new folder"):
        make(tmp_path)
    assert contents(tmp_path) == {name: b"mine"}
    assert (tmp_path / "images").exists() == name.startswith("images")


@pytest.mark.parametrize("name", ["thesis.txt", "images/holiday.jpg", "test-00001.jpg"])
def test_foreign_files_in_an_unfinished_folder_are_refused_and_kept(tmp_path, name):
    with pytest.raises(RuntimeError):
        make(tmp_path, advance=stop)
    (tmp_path / name).write_text("mine")
    before = contents(tmp_path)
    with pytest.raises(UserError, match=f"such as {name}"):
        make(tmp_path)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["images/val-00001.jpg", "scenes.json"])
def test_a_finished_folder_that_lost_files_is_refused(made, tmp_path, name):
    shutil.copytree(made, tmp_path / "data")
    (tmp_path / "data" / name).unlink()
    with pytest.raises(UserError, match=f"lacks 1 of its files, such as {name}"):
        make(tmp_path / "data")


@pytest.mark.parametrize("name", ["settings.json", "unfinished.json"])
@pytest.mark.parametrize("text", ["[]", "3", "{}", "{"])
def test_other_peoples_settings_are_refused_and_kept(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(UserError):
        make(tmp_path)
    assert contents(tmp_path) == {name: text.encode()}


def test_two_runs_do_not_share_a_folder(tmp_path):
    with hold_folder(tmp_path), pytest.raises(UserError, match="Another tellapart"):
        make(tmp_path)


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "data").write_text("mine")
    with pytest.raises(UserError, match="is a file"):
        make(tmp_path / "data")


@pytest.mark.parametrize("wrong", [{"size": 31}, {"size": 4097}, {"test": -1}])
def test_what_cannot_be_drawn_is_refused_before_anything_is_written(tmp_path, wrong):
    with pytest.raises(UserError, match=r"counts of 0 or more.* 32 to 4096 pixels"):
        make(tmp_path / "data", **wrong)
    assert not (tmp_path / "data").exists()


def test_no_pictures_at_all_are_refused(tmp_path):
    with pytest.raises(UserError, match="at least one picture"):
        generate_scenes(tmp_path, labelled=0, unlabelled=0, val=0, test=0)
