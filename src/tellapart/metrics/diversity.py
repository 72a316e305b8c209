"""How varied captions are: unique, distinct, novel, and how many words they use.

Reads   captions as words (one each for a set of pictures), and perhaps the training captions
Writes  shares between 0 and 1
Paper   Sec. 4.5 "Uniqueness and novelty evaluation", Table 4
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tellapart.metrics.ngrams import Words


@dataclass(frozen=True)
class Diversity:
    """How much captions differ from each other and from what was trained on."""

    unique: float
    """Share of the captions that no other picture has."""

    distinct: float
    """Different captions, as a share of all."""

    novel: float | None
    """Share of the captions that are no training caption; None if none were given."""

    vocabulary: int
    """Different words used."""


def measure_diversity(
    captions: Sequence[Words], *, training: Iterable[Words] | None = None
) -> Diversity:
    """Compare the captions with each other, and with the training captions, word by word."""
    if not captions:
        raise ValueError("there are no captions to compare")
    counts = Counter(map(tuple, captions))
    return Diversity(
        unique=sum(count == 1 for count in counts.values()) / len(captions),
        distinct=len(counts) / len(captions),
        novel=None if training is None else _share_novel(counts, training),
        vocabulary=len({word for caption in counts for word in caption}),
    )


def _share_novel(counts: Counter[tuple[str, ...]], training: Iterable[Words]) -> float:
    seen = {caption for caption in map(tuple, training) if caption in counts}
    return 1 - sum(counts[caption] for caption in seen) / counts.total()
