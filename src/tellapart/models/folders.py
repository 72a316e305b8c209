"""Model folders: weights and all that is needed to use them.

Reads   `config.json` · `model.safetensors` · `vocabulary/`
Writes  the same; `config.json` last, so that a folder with it is whole
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors.torch
from safetensors import SafetensorError
from torch import Tensor, nn

from tellapart.artefacts import read_json, replace_file, write_json
from tellapart.data.vocabulary import Vocabulary
from tellapart.errors import UserError


@dataclass(frozen=True)
class ModelFolder:
    """What a model folder holds, the network itself left to whoever knows its kind."""

    sizes: Mapping[str, Any]
    """Keyword arguments the network was built with."""

    weights: Mapping[str, Tensor]
    vocabulary: Vocabulary
    encoder: Mapping[str, Any]
    """Description of the image encoder whose features the model reads."""


def save_model(
    folder: Path,
    kind: str,
    network: nn.Module,
    *,
    sizes: Mapping[str, Any],
    vocabulary: Vocabulary,
    encoder: Mapping[str, Any],
    training: Mapping[str, Any],
) -> None:
    """Write a model folder; `training` says how the weights came about."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").unlink(missing_ok=True)
    vocabulary.save(folder / "vocabulary")
    write_tensors(folder / "model.safetensors", network.state_dict())
    config = {
        "kind": kind,
        "sizes": dict(sizes),
        "vocabulary": vocabulary.fingerprint,
        "encoder": dict(encoder),
        "training": dict(training),
    }
    write_json(folder / "config.json", config)


def load_model(folder: Path, kind: str) -> ModelFolder:
    """Read a model folder of this kind, or say what is wrong with it."""
    if not (folder / "config.json").exists():
        raise UserError(f"{folder} holds no finished {kind}: its config.json is missing.")
    config = read_json(folder / "config.json")
    if config.get("kind") != kind:
        raise UserError(f"{folder} holds a {config.get('kind')}, not a {kind}.")
    vocabulary = Vocabulary.load(folder / "vocabulary")
    vocabulary.require(config.get("vocabulary"), artefact=str(folder))
    return ModelFolder(
        sizes=config["sizes"],
        weights=read_tensors(folder / "model.safetensors"),
        vocabulary=vocabulary,
        encoder=config["encoder"],
    )


def write_tensors(
    path: Path, tensors: Mapping[str, Tensor], *, notes: Mapping[str, str] | None = None
) -> None:
    """Write tensors to one safetensors file, in one step; `notes` travel in its header."""
    contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    replace_file(path, safetensors.torch.save(contiguous, metadata=dict(notes or {})))


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Read a safetensors file, or say in one sentence why that cannot be done."""
    try:
        return safetensors.torch.load_file(path)
    except FileNotFoundError:
        raise UserError(f"{path} does not exist.") from None
    except (SafetensorError, OSError) as error:
        raise UserError(f"{path} is damaged: {error}.") from None
