"""A hub model's `preprocessor_config.json`, read as a `Preprocessing`.

Reads   preprocessor_config.json, or processor_config.json of models that also read text
Writes  a `Preprocessing`
Paper   none

transformers' own image processors are left alone: many of them need torchvision, which does not
import beside a CPU build of torch.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from PIL import Image

from tellapart.artefacts import read_json
from tellapart.errors import UserError
from tellapart.features.encoders.preprocessing import Fit, PerChannel, Preprocessing, Resampling

SQUASHED_FROM = 384
"""With `crop_pct` (ConvNeXt, ResNet), pictures this large are squashed whole, not cropped."""


def read_preprocessing(folder: Path) -> Preprocessing:
    """Learn from a model's folder how its pictures are to be prepared."""
    settings = _read_settings(folder)
    try:
        return interpret_preprocessing(settings)
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(
            f"The image preprocessing of {folder} is of a kind we cannot follow ({error}); "
            "choose a model whose pictures are fitted to one square."
        ) from error


def interpret_preprocessing(settings: Mapping[str, Any]) -> Preprocessing:
    """Translate transformers' settings, old spellings included, into ours."""
    size, crop_fraction, fit = _geometry(settings)
    to_bytes = 1 / settings.get("rescale_factor", 1 / 255)
    normalised = settings.get("do_normalize", True)
    return Preprocessing(
        size=size,
        mean=_per_channel(settings["image_mean"] if normalised else 0.0, to_bytes),
        std=_per_channel(settings["image_std"] if normalised else 1.0, to_bytes),
        fit=fit,
        crop_fraction=crop_fraction,
        resampling=cast(Resampling, Image.Resampling(settings.get("resample", 2)).name.lower()),
    )


def _read_settings(folder: Path) -> Mapping[str, Any]:
    alone, joint = folder / "preprocessor_config.json", folder / "processor_config.json"
    if alone.exists():
        return read_json(alone)
    if joint.exists() and "image_processor" in (settings := read_json(joint)):
        return settings["image_processor"]
    raise UserError(
        f"{folder} has no preprocessor_config.json, so we cannot know how its pictures are to be "
        "prepared; save the model's image processor into that folder."
    )


def _geometry(settings: Mapping[str, Any]) -> tuple[int, float, Fit]:
    """Give the square's side, how much of the picture's side is in it, and how it is fitted."""
    size = settings["size"]
    resized = _side(size)
    if "crop_pct" in settings:
        if resized >= SQUASHED_FROM:
            return resized, 1.0, "squash"
        return resized, settings["crop_pct"] or 0.875, "crop"
    cropped = settings.get("do_center_crop", False)
    side = _side(settings.get("crop_size", size)) if cropped else resized
    # A crop larger than the picture would have a black frame: show the whole picture instead.
    crop_fraction = min(1.0, side / resized)
    if isinstance(size, int):  # before 2022; such a picture was squashed unless it was then cropped
        return side, crop_fraction, "crop" if cropped else "squash"
    return side, crop_fraction, "crop" if "shortest_edge" in size else "squash"


def _side(size: int | Mapping[str, int]) -> int:
    """Read the side of a square from any of the spellings of a size."""
    if isinstance(size, int):
        return size
    if "shortest_edge" in size:
        return size["shortest_edge"]
    if size["height"] != size["width"]:
        raise ValueError(f"{size['height']} × {size['width']} pixels is not a square")
    return size["height"]


def _per_channel(values: float | list[float], scale: float) -> PerChannel:
    """Bring one number, or one per channel, to the scale of 0…255."""
    red, green, blue = values if isinstance(values, list) else [values] * 3
    return red * scale, green * scale, blue * scale
