"""Fluency guards: what goes wrong first when a reward is chased too hard.

Reads   captions as words
Writes  mean length and three shares, to be logged beside every reward

A reward for telling pictures apart buys lists of attributes if one lets it: "a red hat is wearing a
red hat with a". These four numbers are cheap, need no reference, and move before CIDEr does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from tellapart.metrics.ngrams import Words

CANNOT_END = frozenset(
    """
    a an the this that these those my your his its our their some any each every no
    against among as at before beneath between during for from into like of onto than
    to toward towards until upon via with within without
    and or but nor while when where which who whose because if
    is are was were be been am being has have had do does did will would can could
    """.split()
)
"""Words after which an English caption is not over. Those that may well end one are left out:
people look on, birds fly above."""

SMALL_WORDS = CANNOT_END | set("it there he she they her one two 's other not in on by up".split())
"""Words that may well occur twice in a good caption."""

UNKNOWN_WORDS = frozenset({"<unk>", "unk"})


@dataclass(frozen=True)
class Fluency:
    """Signs of broken language; all but the length should be near zero."""

    length: float
    """Words per caption, on average."""

    bad_endings: float
    """Share of captions that stop in the middle of a phrase."""

    repeated: float
    """Share of words that say again what their caption has said, small words not counted."""

    unknown: float
    """Share of words outside the vocabulary."""


def measure_fluency(captions: Sequence[Words]) -> Fluency:
    """Look for endings, repetitions and unknown words that people do not write."""
    if not captions:
        raise ValueError("there are no captions to look at")
    words = [word for caption in captions for word in caption]
    return Fluency(
        length=fmean(map(len, captions)),
        bad_endings=fmean(bool(caption) and caption[-1] in CANNOT_END for caption in captions),
        repeated=sum(map(_count_repeated, captions)) / max(len(words), 1),
        unknown=sum(word in UNKNOWN_WORDS for word in words) / max(len(words), 1),
    )


def _count_repeated(caption: Words) -> int:
    telling = [word for word in caption if word not in SMALL_WORDS]
    return len(telling) - len(set(telling))
