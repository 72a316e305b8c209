"""The self-retrieval module: captions and pictures in one joint space.

Reads   word ids, and picture features (the mean of an encoder's regions)
Writes  vectors of length one, whose inner product is the similarity s(c, v)
Paper   Sec. 3.1 "Self-retrieval module", Sec. 4.2: both are projected to 1024 dimensions

One thing is not in the paper: a picture's features are centred and scaled, channel by channel, by
what the training pictures have. They are all positive, so without that every picture points the
same way, and training with the hardest negative sits at its plateau from the first step to the
last, at a loss of the margin per caption and direction (PLATEAU in pipeline/retriever.py).
"""

from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import normalize

from tellapart.models.caption_encoder import CaptionEncoder
from tellapart.models.folders import ModelFolder, load_model


class Retriever(nn.Module):
    """Two encoders that meet: the caption's GRU and the picture's projection."""

    feature_mean: Tensor
    feature_scale: Tensor

    def __init__(
        self,
        *,
        vocabulary_size: int,
        channels: int,
        word_size: int = 300,
        state_size: int = 1024,
        space_size: int = 1024,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.caption_encoder = CaptionEncoder(
            vocabulary_size=vocabulary_size, word_size=word_size, state_size=state_size
        )
        self.dropout = nn.Dropout(dropout)
        self.caption_projection = nn.Linear(state_size, space_size)
        self.picture_projection = nn.Linear(channels, space_size)
        self.register_buffer("feature_mean", torch.zeros(channels))
        self.register_buffer("feature_scale", torch.ones(channels))
        for projection in (self.caption_projection, self.picture_projection):
            nn.init.xavier_uniform_(projection.weight)
            nn.init.zeros_(projection.bias)

    @torch.no_grad()
    def fit_features(self, features: Float[Tensor, "pictures channels"]) -> None:
        """Learn the channels' means and spreads from the training pictures."""
        self.feature_mean.copy_(features.mean(dim=0))
        self.feature_scale.copy_(features.std(dim=0).clamp(min=1e-3))

    def embed_captions(
        self, captions: Int[Tensor, "captions words"]
    ) -> Float[Tensor, "captions space"]:
        """Captions as directions in the joint space."""
        states = self.dropout(self.caption_encoder(captions))
        return normalize(self.caption_projection(states), dim=1)

    def embed_pictures(
        self, features: Float[Tensor, "pictures channels"]
    ) -> Float[Tensor, "pictures space"]:
        """Pictures as directions in the joint space."""
        centred = (features - self.feature_mean) / self.feature_scale
        return normalize(self.picture_projection(self.dropout(centred)), dim=1)

    @classmethod
    def from_folder(cls, folder: Path) -> tuple["Retriever", ModelFolder]:
        """A trained retriever, and what else its folder holds."""
        model = load_model(folder, "retriever")
        retriever = cls(**model.sizes)
        retriever.load_state_dict(dict(model.weights))
        return retriever.eval(), model

    def forward(
        self,
        captions: Int[Tensor, "captions words"],
        features: Float[Tensor, "pictures channels"],
    ) -> Float[Tensor, "captions pictures"]:
        """The similarity of every caption and every picture: the cosine of their directions."""
        return self.embed_captions(captions) @ self.embed_pictures(features).T
