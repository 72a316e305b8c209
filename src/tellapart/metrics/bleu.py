"""BLEU-1 to BLEU-4: how many n-grams of a caption its references have too.

Reads   captions and references as words (ptb_tokeniser)
Writes  four scores, of the corpus and of each caption
Paper   Sec. 4.1; Papineni et al. 2002

Equal to the COCO evaluation's: the reference length is the one closest to the caption's, and two
tiny constants, `NUMERATOR` and `DENOMINATOR`, stand in for smoothing.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int

from tellapart.metrics.ngrams import (
    ORDERS,
    Comparison,
    CorpusScore,
    NgramTable,
    Words,
    compare,
    find_rows,
)

NUMERATOR = 1e-15
DENOMINATOR = 1e-9


def bleu(
    candidates: Sequence[Words], references: Sequence[Sequence[Words]]
) -> tuple[CorpusScore, ...]:
    """Score one caption per picture against the picture's references: BLEU-1, ..., BLEU-4."""
    return bleu_of(compare(candidates, references))


def bleu_of(comparison: Comparison) -> tuple[CorpusScore, ...]:
    """Score captions whose n-grams are counted already: BLEU-1, ..., BLEU-4."""
    lengths = comparison.candidate_lengths
    correct = np.stack([_count_correct(table, len(lengths)) for table in comparison.tables], axis=1)
    guessed = np.maximum(lengths[:, None] - np.arange(ORDERS), 0)
    closest = _closest_reference_lengths(comparison)
    each = _combine(correct, guessed, lengths, closest)
    corpus = _combine(
        correct.sum(axis=0, keepdims=True),
        guessed.sum(axis=0, keepdims=True),
        lengths.sum(keepdims=True),
        closest.sum(keepdims=True),
    )
    return tuple(CorpusScore(float(corpus[0, n]), each[:, n]) for n in range(ORDERS))


def _count_correct(table: NgramTable, captions: int) -> Int[np.ndarray, " captions"]:
    """Count each caption's n-grams, every one at most as often as some reference has it."""
    candidates = table.candidates
    found, rows = find_rows(candidates, table.pictures, ngrams=len(table.spellings))
    correct = np.minimum(candidates.counts[found], table.pictures.counts[rows])
    return np.bincount(candidates.texts[found], weights=correct, minlength=captions).astype(int)


def _closest_reference_lengths(comparison: Comparison) -> Int[np.ndarray, " pictures"]:
    """Give the reference length closest to each caption's; the shorter one of two as close."""
    lengths = comparison.reference_lengths
    distance = np.abs(lengths - comparison.candidate_lengths[comparison.pictures])
    order = np.lexsort((lengths, distance, comparison.pictures))
    first = np.searchsorted(comparison.pictures, np.arange(len(comparison.candidate_lengths)))
    return lengths[order[first]]


def _combine(
    correct: Int[np.ndarray, "rows orders"],
    guessed: Int[np.ndarray, "rows orders"],
    lengths: Int[np.ndarray, " rows"],
    reference_lengths: Int[np.ndarray, " rows"],
) -> Float[np.ndarray, "rows orders"]:
    """Geometric mean of the precisions up to each n, times the penalty for short captions."""
    precisions = (correct + NUMERATOR) / (guessed + DENOMINATOR)
    means = np.cumprod(precisions, axis=1) ** (1 / np.arange(1, ORDERS + 1))
    ratio = (lengths + NUMERATOR) / (reference_lengths + DENOMINATOR)
    penalty = np.exp(np.minimum(1 - 1 / ratio, 0))
    return means * penalty[:, None]
