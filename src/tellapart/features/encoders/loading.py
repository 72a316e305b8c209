"""One call to load any encoder: one of ours by name, a file, a folder, or a model of the hub.

Reads   a name or a path, as the user gave it
Writes  an `Encoder` in place on its device
Paper   Sec. 4.1
"""

from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from tellapart.errors import UserError
from tellapart.features.encoders.efficientnet_lite import load_efficientnet_lite
from tellapart.features.encoders.encoder import Backbone, Encoder, put_in_place

WEIGHT_FILES = (".pth", ".pt")
LARGEST_SIZE = 2048
"""Pixels; what lies beyond is a slip of the finger, and would ask for terabytes."""


def load_encoder(name_or_path: str, *, size: int | None = None, device: str = "cpu") -> Encoder:
    """Load an encoder by one of `NAMED`, by a .pth file, a model folder, or a hub name.

    `size` is the side of the pictures it will see, in pixels; the size it was trained with unless
    given. More pixels mean more regions, and smaller things seen, for more time.
    """
    backbone = _load_backbone(name_or_path)
    if size is not None:
        backbone = _resize(backbone, size, name=name_or_path)
    return put_in_place(name_or_path, backbone, device=device)


def _load_backbone(name_or_path: str) -> Backbone:
    """Choose by what the name is: ours, then a file, then a folder, then the hub's."""
    path = Path(name_or_path)
    if name_or_path in NAMED:
        return NAMED[name_or_path]()
    if path.suffix in WEIGHT_FILES:
        return _load_weight_file(path)
    if (name_or_path and path.is_dir()) or name_or_path.count("/") == 1:
        return _load_transformers_vision(name_or_path)
    raise UserError(
        f"No encoder {name_or_path!r}{_suggestion(name_or_path)}: give one of {', '.join(NAMED)}, "
        "a torchvision ResNet's .pth file, the folder of a transformers vision model, or a model "
        "of the Hugging Face hub as owner/name."
    )


def _suggestion(name: str) -> str:
    """Guess what was meant, from spellings such as timm's `tf_efficientnet_lite2.in1k`."""
    spelling = name.lower().replace("_", "-").partition(".")[0]
    nearest = get_close_matches(spelling, NAMED, n=1)
    return f" (did you mean {nearest[0]}?)" if nearest else ""


def _resize(backbone: Backbone, size: int, *, name: str) -> Backbone:
    """Show the backbone pictures of another size than it was trained with."""
    step, native = backbone.size_step, backbone.preprocessing.size
    if size > LARGEST_SIZE:
        raise UserError(f"Pictures are seen at {LARGEST_SIZE} pixels at most, not at {size}.")
    if size != native and (size < step or size % step):
        raise UserError(
            f"{name} sees pictures whose side is {native} pixels or a multiple of {step}, "
            f"not {size}; the nearest that fits is {max(1, round(size / step)) * step}."
        )
    return backbone._replace(preprocessing=replace(backbone.preprocessing, size=size))


# transformers takes seconds to import, and those who use our own encoder never need it.


def _load_weight_file(path: Path) -> Backbone:
    if not path.is_file():
        raise UserError(f"{path} does not exist: give a torchvision ResNet's .pth file.")
    from tellapart.features.encoders.resnet import load_torchvision_resnet

    return load_torchvision_resnet(path)


def _load_transformers_vision(name_or_folder: str) -> Backbone:
    from tellapart.features.encoders.transformers_vision import load_transformers_vision

    return load_transformers_vision(name_or_folder)


def _load_resnet_101() -> Backbone:
    from tellapart.features.encoders.resnet import load_hub_resnet_101

    return load_hub_resnet_101()


NAMED: dict[str, Callable[[], Backbone]] = {
    "efficientnet-lite0": lambda: load_efficientnet_lite("efficientnet-lite0"),
    "efficientnet-lite1": lambda: load_efficientnet_lite("efficientnet-lite1"),
    "efficientnet-lite2": lambda: load_efficientnet_lite("efficientnet-lite2"),
    "resnet-101": _load_resnet_101,
}
"""The encoders that need no explanation."""
