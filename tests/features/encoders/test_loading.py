"""The edge: what a user may type for an encoder, and what they are told when it is wrong."""

import subprocess
import sys

import pytest
from huggingface_hub import constants

from tellapart.errors import UserError
from tellapart.features.encoders import NAMED, load_encoder


def test_our_own_encoder_comes_with_its_weights():
    encoder = load_encoder("efficientnet-lite0", size=128)
    assert encoder.name == "efficientnet-lite0"
    assert (encoder.regions, encoder.channels) == (16, 1280)
    assert encoder.preprocessing.size == 128
    assert encoder.fingerprint != load_encoder("efficientnet-lite0").fingerprint


def test_a_fingerprint_is_the_same_on_every_machine():
    """Taken before folding, whose last bit depends on the processor."""
    assert load_encoder("efficientnet-lite2").fingerprint == "a56ef8d66fc6d623"


def test_a_size_of_its_own_need_not_be_a_multiple():
    assert load_encoder("efficientnet-lite2", size=260).regions == 81


@pytest.mark.parametrize("size", [-32, 0, 16, 100])
def test_a_bad_size_is_refused(size: int):
    with pytest.raises(UserError, match="260 pixels or a multiple of 32"):
        load_encoder("efficientnet-lite2", size=size)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("efficientnet_lite0", "efficientnet-lite0"),
        ("tf_efficientnet_lite2.in1k", "efficientnet-lite2"),
        ("resnet101", "resnet-101"),
        ("ResNet_101", "resnet-101"),
    ],
)
def test_a_name_we_nearly_know_is_suggested(typed: str, meant: str):
    with pytest.raises(UserError, match=f"did you mean {meant}"):
        load_encoder(typed)


@pytest.mark.parametrize("typed", ["", "banana", "/no/such/folder", "folder/with/a/model"])
def test_a_name_nobody_knows_lists_ours(typed: str):
    with pytest.raises(UserError, match=", ".join(NAMED)):
        load_encoder(typed)


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(UserError, match=r"resnet101\.pth does not exist"):
        load_encoder("resnet101.pth")


@pytest.mark.parametrize("name", ["resnet-101", "nobody/has-this", "bad name/with spaces"])
def test_without_the_hub_one_sentence_says_what_to_do(name: str, monkeypatch, tmp_path):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(UserError, match="no copy was downloaded before"):
        load_encoder(name)


def test_our_own_encoder_is_loaded_without_transformers():
    program = (
        "import sys; from tellapart.features.encoders import load_encoder; "
        "load_encoder('efficientnet-lite0', size=32); "
        "sys.exit('transformers' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
