"""An encoder small enough to think about: it sees the mean colour of each quarter of a picture."""

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from torch import Tensor, nn

from tellapart.data.records import Record
from tellapart.features.encoders.encoder import Encoder
from tellapart.features.encoders.preprocessing import Preprocessing


class QuarterColours(nn.Module):
    """Mean colours of the four quarters, as four regions of three channels."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, pixels: Tensor) -> Tensor:
        return nn.functional.adaptive_avg_pool2d(pixels * self.scale, 2).flatten(2).transpose(1, 2)


@pytest.fixture
def encoder() -> Encoder:
    return Encoder(
        name="quarters",
        network=QuarterColours(),
        preprocessing=Preprocessing(size=16, mean=(0.0, 0.0, 0.0), std=(255.0, 255.0, 255.0)),
        regions=4,
        channels=3,
        fingerprint="0123456789abcdef",
    )


@pytest.fixture
def records(tmp_path: Path) -> list[Record]:
    """Twenty-five pictures, three of which cannot be used."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    random = np.random.default_rng(7)
    for number in range(25):
        pixels = random.integers(0, 256, (20, 30, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / f"{number:02}.png")
    (folder / "03.png").write_bytes(b"")
    (folder / "04.png").unlink()
    (folder / "24.png").write_text("not a picture")
    return [Record(f"picture {n}", folder / f"{n:02}.png") for n in range(25)]
