"""Any vision model that transformers can load: its patches, or its grid, become the regions.

Reads   a model folder, or a model of the Hugging Face hub, downloaded once
Writes  a backbone; of a model that also reads text (CLIP, SigLIP), the vision half alone
Paper   none: encoders younger than the paper
"""

import inspect
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import snapshot_download
from huggingface_hub.errors import HfHubHTTPError
from jaxtyping import Float
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, PreTrainedConfig, PreTrainedModel
from transformers.utils import logging

from tellapart.errors import UserError
from tellapart.features.encoders.encoder import Backbone, weights_digest
from tellapart.features.encoders.folding import fold_batch_norms
from tellapart.features.encoders.hub_preprocessing import read_preprocessing
from tellapart.features.encoders.preprocessing import Preprocessing


class VisionRegions(nn.Module):
    """A transformers vision model, asked for regions only."""

    def __init__(self, model: nn.Module, config: PreTrainedConfig) -> None:
        super().__init__()
        self.model = model
        self.native_size = _side(config, "image_size")
        self.patch_size = _side(config, "patch_size")
        self.interpolates = (
            "interpolate_pos_encoding" in inspect.signature(model.forward).parameters
        )

    def forward(
        self, pixels: Float[Tensor, "batch 3 side side"]
    ) -> Float[Tensor, "batch regions channels"]:
        """Take the last layer's grid, or its patches without the tokens put before them."""
        size = pixels.shape[-1]
        options = {}
        if self.interpolates and size != self.native_size:
            options["interpolate_pos_encoding"] = True
        seen = self.model(pixel_values=pixels, **options).last_hidden_state
        if seen.ndim == 4:
            return seen.flatten(2).transpose(1, 2)
        return drop_extra_tokens(seen, patches=(size // self.patch_size) ** 2)


def drop_extra_tokens(
    tokens: Float[Tensor, "batch tokens channels"], *, patches: int
) -> Float[Tensor, "batch regions channels"]:
    """Drop class, distillation and register tokens, which all stand before the patches.

    A model that merges patches on its way (Swin) ends with fewer tokens than it had patches, and
    has no others among them.
    """
    extra = max(0, tokens.shape[1] - patches)
    return tokens[:, extra:]


def load_transformers_vision(name_or_folder: str) -> Backbone:
    """Load a model with its weights and its own preprocessing."""
    folder = Path(name_or_folder)
    if not folder.is_dir():
        folder = download_model(name_or_folder)
    preprocessing = read_preprocessing(folder)
    model, learned = _load_model(folder)
    return to_backbone(model, learned, preprocessing)


def to_backbone(
    model: PreTrainedModel, learned: Mapping[str, Tensor], preprocessing: Preprocessing
) -> Backbone:
    """A transformers vision model as a backbone, known by what it learned before any folding."""
    digest = weights_digest(learned)
    fold_batch_norms(model)
    return Backbone(
        network=VisionRegions(model, model.config),
        preprocessing=preprocessing,
        architecture=str(model.config.model_type),
        weights=digest,
        size_step=_size_step(model.config),
    )


def download_model(name: str) -> Path:
    """Fetch a model from the hub, or find it among those fetched before."""
    try:
        return Path(snapshot_download(name, allow_patterns=["*.json", "*.safetensors"]))
    except (OSError, ValueError, HfHubHTTPError) as error:
        raise UserError(
            f"No encoder {name!r}: no such folder is here, no copy was downloaded before, and the "
            "Hugging Face hub does not give it to us now. Check the name and the connection, give "
            "the folder of a model you have, or take efficientnet-lite2, which is always here."
        ) from error


def _load_model(folder: Path) -> tuple[PreTrainedModel, Mapping[str, Tensor]]:
    """Load the vision model of a folder; also give those weights that really were in it."""
    try:
        config = AutoConfig.from_pretrained(folder)
        config = getattr(config, "vision_config", config)
        with _silence():
            model, report = AutoModel.from_pretrained(
                folder, config=config, dtype=torch.float32, output_loading_info=True
            )
    except (ImportError, OSError, ValueError, RuntimeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise UserError(
            f"{folder} does not hold a vision model that transformers can load: {reason}"
        ) from error
    missing = set(report["missing_keys"])
    # Poolers, which stand behind the regions, are often left out of published weights.
    if needed := sorted(key for key in missing if "pooler" not in key):
        raise UserError(
            f"The weights in {folder} are not those of its config.json: {len(needed)} are missing, "
            f"among them {needed[0]}. Give the folder of a whole vision model."
        )
    weights = model.state_dict()
    return model, {key: weight for key, weight in weights.items() if key not in missing}


def _size_step(config: PreTrainedConfig) -> int:
    """A side must hold whole patches; models that halve the grid five times need 32 pixels."""
    merges_patches = hasattr(config, "depths")
    return 32 if merges_patches else _side(config, "patch_size")


def _side(config: PreTrainedConfig, setting: str) -> int:
    """Read a square's side, which some configurations spell as a pair. Grids have none: 32."""
    side: Any = getattr(config, setting, 32)
    return side if isinstance(side, int) else int(side[0])


@contextmanager
def _silence() -> Iterator[None]:
    """Keep transformers from reporting the text half's weights, which we leave out on purpose."""
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
