"""ROUGE-L: how much of a caption stands in a reference, in the same order.

Reads   captions and references as words (ptb_tokeniser)
Writes  one score, of the corpus and of each caption
Paper   Sec. 4.1; Lin 2004

Equal to the COCO evaluation's: best precision and best recall over the references, perhaps of two
different ones, and a caption without words is one empty word.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from tellapart.metrics.ngrams import CorpusScore, Words, require_references

BETA = 1.2
"""How much more recall counts than precision."""


def rouge_l(candidates: Sequence[Words], references: Sequence[Sequence[Words]]) -> CorpusScore:
    """Score one caption per picture against the picture's references."""
    require_references(candidates, references)
    pairs = zip(candidates, references, strict=True)
    scores = np.array([_score(candidate, each) for candidate, each in pairs])
    return CorpusScore(float(scores.mean()), scores)


def longest_common_subsequences(candidate: Words, references: Sequence[Words]) -> list[int]:
    """Give the length of the longest common subsequence with each reference.

    The usual table of lengths, one row per word of the reference, held as differences in the bits
    of an integer: a row is a few operations (Hyyrö 2004). A cleared bit is one word in common.
    """
    places: defaultdict[str, int] = defaultdict(int)
    for place, word in enumerate(candidate):
        places[word] |= 1 << place
    every_place = (1 << len(candidate)) - 1
    found = []
    for reference in references:
        row = every_place
        for word in reference:
            matches = row & places.get(word, 0)
            row = (row + matches) | (row - matches)
        found.append(len(candidate) - (row & every_place).bit_count())
    return found


def _score(candidate: Words, references: Sequence[Words]) -> float:
    candidate = candidate or [""]
    references = [reference or [""] for reference in references]
    common = longest_common_subsequences(candidate, references)
    precision = max(common) / len(candidate)
    recall = max(
        length / len(reference) for length, reference in zip(common, references, strict=True)
    )
    if not precision:
        return 0.0
    return (1 + BETA**2) * precision * recall / (recall + BETA**2 * precision)
