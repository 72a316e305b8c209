"""Tiny models of many families, saved and loaded: which tokens become regions, and at what size."""

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from torch import Tensor

from tellapart.artefacts import write_json
from tellapart.errors import UserError
from tellapart.features.encoders import load_encoder
from tellapart.features.encoders.transformers_vision import drop_extra_tokens

SMALL: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "image_size": 32,
    "patch_size": 8,
}
SMALL_TEXT = {"vocab_size": 99, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
PICTURES = {"size": {"height": 32, "width": 32}, "image_mean": [0.5] * 3, "image_std": [0.5] * 3}


def small_grid(family: str) -> dict[str, Any]:
    sizes = {"hidden_sizes": [8, 16, 24, 32], "depths": [1, 1, 1, 1]}
    return {**sizes, "embedding_size": 8} if family == "ResNet" else sizes


def save(model: transformers.PreTrainedModel, folder: Path) -> str:
    model.eval().save_pretrained(folder)
    write_json(folder / "preprocessor_config.json", PICTURES)
    return str(folder)


def normalised(pixels: Tensor) -> Tensor:
    return pixels / 127.5 - 1


@pytest.fixture
def pixels() -> Tensor:
    torch.manual_seed(0)
    return torch.randint(0, 256, (2, 3, 32, 32), dtype=torch.uint8)


@pytest.mark.parametrize(
    ("family", "settings", "extra"),
    [
        ("ViT", SMALL, 1),
        ("DeiT", SMALL, 2),
        ("Dinov2", SMALL, 1),
        ("Dinov2WithRegisters", {**SMALL, "num_register_tokens": 3}, 4),
        ("CLIPVision", SMALL, 1),
        ("SiglipVision", SMALL, 0),
    ],
)
@torch.inference_mode()
def test_patches_are_the_regions(tmp_path: Path, pixels: Tensor, family, settings, extra):
    config = getattr(transformers, f"{family}Config")(**settings)
    model = getattr(transformers, f"{family}Model")(config)
    encoder = load_encoder(save(model, tmp_path))
    tokens = model(pixel_values=normalised(pixels)).last_hidden_state
    assert tokens.shape[1] == 16 + extra
    assert (encoder.regions, encoder.channels) == (16, 32)
    torch.testing.assert_close(encoder.encode(pixels), tokens[:, extra:], atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("family", ["ResNet", "ConvNext"])
@torch.inference_mode()
def test_grids_are_flattened(tmp_path: Path, family: str):
    config = getattr(transformers, f"{family}Config")(**small_grid(family))
    model = getattr(transformers, f"{family}Model")(config)
    encoder = load_encoder(save(model, tmp_path), size=64)
    pixels = torch.randint(0, 256, (2, 3, 64, 64), dtype=torch.uint8)
    grid = model(normalised(pixels)).last_hidden_state
    assert (encoder.regions, encoder.channels) == (4, 32)
    expected = grid.flatten(2).transpose(1, 2)
    torch.testing.assert_close(encoder.encode(pixels), expected, atol=1e-4, rtol=1e-4)


def test_merged_patches_are_all_kept(tmp_path: Path):
    config = transformers.SwinConfig(
        image_size=32, patch_size=4, embed_dim=8, depths=[1, 1], num_heads=[1, 2], window_size=2
    )
    encoder = load_encoder(save(transformers.SwinModel(config), tmp_path))
    assert (encoder.regions, encoder.channels) == (16, 16)


@pytest.mark.parametrize("family", ["CLIP", "Siglip"])
@torch.inference_mode()
def test_of_a_model_that_reads_only_the_vision_half_is_taken(
    tmp_path: Path, pixels: Tensor, family: str, capfd: pytest.CaptureFixture
):
    config = getattr(transformers, f"{family}Config")(
        vision_config=SMALL, text_config={**SMALL, **SMALL_TEXT}
    )
    model = getattr(transformers, f"{family}Model")(config)
    folder = save(model, tmp_path)
    capfd.readouterr()
    encoder = load_encoder(folder)
    assert capfd.readouterr().err == ""
    tokens = model.vision_model(normalised(pixels)).last_hidden_state
    torch.testing.assert_close(encoder.encode(pixels), tokens[:, -16:], atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("family", ["ViT", "CLIPVision", "Dinov2"])
def test_another_size_gives_more_regions(tmp_path: Path, family: str):
    config = getattr(transformers, f"{family}Config")(**SMALL)
    folder = save(getattr(transformers, f"{family}Model")(config), tmp_path)
    encoder = load_encoder(folder, size=48)
    assert encoder.regions == 36
    assert encoder.fingerprint != load_encoder(folder).fingerprint
    with pytest.raises(UserError, match="a multiple of 8, not 50; the nearest that fits is 48"):
        load_encoder(folder, size=50)


def test_a_pooler_that_was_never_saved_does_not_matter(tmp_path: Path):
    """Its weights are drawn anew at every load, and stand behind the regions."""
    model = transformers.ViTModel(transformers.ViTConfig(**SMALL), add_pooling_layer=False)
    folder = save(model, tmp_path)
    assert load_encoder(folder).fingerprint == load_encoder(folder).fingerprint


def test_weights_of_another_model_are_refused(tmp_path: Path):
    save(transformers.ViTModel(transformers.ViTConfig(**SMALL)), tmp_path)
    transformers.ViTConfig(**{**SMALL, "num_hidden_layers": 3}).save_pretrained(tmp_path)
    with pytest.raises(UserError, match=r"not those of its config\.json: \d+ are missing"):
        load_encoder(str(tmp_path))


def test_a_folder_without_a_model_is_refused(tmp_path: Path):
    write_json(tmp_path / "preprocessor_config.json", PICTURES)
    with pytest.raises(UserError, match="does not hold a vision model"):
        load_encoder(str(tmp_path))


@pytest.mark.parametrize(("tokens", "kept"), [(16, 16), (17, 16), (21, 16), (4, 4)])
def test_extra_tokens_stand_in_front(tokens: int, kept: int):
    numbered = torch.arange(float(tokens)).view(1, tokens, 1)
    assert drop_extra_tokens(numbered, patches=16).flatten().tolist() == list(
        range(tokens - kept, tokens)
    )
