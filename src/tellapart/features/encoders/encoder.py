"""An image encoder: a frozen network, how its pictures are prepared, and what it is known by.

Reads   a backbone (efficientnet_lite.py, resnet.py, transformers_vision.py) and batches of pixels
Writes  regions: a row of feature vectors per picture, one for each place in it
Paper   Sec. 3.1 and 4.1: features before the average pooling; their mean is the global feature
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, UInt8
from torch import Tensor, nn
from torch.nn.utils import convert_conv2d_weight_memory_format

from tellapart.artefacts import fingerprint
from tellapart.errors import UserError
from tellapart.features.encoders.preprocessing import Preprocessing

CPU_PIXELS_AT_ONCE = 300_000
"""Five pictures of 224 pixels. Their widest layer then fits into memory that the C library keeps
for reuse (32 MiB); beyond that, each layer asks the kernel for fresh pages, which for 32 pictures
at once costs two fifths more processor time."""


class Backbone(NamedTuple):
    """What a loader hands over: a network with its weights, not yet on any device."""

    network: nn.Module
    """Normalised pixels "batch 3 side side" → regions "batch regions channels"."""
    preprocessing: Preprocessing
    """At the size the network was trained with."""
    architecture: str
    """What the weights are weights of."""
    weights: str
    """`weights_digest` of what was read, before any folding."""
    size_step: int
    """The network takes pictures whose side is a multiple of this, or its own."""


@dataclass(frozen=True, eq=False)
class Encoder:
    """A backbone in place: `encode` turns bytes into regions."""

    name: str
    """What `load_encoder` was given; load the same encoder with it again."""
    network: nn.Module
    """Frozen, on its device, channels last."""
    preprocessing: Preprocessing
    """Makes the pixels that `encode` takes."""
    regions: int
    """Places in a picture, left to right and top to bottom."""
    channels: int
    """Numbers per place."""
    fingerprint: str
    """Changes with architecture, weights and preprocessing. The name is left out: a folder that
    moved holds the same encoder."""

    @torch.inference_mode()
    def encode(
        self, pixels: UInt8[Tensor, "batch 3 side side"]
    ) -> Float[Tensor, "batch regions channels"]:
        """See a batch of pictures: in bfloat16 on a GPU, in single precision elsewhere.

        The two differ by some 6 % of the features' norm (EfficientNet-Lite on photographs).
        """
        device = next(self.network.parameters()).device
        at_once = len(pixels)
        if device.type == "cpu":
            at_once = max(1, CPU_PIXELS_AT_ONCE // self.preprocessing.size**2)
        parts = [part.to(device) for part in pixels.split(at_once)]
        with torch.autocast(device.type, torch.float16, enabled=device.type == "cuda"):
            regions = torch.cat([self._see(part) for part in parts])
        if device.type == "cuda" and not regions.isfinite().all():
            regions = torch.cat([self._see(part) for part in parts])
        return regions

    def _see(
        self, pixels: UInt8[Tensor, "batch 3 side side"]
    ) -> Float[Tensor, "batch regions channels"]:
        channels_last = pixels.contiguous(memory_format=torch.channels_last)
        return self.network(self.preprocessing.normalise(channels_last)).float()

    def describe(self) -> dict[str, Any]:
        """Everything a feature store must remember, as JSON."""
        return {
            "name": self.name,
            "preprocessing": self.preprocessing.to_json(),
            "regions": self.regions,
            "channels": self.channels,
            "fingerprint": self.fingerprint,
        }


def put_in_place(name: str, backbone: Backbone, *, device: str) -> Encoder:
    """Freeze a backbone on a device; show it an empty picture to learn its output's shape."""
    network = backbone.network.eval().requires_grad_(False).to(device)
    network = convert_conv2d_weight_memory_format(network, torch.channels_last)
    regions, channels = _output_shape(network, size=backbone.preprocessing.size, name=name)
    return Encoder(
        name=name,
        network=network,
        preprocessing=backbone.preprocessing,
        regions=regions,
        channels=channels,
        fingerprint=fingerprint(
            {
                "architecture": backbone.architecture,
                "weights": backbone.weights,
                "preprocessing": backbone.preprocessing.to_json(),
            }
        ),
    )


@torch.inference_mode()
def _output_shape(network: nn.Module, *, size: int, name: str) -> tuple[int, int]:
    """Count regions and channels, or say why a network written elsewhere refuses this size."""
    empty = torch.zeros(1, 3, size, size, device=next(network.parameters()).device)
    try:
        _, regions, channels = network(empty).shape
    except (TypeError, ValueError, RuntimeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise UserError(f"{name} cannot see pictures of {size} pixels: {reason}") from error
    return regions, channels


def weights_digest(weights: Mapping[str, Tensor]) -> str:
    """SHA-256 over names, types, shapes and bytes of a state dict, in the order of the names.

    Integers are left out: they are counters and index tables, which files carry or not at whim.
    """
    digest = hashlib.sha256()
    for name in sorted(weights):
        weight = weights[name].detach().cpu()
        if weight.is_floating_point():
            digest.update(f"{name} {weight.dtype} {tuple(weight.shape)}\n".encode())
            digest.update(weight.contiguous().view(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
