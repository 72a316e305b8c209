"""How well captions find their pictures: recall@K, median rank, and recall among look-alikes.

Reads   caption and picture vectors of one joint space (models/retriever.py), L2-normalised
Writes  the rank of each caption's own picture, and what follows from ranks
Paper   Sec. 4.5 "Retrieval performance by generated captions", Table 4

The caption × picture matrix is never whole: at a million pictures it would not fit anywhere.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

BLOCK = 1024
"""Captions compared at once; with 5,000 pictures, twenty megabytes."""

LARGEST_BLOCK = 2**26
"""Numbers in one block; a quarter of a gigabyte. Among a million pictures, that is 67 captions."""


@dataclass(frozen=True)
class Recall:
    """How often the own picture is among the first ones, as shares, and its median rank."""

    at_1: float
    at_5: float
    at_10: float
    median_rank: float


def rank_own_pictures(
    captions: Float[Tensor, "captions space"],
    pictures: Float[Tensor, "pictures space"],
    own: Int[Tensor, " captions"],
    *,
    block: int = BLOCK,
) -> Int[Tensor, " captions"]:
    """Rank of each caption's own picture among all of them, 1 the best.

    A picture as similar as the own one counts as before it: a caption that cannot tell two pictures
    apart has not told them apart. So does one whose similarity is not a number: a broken retriever
    must not look perfect. `own[i]` is the row of caption i's picture.
    """
    block = _fit(block, width=len(pictures))
    ranks = [
        _rank(caption_block @ pictures.T, own_block)
        for caption_block, own_block in zip(captions.split(block), own.split(block), strict=True)
    ]
    return torch.cat(ranks)


def _rank(
    similarity: Float[Tensor, "captions pictures"], own: Int[Tensor, " captions"]
) -> Int[Tensor, " captions"]:
    positive = similarity.gather(1, own[:, None])
    return (~(similarity < positive)).sum(dim=1)  # the own picture is one of them


def rank_own_captions(
    captions: Float[Tensor, "captions space"],
    pictures: Float[Tensor, "pictures space"],
    own: Int[Tensor, " captions"],
    *,
    block: int = BLOCK,
) -> Int[Tensor, " pictures"]:
    """Rank of each picture's best own caption among all captions, 1 the best; ties count against.

    Its other own captions are neither right nor wrong: they do not count. Every picture needs one.
    """
    block = _fit(block, width=len(captions))
    ranks = []
    for start in range(0, len(pictures), block):
        similarity = pictures[start : start + block] @ captions.T
        rows = torch.arange(start, start + len(similarity), device=own.device)
        is_own = own[None, :] == rows[:, None]
        best = similarity.masked_fill(~is_own, -torch.inf).amax(dim=1, keepdim=True)
        ranks.append(1 + (~(similarity < best) & ~is_own).sum(dim=1))
    return torch.cat(ranks)


def summarise_ranks(ranks: Int[Tensor, " captions"]) -> Recall:
    """Recall@1, 5 and 10, and the median rank."""
    if not len(ranks):
        raise ValueError("there are no ranks to summarise")
    at = {k: float((ranks <= k).float().mean()) for k in (1, 5, 10)}
    middle = ranks.sort().values[[(len(ranks) - 1) // 2, len(ranks) // 2]]  # quantile stops at 2^24
    return Recall(at[1], at[5], at[10], float(middle.double().mean()))


def find_look_alikes(
    pictures: Float[Tensor, "pictures space"], *, count: int, block: int = BLOCK
) -> Int[Tensor, "pictures count"]:
    """The pictures most similar to each picture, itself left out: its bag of look-alikes."""
    if not 0 < count < len(pictures):
        raise ValueError(f"{len(pictures)} pictures have no {count} look-alikes each")
    block = _fit(block, width=len(pictures))
    bags = []
    for start in range(0, len(pictures), block):
        similarity = pictures[start : start + block] @ pictures.T
        rows = torch.arange(len(similarity), device=pictures.device)
        similarity[rows, rows + start] = -torch.inf
        bags.append(similarity.topk(count, dim=1).indices)
    return torch.cat(bags)


def rank_among_look_alikes(
    captions: Float[Tensor, "captions space"],
    pictures: Float[Tensor, "pictures space"],
    own: Int[Tensor, " captions"],
    bags: Int[Tensor, "pictures count"],
    *,
    block: int = BLOCK,
) -> Int[Tensor, " captions"]:
    """Rank of each caption's own picture among its look-alikes alone: 1 to count + 1."""
    block = _fit(block, width=(bags.shape[1] + 1) * pictures.shape[1])
    ranks = []
    for caption_block, own_block in zip(captions.split(block), own.split(block), strict=True):
        candidates = torch.cat([own_block[:, None], bags[own_block]], dim=1)
        similarity = torch.einsum("cs,cps->cp", caption_block, pictures[candidates])
        ranks.append(_rank(similarity, torch.zeros_like(own_block)))
    return torch.cat(ranks)


def _fit(block: int, *, width: int) -> int:
    """As many rows as asked for, or as fit at this width."""
    return max(1, min(block, LARGEST_BLOCK // max(width, 1)))
