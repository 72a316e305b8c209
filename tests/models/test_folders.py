"""A model folder carries all it needs, and says what is wrong with it."""

from pathlib import Path

import pytest
import torch

from tellapart.data.vocabulary import Vocabulary
from tellapart.errors import UserError
from tellapart.models.folders import load_model, read_tensors, save_model
from tellapart.models.retriever import Retriever

SIZES = {"vocabulary_size": 7, "channels": 3, "word_size": 4, "state_size": 5, "space_size": 6}


@pytest.fixture
def folder(tmp_path) -> Path:
    torch.manual_seed(0)
    save_model(
        tmp_path / "model",
        "retriever",
        Retriever(**SIZES),
        sizes=SIZES,
        vocabulary=Vocabulary.build(["a red dog"] * 6),
        encoder={"name": "quarters", "fingerprint": "f" * 16},
        training={"seed": 0},
    )
    return tmp_path / "model"


def test_what_was_saved_is_loaded(folder):
    loaded = load_model(folder, "retriever")
    retriever = Retriever(**loaded.sizes)
    retriever.load_state_dict(dict(loaded.weights))
    torch.manual_seed(0)
    same = Retriever(**SIZES)
    assert all(
        torch.equal(a, b)
        for a, b in zip(retriever.state_dict().values(), same.state_dict().values(), strict=True)
    )
    assert loaded.vocabulary.encode("a dog") == [4, 5]
    assert loaded.encoder["name"] == "quarters"
    assert not list(folder.glob(".*"))


def test_what_is_wrong_is_said(folder, tmp_path):
    with pytest.raises(UserError, match="holds no finished captioner"):
        load_model(tmp_path, "captioner")
    with pytest.raises(UserError, match="holds a retriever, not a captioner"):
        load_model(folder, "captioner")
    (folder / "model.safetensors").write_bytes(b"short")
    with pytest.raises(UserError, match=r"model\.safetensors is damaged"):
        load_model(folder, "retriever")
    with pytest.raises(UserError, match="does not exist"):
        read_tensors(folder / "nothing.safetensors")


def test_another_vocabulary_is_refused(folder):
    Vocabulary.build(["another thing here"] * 6).save(folder / "vocabulary")
    with pytest.raises(UserError, match="Word ids mean other words there"):
        load_model(folder, "retriever")
