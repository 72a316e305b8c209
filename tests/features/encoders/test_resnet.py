"""ResNet-101 against a naive forward pass, straight from a state dict in torchvision's format."""

from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from tellapart.errors import UserError
from tellapart.features.encoders import load_encoder
from tellapart.features.encoders.resnet import build_resnet

RESNET_101 = (3, 4, 23, 3)

Weights = dict[str, Tensor]


def random_weights(depths: tuple[int, ...]) -> Weights:
    """Weights as torchvision names and shapes them, with statistics as training leaves them."""
    generator = torch.Generator().manual_seed(0)
    weights: Weights = {}

    def convolution(name: str, out_channels: int, in_channels: int, kernel: int) -> None:
        shape = (out_channels, in_channels, kernel, kernel)
        scale = (2 / (in_channels * kernel**2)) ** 0.5
        weights[f"{name}.weight"] = scale * torch.randn(shape, generator=generator)

    def norm(name: str, channels: int) -> None:
        weights[f"{name}.weight"] = 0.3 + 0.4 * torch.rand(channels, generator=generator)
        weights[f"{name}.bias"] = 0.1 * torch.randn(channels, generator=generator)
        weights[f"{name}.running_mean"] = 0.2 * torch.randn(channels, generator=generator)
        weights[f"{name}.running_var"] = 0.5 + torch.rand(channels, generator=generator)

    convolution("conv1", 64, 3, 7)
    norm("bn1", 64)
    in_channels = 64
    for stage, depth in enumerate(depths, start=1):
        narrow, wide = 32 * 2**stage, 128 * 2**stage
        for block in range(depth):
            name = f"layer{stage}.{block}"
            sizes = ((narrow, in_channels, 1), (narrow, narrow, 3), (wide, narrow, 1))
            for number, (out_channels, inputs, kernel) in enumerate(sizes, start=1):
                convolution(f"{name}.conv{number}", out_channels, inputs, kernel)
                norm(f"{name}.bn{number}", out_channels)
            if block == 0:
                convolution(f"{name}.downsample.0", wide, in_channels, 1)
                norm(f"{name}.downsample.1", wide)
            in_channels = wide
    weights["fc.weight"], weights["fc.bias"] = torch.zeros(1000, in_channels), torch.zeros(1000)
    return weights


def naive_resnet(weights: Weights, pixels: Tensor) -> Tensor:
    """He et al. 2016 with the stride in the 3 × 3 convolution, one operation per line."""

    def layer(grid: Tensor, convolution: str, norm: str, stride: int = 1) -> Tensor:
        kernel = weights[f"{convolution}.weight"]
        grid = functional.conv2d(grid, kernel, stride=stride, padding=kernel.shape[-1] // 2)
        kinds = ("running_mean", "running_var", "weight", "bias")
        mean, variance, scale, shift = (weights[f"{norm}.{kind}"].view(-1, 1, 1) for kind in kinds)
        return (grid - mean) / (variance + 1e-5).sqrt() * scale + shift

    grid = layer(pixels, "conv1", "bn1", stride=2).relu()
    grid = functional.max_pool2d(grid, 3, stride=2, padding=1)
    blocks = sorted({tuple(key.split(".")[:2]) for key in weights if key.startswith("layer")})
    for stage, block in sorted(blocks, key=lambda place: (place[0], int(place[1]))):
        name = f"{stage}.{block}"
        stride = 2 if block == "0" and stage != "layer1" else 1
        wide = layer(grid, f"{name}.conv1", f"{name}.bn1").relu()
        wide = layer(wide, f"{name}.conv2", f"{name}.bn2", stride=stride).relu()
        wide = layer(wide, f"{name}.conv3", f"{name}.bn3")
        if block == "0":
            grid = layer(grid, f"{name}.downsample.0", f"{name}.downsample.1", stride=stride)
        grid = (wide + grid).relu()
    return grid.flatten(2).transpose(1, 2)


def assert_close_to(expected: Tensor, found: Tensor) -> None:
    assert expected.abs().max() > 0.1
    assert (found - expected).abs().max() <= 1e-4 * expected.abs().max()


@torch.inference_mode()
def test_a_torchvision_file_sees_what_the_naive_network_sees(tmp_path: Path):
    weights = random_weights(RESNET_101)
    torch.save(weights, tmp_path / "resnet101.pth")
    encoder = load_encoder(str(tmp_path / "resnet101.pth"))
    assert (encoder.regions, encoder.channels) == (49, 2048)

    pixels = torch.randint(0, 256, (1, 3, 224, 224), dtype=torch.uint8)
    mean = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)
    std = torch.tensor([0.229, 0.224, 0.225]).view(3, 1, 1)
    expected = naive_resnet(weights, (pixels / 255 - mean) / std)
    assert_close_to(expected, encoder.encode(pixels))


def test_the_classifier_and_the_counters_of_newer_files_do_not_matter(tmp_path: Path):
    weights = random_weights((1, 1, 1, 1))
    norms = [key for key in weights if key.endswith("running_mean")]
    counters = {
        key.replace("running_mean", "num_batches_tracked"): torch.tensor(7) for key in norms
    }
    bare = {key: weight for key, weight in weights.items() if not key.startswith("fc.")}
    torch.save(bare, tmp_path / "bare.pth")
    torch.save({**weights, **counters}, tmp_path / "full.pth")
    encoders = [load_encoder(str(tmp_path / name), size=64) for name in ("bare.pth", "full.pth")]
    assert encoders[0].fingerprint == encoders[1].fingerprint
    assert encoders[0].name != encoders[1].name


@pytest.mark.parametrize("content", ["text", "list", "names", "basic blocks", "shapes"])
def test_another_file_is_refused_in_a_sentence(tmp_path: Path, content: str):
    path = tmp_path / "weights.pth"
    tiny = random_weights((1, 1, 1, 1))
    contents = {
        "list": [1, 2],
        "names": {"encoder.weight": torch.zeros(2)},
        "basic blocks": {key: weight for key, weight in tiny.items() if "conv3" not in key},
        "shapes": {**tiny, "conv1.weight": torch.zeros(64, 3, 3, 3)},
    }
    if content == "text":
        path.write_text("not weights")
    else:
        torch.save(contents[content], path)
    with pytest.raises(UserError, match="torchvision's format"):
        load_encoder(str(path))


@torch.inference_mode()
def test_torchvision_itself_agrees():
    """Runs only where torchvision is installed, which it never is beside our own tests."""
    torchvision = pytest.importorskip("torchvision", reason="an oracle we do not depend on")
    weights = random_weights(RESNET_101)
    theirs = torchvision.models.resnet101().eval()
    theirs.load_state_dict(weights)
    parts = list(theirs.children())[:-2]
    pixels = torch.randn(1, 3, 224, 224)
    expected = torch.nn.Sequential(*parts)(pixels).flatten(2).transpose(1, 2)
    found = build_resnet(weights).eval()(pixels).last_hidden_state.flatten(2).transpose(1, 2)
    assert_close_to(expected, found)
