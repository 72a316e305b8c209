"""A store is right, whole, resumable at any point, and refuses what does not belong to it."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from tellapart.data.pictures import open_picture
from tellapart.errors import UserError
from tellapart.features.extraction import describe_store, extract_features, to_half
from tellapart.features.store import FeatureStore, StoreWriter

UNUSABLE = {3: "the file is empty", 4: "no such file", 24: "not a picture in a format"}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture
def made(records, encoder, tmp_path) -> Path:
    extract_features(records, encoder, tmp_path / "features", batch_size=4, quiet=True)
    return tmp_path / "features"


def test_each_picture_has_its_features(made, records):
    """The encoder in five lines: mean colour of the quarters of the centre square."""
    store = FeatureStore.open(made)
    for record in records:
        if record.id in store.rows:
            square = open_picture(record.picture).resize((16, 16), 3, box=(5, 0, 25, 20))
            quarters = (np.asarray(square) / 255).reshape(2, 8, 2, 8, 3).mean(axis=(1, 3))
            found = store.regions[store.rows[record.id]]
            np.testing.assert_allclose(found, quarters.reshape(4, 3), atol=1e-3)


def test_unusable_pictures_are_listed_with_their_reasons_and_have_no_row(made, records):
    store = FeatureStore.open(made)
    lines = (made / "skipped.jsonl").read_text().splitlines()
    assert len(lines) == 3
    for (row, reason), line in zip(UNUSABLE.items(), lines, strict=True):
        assert records[row].id in line
        assert reason in line
        assert records[row].id not in store.rows
        assert not store.regions[row].any()
    with pytest.raises(UserError, match="no features of 1 pictures, the first of them picture 3;"):
        store.rows_of(["picture 2", "picture 3"])


def test_a_finished_store_is_left_alone(made, records, encoder):
    before = contents(made)
    writer = extract_features(records, encoder, made, batch_size=4, quiet=True)
    assert contents(made) == before
    assert set(writer.skipped) == set(UNUSABLE)


@pytest.mark.parametrize("batches", range(7))
@pytest.mark.parametrize("torn", [False, True], ids=["between batches", "within a batch"])
def test_a_rerun_goes_on_and_ends_with_the_same_bytes(
    batches, torn, made, records, encoder, tmp_path
):
    """Play a run up to some batch, perhaps tear its last writes, and let another run finish it."""
    store = FeatureStore.open(made)
    again = tmp_path / "again"
    writer = StoreWriter(again, describe_store(records, encoder), records)
    unusable = extract_features(records, encoder, made, quiet=True).skipped
    for start in range(0, 4 * batches, 4):
        rows = np.asarray(store.regions[start : start + 4])
        reasons = {r - start: why for r, why in unusable.items()}
        writer.write(rows, {r: why for r, why in reasons.items() if 0 <= r < len(rows)})
    if torn:
        with (again / "journal.jsonl").open("a") as journal:
            journal.write('{"done": 28, "skip')
        with (again / "regions.npy").open("r+b") as file:
            file.seek(128 + writer.done * 24)
            file.write(b"\xff" * 5)
        (again / ".store.json.draft").write_text('{"half')
    extract_features(records, encoder, again, batch_size=4, quiet=True)
    assert contents(again) == contents(made)


@pytest.mark.parametrize("left", [["store.json"], ["store.json", "regions.npy"]])
def test_a_run_cut_off_while_it_made_its_files_starts_over(left, made, records, encoder, tmp_path):
    again = tmp_path / "again"
    StoreWriter(again, describe_store(records, encoder), records)
    for path in list(again.iterdir()):
        if path.name not in left:
            path.unlink()
    extract_features(records, encoder, again, batch_size=4, quiet=True)
    assert contents(again) == contents(made)


@pytest.mark.parametrize("name", ["regions.npy", "journal.jsonl", "index.json"])
def test_nothing_of_anybody_else_is_overwritten(name, records, encoder, tmp_path):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / name).write_bytes(b"precious")
    with pytest.raises(UserError, match=rf"holds a {name} but no store\.json"):
        extract_features(records, encoder, tmp_path / "theirs", quiet=True)
    assert (tmp_path / "theirs" / name).read_bytes() == b"precious"


@pytest.mark.parametrize("name", ["regions.npy", "index.json", "skipped.jsonl"])
@pytest.mark.parametrize("content", [None, b"", b"[1"], ids=["gone", "empty", "garbled"])
def test_a_finished_store_that_lost_a_file_is_not_called_finished(
    name, content, made, records, encoder
):
    if name == "skipped.jsonl" and content == b"":
        pytest.skip("an empty list is a list")
    (made / name).unlink()
    if content is not None:
        (made / name).write_bytes(content)
    with pytest.raises(UserError, match=r"is damaged|not valid JSON"):
        extract_features(records, encoder, made, quiet=True)


@pytest.mark.parametrize(
    ("name", "content"), [("store.json", b"[]"), ("journal.jsonl", b"7\n"), ("regions.npy", b"x")]
)
def test_a_damaged_unfinished_store_has_its_sentence(name, content, records, encoder, tmp_path):
    StoreWriter(tmp_path / "begun", describe_store(records, encoder), records)
    (tmp_path / "begun" / name).write_bytes(content)
    with pytest.raises(UserError, match=rf"is damaged: its {name}"):
        extract_features(records, encoder, tmp_path / "begun", quiet=True)


def test_another_encoder_is_refused_and_the_store_kept(made, records, encoder):
    before = contents(made)
    other = replace(encoder, name="other", fingerprint="f" * 16)
    with pytest.raises(
        UserError, match=r"encoder is 'quarters at 16 .* Name that encoder and size"
    ):
        extract_features(records, other, made, quiet=True)
    with pytest.raises(UserError, match="the captioner needs features of its own encoder"):
        FeatureStore.open(made).require_encoder(other.describe(), wanted_by="the captioner")
    assert contents(made) == before


def test_the_same_encoder_under_another_name_is_welcome(made, records, encoder):
    extract_features(records, replace(encoder, name="/elsewhere"), made, quiet=True)


def test_other_pictures_are_refused(made, records, encoder):
    with pytest.raises(UserError, match="was made from other pictures"):
        extract_features(records[:-1], encoder, made, quiet=True)
    records[0].picture.write_bytes(records[1].picture.read_bytes() + b"\0")
    with pytest.raises(UserError, match="was made from other pictures"):
        extract_features(records, encoder, made, quiet=True)


def test_an_unfinished_or_damaged_store_is_not_opened(made, records, encoder, tmp_path):
    StoreWriter(tmp_path / "begun", describe_store(records, encoder), records)
    with pytest.raises(UserError, match="is not finished: run the same `tellapart features` again"):
        FeatureStore.open(tmp_path / "begun")
    with pytest.raises(UserError, match="does not exist"):
        FeatureStore.open(tmp_path / "nowhere")
    (made / "regions.npy").write_bytes(b"")
    with pytest.raises(UserError, match=r"is damaged: its regions\.npy is missing"):
        FeatureStore.open(made)


def test_too_little_room_is_said_before_anything_is_made(records, encoder, tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=100))
    with pytest.raises(UserError, match=r"features need 0\.0 MB, but .* has only 0\.0 MB free"):
        extract_features(records, encoder, tmp_path / "features", quiet=True)
    assert not (tmp_path / "features" / "store.json").exists()


def test_half_precision_never_overflows_and_never_hides_nan():
    assert to_half(torch.tensor([1e9, -1e9, 0.5])).tolist() == [65504.0, -65504.0, 0.5]
    with pytest.raises(UserError, match="gave NaN"):
        to_half(torch.tensor([torch.nan]))
