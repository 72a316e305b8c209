"""What an encoder promises whatever network is inside it."""

import json
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from tellapart.errors import UserError
from tellapart.features.encoders import Preprocessing
from tellapart.features.encoders.encoder import (
    CPU_PIXELS_AT_ONCE,
    Backbone,
    Encoder,
    put_in_place,
    weights_digest,
)


class Patches(nn.Module):
    """Colours averaged over patches of 8 × 8, then mixed into five channels."""

    def __init__(self) -> None:
        super().__init__()
        self.mix = nn.Conv2d(3, 5, 1)

    def forward(self, pixels: Tensor) -> Tensor:
        return self.mix(nn.functional.avg_pool2d(pixels, 8)).flatten(2).transpose(1, 2)


def place(network: nn.Module, *, name: str = "patches", **changes) -> Encoder:
    preprocessing = Preprocessing(
        **{"size": 32, "mean": (127.0,) * 3, "std": (128.0,) * 3} | changes
    )
    weights = weights_digest(network.state_dict())
    backbone = Backbone(network, preprocessing, "patches", weights, size_step=8)
    return put_in_place(name, backbone, device="cpu")


@pytest.fixture
def network() -> nn.Module:
    torch.manual_seed(0)
    return Patches()


def test_the_shape_is_what_the_network_gives(network: nn.Module):
    encoder = place(network)
    assert (encoder.regions, encoder.channels) == (16, 5)


def test_encoding_is_normalising_then_the_network(network: nn.Module):
    pixels = torch.randint(0, 256, (3, 3, 32, 32), dtype=torch.uint8)
    regions = place(network).encode(pixels)
    assert regions.dtype == torch.float32
    torch.testing.assert_close(regions, network((pixels.float() - 127) / 128))


def test_a_batch_is_seen_like_its_pictures_one_by_one(network: nn.Module):
    """More pictures than the CPU takes at once, and not a multiple of that."""
    encoder = place(network, size=256)
    count = CPU_PIXELS_AT_ONCE // 256**2 + 3
    pixels = torch.randint(0, 256, (count, 3, 256, 256), dtype=torch.uint8)
    alone = torch.cat([encoder.encode(picture[None]) for picture in pixels])
    torch.testing.assert_close(encoder.encode(pixels), alone)


def test_the_network_is_frozen(network: nn.Module):
    encoder = place(network)
    assert not encoder.network.training
    assert not any(weight.requires_grad for weight in encoder.network.parameters())


def test_the_description_is_json(network: nn.Module):
    described = place(network).describe()
    assert json.loads(json.dumps(described)) == described
    assert set(described) == {"name", "preprocessing", "regions", "channels", "fingerprint"}


def nudge_a_weight(network: nn.Module) -> Encoder:
    network.get_parameter("mix.bias").data[0] += 1e-6
    return place(network)


@pytest.mark.parametrize(
    "change",
    [
        nudge_a_weight,
        lambda network: place(network, size=64),
        lambda network: place(network, fit="squash"),
    ],
    ids=["weight", "size", "fit"],
)
def test_the_fingerprint_follows_what_is_seen(network: nn.Module, change: Callable):
    before = place(network).fingerprint
    assert len(before) == 16
    assert place(network, name="moved elsewhere").fingerprint == before
    assert change(network).fingerprint != before


def test_a_digest_tells_names_types_and_shapes_apart():
    zeros = torch.zeros(2, 3)
    states = [
        {"a": zeros},
        {"b": zeros},
        {"a": zeros.view(3, 2)},
        {"a": zeros.bfloat16()},
        {"a": zeros.double()},
        {"a": zeros, "b": zeros},
    ]
    assert len({weights_digest(state) for state in states}) == len(states)
    assert weights_digest({"a": zeros, "n": torch.tensor(3)}) == weights_digest({"a": zeros})
    assert weights_digest({"a": zeros.expand(4, 2, 3)[0]}) == weights_digest({"a": zeros})


def test_a_network_that_refuses_the_size_says_so(network: nn.Module):
    with pytest.raises(UserError, match="patches cannot see pictures of 4 pixels"):
        place(network, size=4)
