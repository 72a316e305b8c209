"""Where to compute, and what is drawn at random there."""

import torch

from tellapart.errors import UserError


def choose_device(name: str = "auto") -> torch.device:
    """The device of that name; `auto` is a GPU where there is one, else the CPU."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError):
        raise UserError(
            f"The device {name!r} is not available here; use --device cpu or leave it out."
        ) from None
    return device
