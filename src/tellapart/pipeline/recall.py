"""How well a retriever finds pictures by captions and captions by pictures.

Reads   a retriever, features, captions
Writes  recall@1, 5, 10 and median rank in both directions
Paper   Sec. 4.2; the 1k and 5k protocols are those of VSE++ (Faghri et al. 2017)
"""

from collections.abc import Mapping
from dataclasses import asdict
from statistics import fmean
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from tellapart.data.batches import CaptionedPictures
from tellapart.metrics.retrieval import (
    Recall,
    rank_own_captions,
    rank_own_pictures,
    summarise_ranks,
)
from tellapart.models.retriever import Retriever

FOLD = 1000
"""Pictures per fold in the 1k protocol; all of a split at once is the 5k protocol on COCO."""


@torch.no_grad()
def measure_recall(
    retriever: Retriever, features: Float[Tensor, "pictures channels"], captioned: CaptionedPictures
) -> dict[str, Any]:
    """Recall in both directions over one split, and the sum by which epochs are compared."""
    retriever.eval()
    rows, own = captioned.rows.unique(return_inverse=True)
    captions = torch.cat(
        [retriever.embed_captions(part) for part in captioned.captions.split(4096)]
    )
    pictures = retriever.embed_pictures(features[rows])
    to_pictures = summarise_ranks(rank_own_pictures(captions, pictures, own))
    to_captions = summarise_ranks(rank_own_captions(captions, pictures, own))
    return {
        "caption to picture": asdict(to_pictures),
        "picture to caption": asdict(to_captions),
        "recall sum": _sum(to_pictures) + _sum(to_captions),
    }


def measure_splits(
    retriever: Retriever,
    features: Float[Tensor, "pictures channels"],
    splits: Mapping[str, CaptionedPictures | None],
) -> dict[str, Any]:
    """Recall on each split; from 2,000 pictures on also as the mean over folds of 1,000."""
    found = {}
    for name, captioned in splits.items():
        if captioned is None:
            continue
        found[name] = measure_recall(retriever, features, captioned)
        folds = list(captioned.in_folds(FOLD))
        if len(folds) > 1:
            each = [measure_recall(retriever, features, fold) for fold in folds]
            found[f"{name}, folds of {FOLD:,}"] = _mean(each)
    return found


def _mean(measurements: list[dict[str, Any]]) -> dict[str, Any]:
    """The mean of measurements of one shape, number by number."""
    first = measurements[0]
    return {
        key: _mean([m[key] for m in measurements])
        if isinstance(value, dict)
        else fmean(m[key] for m in measurements)
        for key, value in first.items()
    }


def _sum(recall: Recall) -> float:
    return recall.at_1 + recall.at_5 + recall.at_10
