"""From an opened picture to what a network wants to see: fitted to a square, then normalised.

Reads   an RGB picture (data/pictures.py opens it)
Writes  bytes in a decoding thread, so that little travels to the device; floats on the device
Paper   Sec. 4.1: ImageNet-trained features of fixed-size pictures
"""

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import torch
from jaxtyping import Float, UInt8
from PIL import Image
from torch import Tensor

Fit = Literal["crop", "squash"]
Resampling = Literal["nearest", "lanczos", "bilinear", "bicubic", "box", "hamming"]
PerChannel = tuple[float, float, float]


@dataclass(frozen=True)
class Preprocessing:
    """How a network's training pictures were made, so that ours are made alike."""

    size: int
    """Pixels of the square's side."""
    mean: PerChannel
    """Subtracted from red, green and blue, which run over 0…255."""
    std: PerChannel
    """What they are divided by after that."""
    fit: Fit = "crop"
    """`crop` keeps the proportions and the centre; `squash` keeps everything, proportions lost."""
    crop_fraction: float = 1.0
    """How much of the (shorter) side survives. Classifiers are commonly tested at 0.875, since what
    they name sits in the middle; a caption also speaks of what stands at the edge, so keep it."""
    resampling: Resampling = "bicubic"
    """The filter a picture is resized with."""

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ValueError(f"a picture cannot be {self.size} pixels wide")
        if not 0 < self.crop_fraction <= 1:
            raise ValueError(
                f"crop_fraction must be above 0 and at most 1, not {self.crop_fraction}"
            )

    @property
    def draft_size(self) -> int:
        """The shorter side below which a JPEG should not be decoded: `open_picture(at_least=…)`.

        Twice what is needed: our own filter, finer than the decoder's, does the last halving.
        """
        return 2 * math.ceil(self.size / self.crop_fraction)

    def to_pixels(self, picture: Image.Image) -> UInt8[np.ndarray, "3 side side"]:
        """Fit an RGB picture into the square. Safe to call from many threads."""
        if picture.mode != "RGB":
            raise ValueError(f"expected an RGB picture, not {picture.mode}: see open_picture")
        square = picture.resize(
            (self.size, self.size),
            Image.Resampling[self.resampling.upper()],
            box=self._kept_box(picture.width, picture.height),
        )
        return np.ascontiguousarray(np.asarray(square).transpose(2, 0, 1))

    def normalise(
        self, pixels: UInt8[Tensor, "batch 3 side side"]
    ) -> Float[Tensor, "batch 3 side side"]:
        """Centre and scale the channels, on whatever device the pixels are."""
        mean = torch.tensor(self.mean, device=pixels.device)[:, None, None]
        std = torch.tensor(self.std, device=pixels.device)[:, None, None]
        return pixels.float().sub_(mean).div_(std)

    def to_json(self) -> dict[str, Any]:
        """Spell the settings as JSON has them, which knows lists but not tuples."""
        return {**asdict(self), "mean": list(self.mean), "std": list(self.std)}

    def _kept_box(self, width: int, height: int) -> tuple[float, float, float, float]:
        """What is left of the picture: resizing just this equals resizing all, then cropping."""
        shorter = min(width, height)
        kept_width = self.crop_fraction * (shorter if self.fit == "crop" else width)
        kept_height = self.crop_fraction * (shorter if self.fit == "crop" else height)
        left, top = (width - kept_width) / 2, (height - kept_height) / 2
        return left, top, left + kept_width, top + kept_height
