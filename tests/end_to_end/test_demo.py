"""`tellapart scenes` and `tellapart demo`, as a newcomer runs them."""

import json

from tellapart.apps.demo import group_by_caption
from tellapart.cli import main
from tellapart.data.readers import read_dataset

SMALL = ["--labelled", "12", "--unlabelled", "6", "--val", "3", "--test", "3", "--quiet"]


def test_scenes_are_a_partially_labelled_data_set(tmp_path, capsys):
    folder = tmp_path / "scenes"
    assert main(["scenes", str(folder), *SMALL]) == 0
    assert main(["inspect", str(folder), "--json", "--min-count", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["splits"]["train"] == {
        "pictures": 18,
        "labelled": 12,
        "unlabelled": 6,
        "captions": 60,
    }
    assert found["splits"]["test"]["pictures"] == 3
    assert found["unreadable"] == {}


def test_scenes_with_other_settings_are_refused(tmp_path, capsys):
    folder = str(tmp_path / "scenes")
    assert main(["scenes", folder, *SMALL]) == 0
    assert main(["scenes", folder, *SMALL, "--seed", "1"]) == 2
    assert "seed is 0 there but 1 here" in capsys.readouterr().err
    assert main(["scenes", str(tmp_path / "none"), "--labelled", "-1"]) == 2
    assert "counts of 0 or more" in capsys.readouterr().err


def test_captions_group_the_pictures_they_fit(tmp_path):
    assert main(["scenes", str(tmp_path), *SMALL]) == 0
    records = read_dataset([tmp_path]).records
    groups = group_by_caption(records)
    for caption, group in groups.items():
        for record in group:
            assert any(caption == written.lower().rstrip(".") for written in record.captions)
