"""Fitting a picture to a square: against Pillow's own resize-and-crop, and by hand."""

import json

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tellapart.features.encoders import Preprocessing

PLAIN = Preprocessing(size=32, mean=(0.0, 0.0, 0.0), std=(1.0, 1.0, 1.0))


def noise(width: int, height: int) -> Image.Image:
    values = np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return Image.fromarray(values)


def as_array(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture).transpose(2, 0, 1)


def test_a_crop_keeps_the_middle_of_the_longer_side():
    picture = noise(96, 64)
    expected = picture.resize((48, 32), Image.Resampling.BICUBIC).crop((8, 0, 40, 32))
    np.testing.assert_array_equal(PLAIN.to_pixels(picture), as_array(expected))


def test_a_crop_fraction_is_resizing_then_cropping():
    """A quarter off each side of 64 × 64: the same as resizing all to 64 and keeping 16…48."""
    preprocessing = Preprocessing(**{**vars(PLAIN), "crop_fraction": 0.5, "resampling": "bilinear"})
    picture = noise(128, 128)
    expected = picture.resize((64, 64), Image.Resampling.BILINEAR).crop((16, 16, 48, 48))
    np.testing.assert_array_equal(preprocessing.to_pixels(picture), as_array(expected))


def test_squashing_keeps_the_whole_picture():
    preprocessing = Preprocessing(**{**vars(PLAIN), "fit": "squash"})
    picture = noise(96, 64)
    expected = picture.resize((32, 32), Image.Resampling.BICUBIC)
    np.testing.assert_array_equal(preprocessing.to_pixels(picture), as_array(expected))


@given(
    width=st.integers(1, 90),
    height=st.integers(1, 90),
    fit=st.sampled_from(["crop", "squash"]),
    crop_fraction=st.floats(0.05, 1.0),
)
def test_any_picture_fits(width: int, height: int, fit, crop_fraction: float):
    preprocessing = Preprocessing(**{**vars(PLAIN), "fit": fit, "crop_fraction": crop_fraction})
    picture = Image.new("RGB", (width, height), (10, 20, 30))
    pixels = preprocessing.to_pixels(picture)
    assert pixels.shape == (3, 32, 32)
    assert (pixels == np.array([10, 20, 30])[:, None, None]).all()


def test_normalising_by_hand():
    preprocessing = Preprocessing(size=1, mean=(127.0, 100.0, 0.0), std=(128.0, 50.0, 255.0))
    pixels = torch.tensor([255, 50, 51], dtype=torch.uint8).view(1, 3, 1, 1)
    assert preprocessing.normalise(pixels).flatten().tolist() == pytest.approx([1.0, -1.0, 0.2])


def test_pixels_go_to_torch_without_a_warning_or_a_copy():
    pixels = PLAIN.to_pixels(noise(40, 40))
    assert torch.from_numpy(pixels).data_ptr() == pixels.ctypes.data


def test_a_draft_leaves_a_halving_to_our_own_filter():
    assert PLAIN.draft_size == 64
    assert Preprocessing(**{**vars(PLAIN), "crop_fraction": 0.875}).draft_size == 74


def test_json_comes_back_as_it_went():
    described = PLAIN.to_json()
    assert json.loads(json.dumps(described)) == described


@pytest.mark.parametrize("wrong", [{"size": 0}, {"crop_fraction": 0.0}, {"crop_fraction": 1.5}])
def test_nonsense_is_refused(wrong: dict):
    with pytest.raises(ValueError, match=r"pixels wide|crop_fraction"):
        Preprocessing(**{**vars(PLAIN), **wrong})


def test_a_picture_that_is_not_rgb_is_refused():
    with pytest.raises(ValueError, match="open_picture"):
        PLAIN.to_pixels(Image.new("L", (40, 40)))
