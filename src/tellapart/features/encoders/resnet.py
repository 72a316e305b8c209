"""ResNet-101, the paper's encoder: 7 × 7 regions of 2048 channels from a picture of 224 pixels.

Reads   a file of weights in torchvision's format (resnet101-….pth), or the hub's copy
Writes  a backbone with batch normalisation folded into the convolutions
Paper   Sec. 4.1: features of a ResNet-101 trained on ImageNet, before the average pooling

The network is transformers' ResNet, which strides in the 3 × 3 convolution as torchvision's does
("version 1.5"). ResNet-50 and -152 files load too: the depth is read off the weights.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from pickle import UnpicklingError

import torch
from torch import Tensor
from transformers import ResNetConfig, ResNetModel

from tellapart.errors import UserError
from tellapart.features.encoders.encoder import Backbone
from tellapart.features.encoders.preprocessing import Preprocessing
from tellapart.features.encoders.transformers_vision import load_transformers_vision, to_backbone

HUB_NAME = "microsoft/resnet-101"

PREPROCESSING = Preprocessing(
    size=224,
    mean=(0.485 * 255, 0.456 * 255, 0.406 * 255),
    std=(0.229 * 255, 0.224 * 255, 0.225 * 255),
    resampling="bilinear",
)
"""torchvision's, but for its centre crop of 0.875: see `Preprocessing.crop_fraction`."""

STEM_PARTS = {
    "conv1": "embedder.embedder.convolution",
    "bn1": "embedder.embedder.normalization",
}
BLOCK_PARTS = {
    "conv1": "layer.0.convolution",
    "bn1": "layer.0.normalization",
    "conv2": "layer.1.convolution",
    "bn2": "layer.1.normalization",
    "conv3": "layer.2.convolution",
    "bn3": "layer.2.normalization",
    "downsample.0": "shortcut.convolution",
    "downsample.1": "shortcut.normalization",
}
"""torchvision's names → transformers'."""


def load_hub_resnet_101() -> Backbone:
    """Load the hub's ResNet-101, shown the whole shorter side like our other encoders."""
    backbone = load_transformers_vision(HUB_NAME)
    return backbone._replace(preprocessing=replace(backbone.preprocessing, crop_fraction=1.0))


def load_torchvision_resnet(path: Path) -> Backbone:
    """Load a file of weights that torchvision's ResNet-50, -101 or -152 could read."""
    weights = _read_weights(path)
    try:
        model = build_resnet(weights)
    except (KeyError, ValueError, RuntimeError) as error:
        raise _not_a_resnet(path) from error
    return to_backbone(model, model.state_dict(), PREPROCESSING)


def build_resnet(weights: Mapping[str, Tensor]) -> ResNetModel:
    """Build the network that torchvision's weights belong to; its classifier, `fc`, is left out."""
    features = {key: weight for key, weight in weights.items() if not key.startswith("fc.")}
    model = ResNetModel(ResNetConfig(depths=[_depth(features, stage) for stage in (1, 2, 3, 4)]))
    model.load_state_dict({rename_weight(key): weight for key, weight in features.items()})
    return model


def rename_weight(key: str) -> str:
    """Translate `layer3.22.bn2.bias` into `encoder.stages.2.layers.22.layer.1.normalization.bias`.

    A name that torchvision's ResNets do not have raises a KeyError or a ValueError.
    """
    module, _, kind = key.rpartition(".")
    if module in STEM_PARTS:
        return f"{STEM_PARTS[module]}.{kind}"
    stage, block, part = module.split(".", maxsplit=2)
    stage_number = int(stage.removeprefix("layer")) - 1
    return f"encoder.stages.{stage_number}.layers.{block}.{BLOCK_PARTS[part]}.{kind}"


def _depth(weights: Mapping[str, Tensor], stage: int) -> int:
    """Count the blocks of a stage."""
    return len({key.split(".")[1] for key in weights if key.startswith(f"layer{stage}.")})


def _read_weights(path: Path) -> dict[str, Tensor]:
    try:
        weights = torch.load(path, map_location="cpu", weights_only=True)
    except (UnpicklingError, RuntimeError, EOFError, ValueError, KeyError) as error:
        raise _not_a_resnet(path) from error
    named = isinstance(weights, dict) and all(isinstance(key, str) for key in weights)
    if not named or not all(isinstance(weight, Tensor) for weight in weights.values()):
        raise _not_a_resnet(path)
    return weights


def _not_a_resnet(path: Path) -> UserError:
    return UserError(
        f"{path} does not hold a ResNet's weights in torchvision's format: expected is the state "
        "dict of resnet50, resnet101 or resnet152, saved with torch.save, with keys such as "
        "conv1.weight and layer1.0.conv1.weight."
    )
