"""Stage: pictures → an index that answers sentences.

Reads   pictures and a trained retriever
Writes  a feature store (features/store.py) with one vector a picture, its place in the joint space,
        and `pictures.json`, where each picture is
Paper   Sec. 3.1 "Self-retrieval module"

To see a picture and then to place it in the joint space is an encoder too, one with a single
region. So an index is a feature store, and has all of its virtues: a kill loses one batch, a bad
picture is skipped and listed, another retriever is refused.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tellapart.artefacts import fingerprint, write_json
from tellapart.data.records import Record
from tellapart.errors import UserError
from tellapart.features.encoders import Encoder, load_encoder
from tellapart.features.encoders.encoder import weights_digest
from tellapart.features.extraction import extract_features
from tellapart.features.store import FeatureStore
from tellapart.models.folders import ModelFolder
from tellapart.models.retriever import Retriever


class JointSpaceEncoder(nn.Module):
    """Normalised pixels in, one vector of the joint space out."""

    def __init__(self, network: nn.Module, retriever: Retriever) -> None:
        super().__init__()
        self.network = network
        self.retriever = retriever

    def forward(self, pixels: Float[Tensor, "batch 3 side side"]) -> Float[Tensor, "batch 1 space"]:
        """See the picture, average its regions, place them."""
        regions = self.network(pixels).float()
        return self.retriever.embed_pictures(regions.mean(dim=1))[:, None]


def load_joint_encoder(
    retriever: Retriever, model: ModelFolder, *, device: torch.device
) -> Encoder:
    """The retriever's own image encoder, followed by its picture projection."""
    described = model.encoder
    encoder = load_encoder(
        described["name"], size=described["preprocessing"]["size"], device=str(device)
    )
    if encoder.fingerprint != described["fingerprint"]:
        raise UserError(
            f"The retriever was trained with another {described['name']} "
            f"({described['fingerprint']}, here {encoder.fingerprint}); train it again."
        )
    return Encoder(
        name=f"{encoder.name} + retriever",
        network=JointSpaceEncoder(encoder.network, retriever.to(device)),
        preprocessing=encoder.preprocessing,
        regions=1,
        channels=retriever.picture_projection.out_features,
        fingerprint=fingerprint([encoder.fingerprint, weights_digest(retriever.state_dict())]),
    )


def make_index(
    records: Sequence[Record], encoder: Encoder, folder: Path, *, quiet: bool = False
) -> FeatureStore:
    """Place every picture in the joint space, or finish what was begun."""
    extract_features(records, encoder, folder, quiet=quiet)
    write_json(folder / "pictures.json", {r.id: str(r.picture.absolute()) for r in records})
    return FeatureStore.open(folder)
