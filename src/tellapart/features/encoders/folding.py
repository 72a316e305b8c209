"""Batch normalisation folded into the convolution before it: the same function, half the layers.

Reads   a network whose layers hold a `convolution` and a `normalization`
Writes  the same network, in place, without its batch normalisations
Paper   none: a frozen network's batch normalisation is a fixed scale and shift per channel
"""

from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval


def fold_batch_norms(network: nn.Module) -> None:
    """Merge every `layer.normalization` into its `layer.convolution`.

    The attribute names are those of the transformers ResNet, which our EfficientNet-Lite shares.
    From here on the statistics are frozen: fine-tuning may move the weights but not the norms.
    """
    for layer in network.eval().modules():
        convolution = getattr(layer, "convolution", None)
        normalization = getattr(layer, "normalization", None)
        if isinstance(convolution, nn.Conv2d) and isinstance(normalization, nn.BatchNorm2d):
            layer.convolution = fuse_conv_bn_eval(convolution, normalization)
            layer.normalization = nn.Identity()
