"""Preprocessing as published: against transformers' own processors, those that run on Pillow."""

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from PIL import Image

from tellapart.artefacts import write_json
from tellapart.errors import UserError
from tellapart.features.encoders.hub_preprocessing import (
    interpret_preprocessing,
    read_preprocessing,
)

IMAGENET = {"image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225]}

PROCESSORS = [
    ("ViTImageProcessorPil", {}),
    ("CLIPImageProcessorPil", {}),
    ("SiglipImageProcessorPil", {}),
    ("DeiTImageProcessorPil", {}),
    ("BitImageProcessorPil", {"size": {"shortest_edge": 256}, "resample": 3}),
    ("ConvNextImageProcessorPil", {"size": {"shortest_edge": 224}}),
    ("ConvNextImageProcessorPil", {"size": {"shortest_edge": 384}}),
    ("ViTImageProcessorPil", {"do_normalize": False}),
]


def noise() -> Image.Image:
    """Of a shape for which no side is rounded on the way: transformers rounds, ours need not."""
    values = np.random.default_rng(0).integers(0, 256, (512, 768, 3), dtype=np.uint8)
    return Image.fromarray(values)


@pytest.mark.parametrize(("name", "settings"), PROCESSORS)
def test_pictures_look_as_transformers_would_prepare_them(tmp_path: Path, name, settings):
    if not hasattr(transformers, name):
        pytest.skip(f"this transformers has no {name}")
    processor = getattr(transformers, name)(**settings)
    processor.save_pretrained(tmp_path)
    picture = noise()
    expected = processor(picture, return_tensors="pt")["pixel_values"]

    preprocessing = read_preprocessing(tmp_path)
    pixels = torch.from_numpy(preprocessing.to_pixels(picture))[None]
    found = preprocessing.normalise(pixels)
    assert found.shape == expected.shape
    torch.testing.assert_close(found, expected.float(), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(
    ("settings", "size", "fit", "crop_fraction"),
    [
        ({"size": 224}, 224, "squash", 1.0),
        ({"size": 256, "crop_size": 224, "do_center_crop": True}, 224, "crop", 0.875),
        ({"size": 224, "crop_pct": 0.8}, 224, "crop", 0.8),
        ({"size": 224, "crop_pct": None}, 224, "crop", 0.875),
        ({"size": 384, "crop_pct": 0.8}, 384, "squash", 1.0),
        ({"size": 200, "crop_size": 224, "do_center_crop": True}, 224, "crop", 1.0),
    ],
)
def test_old_spellings(settings: dict, size: int, fit: str, crop_fraction: float):
    preprocessing = interpret_preprocessing({**IMAGENET, **settings})
    assert (preprocessing.size, preprocessing.fit) == (size, fit)
    assert preprocessing.crop_fraction == pytest.approx(crop_fraction)
    assert preprocessing.mean == pytest.approx((123.675, 116.28, 103.53))


def test_the_image_half_of_a_joint_processor_is_read(tmp_path: Path):
    write_json(tmp_path / "processor_config.json", {"image_processor": {**IMAGENET, "size": 96}})
    assert read_preprocessing(tmp_path).size == 96


@pytest.mark.parametrize(
    "settings",
    [
        {**IMAGENET, "size": {"height": 224, "width": 448}},
        {**IMAGENET, "size": {"longest_edge": 512}},
        {"size": 224},
        {**IMAGENET},
    ],
)
def test_what_we_cannot_follow_is_refused(tmp_path: Path, settings: dict):
    write_json(tmp_path / "preprocessor_config.json", settings)
    with pytest.raises(UserError, match="one square"):
        read_preprocessing(tmp_path)


def test_a_folder_without_any_is_refused(tmp_path: Path):
    with pytest.raises(UserError, match=r"no preprocessor_config\.json"):
        read_preprocessing(tmp_path)
