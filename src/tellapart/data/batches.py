"""Batches: which captions and pictures meet in a training step.

Reads   records with features, the vocabulary
Writes  tensors on the device, and the order in which they are used
Paper   Sec. 3.1: matching happens within a mini-batch
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from tellapart.data.records import Record
from tellapart.data.vocabulary import Vocabulary
from tellapart.errors import UserError


@dataclass(frozen=True)
class CaptionedPictures:
    """Every caption of some pictures, as ids, with the row of its picture's features."""

    captions: Int[Tensor, "captions words"]
    rows: Int[Tensor, " captions"]

    def __len__(self) -> int:
        return len(self.captions)

    def in_folds(self, pictures: int) -> Iterator["CaptionedPictures"]:
        """Parts of exactly so many pictures, in order; what is left over is in none of them."""
        rows = self.rows.unique()
        for start in range(0, len(rows) - pictures + 1, pictures):
            inside = torch.isin(self.rows, rows[start : start + pictures])
            yield CaptionedPictures(self.captions[inside], self.rows[inside])

    def to(self, device: torch.device) -> "CaptionedPictures":
        """The same on another device."""
        return CaptionedPictures(self.captions.to(device), self.rows.to(device))


def gather_captions(
    records: Sequence[Record], vocabulary: Vocabulary, rows: Mapping[str, int]
) -> CaptionedPictures:
    """Encode the captions of the pictures that have features; cut to the longest caption."""
    pairs = [(c, rows[r.id]) for r in records if r.id in rows for c in r.captions]
    if not pairs:
        raise UserError("There are no captioned pictures with features to train on or to test.")
    ids = torch.from_numpy(vocabulary.encode_batch([caption for caption, _ in pairs]))
    longest = int((ids != 0).sum(dim=1).max())
    return CaptionedPictures(ids[:, :longest], torch.tensor([row for _, row in pairs]))


def shuffled_batches(
    count: int, batch_size: int, *, seed: int, epoch: int
) -> Iterator[Int[Tensor, " batch"]]:
    """The numbers below `count` in an order that follows from seed and epoch, batch by batch.

    A last batch of fewer than two is left out: nothing could be compared in it.
    """
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed * 100_003 + epoch))
    for batch in order.split(batch_size):
        if len(batch) > 1:
            yield batch
