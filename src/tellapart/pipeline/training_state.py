"""Where a training run stands, so that one that was killed goes on as if nothing had happened.

Reads   `state.safetensors`
Writes  the same after every epoch, in one step: weights, optimiser, schedule, random numbers, and
        what was measured so far. Shuffling needs no state: it follows from seed and epoch.
"""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch import Tensor, nn
from torch.optim import Optimizer

from tellapart.artefacts import require_same
from tellapart.errors import UserError
from tellapart.models.folders import read_tensors, write_tensors

Progress = dict[str, Any]
"""Epochs done, the best score, measurements: whatever JSON can hold."""


def save_state(
    path: Path,
    network: nn.Module,
    optimizer: Optimizer,
    progress: Progress,
    *,
    inputs: dict[str, Any],
) -> None:
    """Write everything the rest of the run depends on. `inputs` say what the run was made from."""
    tensors = {f"network/{name}": value for name, value in network.state_dict().items()}
    for number, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer/{number}/{name}": value for name, value in state.items()}
    tensors["random"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random-cuda"] = torch.cuda.get_rng_state()
    rates = [group["lr"] for group in optimizer.param_groups]
    notes = {"progress": progress, "rates": rates, "inputs": inputs}
    write_tensors(path, tensors, notes={key: json.dumps(value) for key, value in notes.items()})


def load_state(
    path: Path, network: nn.Module, optimizer: Optimizer, *, inputs: dict[str, Any]
) -> Progress | None:
    """Put a run back where it stood; None if it has not begun. Other inputs are refused."""
    if not path.exists():
        return None
    tensors = read_tensors(path)
    try:
        with safe_open(path, framework="pt") as file:
            notes = {key: json.loads(value) for key, value in file.metadata().items()}
    except ValueError as error:
        raise UserError(f"{path} is damaged: {error}.") from None
    require_same(
        inputs,
        notes["inputs"],
        artefact=f"The unfinished training in {path.parent}",
        advice="Give the same settings again, or choose another --out.",
    )
    network.load_state_dict(_below(tensors, "network/"))
    _load_optimizer(optimizer, _below(tensors, "optimizer/"), notes["rates"])
    torch.set_rng_state(tensors["random"])
    if "random-cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["random-cuda"])
    return notes["progress"]


def _load_optimizer(optimizer: Optimizer, tensors: dict[str, Tensor], rates: list[float]) -> None:
    state = optimizer.state_dict()
    for name, value in tensors.items():
        number, _, what = name.partition("/")
        state["state"].setdefault(int(number), {})[what] = value
    for group, rate in zip(state["param_groups"], rates, strict=True):
        group["lr"] = rate
    optimizer.load_state_dict(state)


def _below(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}
