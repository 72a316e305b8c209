"""CIDEr-D: how much a caption agrees with its references on the words that matter.

Reads   captions and references as words (ptb_tokeniser), perhaps document frequencies
Writes  one score, of the corpus and of each caption; 1.17 is what papers print as 117
Paper   Sec. 4.1, and the reward of Sec. 3.1; Vedantam et al. 2015

Equal to the COCO evaluation's, quirks kept: the length that is compared is the number of bigrams,
and an n-gram that no picture's references hold weighs as one that a single picture's hold.
Document frequencies come from the references of the captions scored. Where those are few they say
nothing (for one picture every score is zero), so frequencies of a larger corpus may be given.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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
    spell,
)

SIGMA = 6.0
"""Width of the penalty for a difference in length, in words."""

SCALE = 10.0


@dataclass(frozen=True)
class DocumentFrequencies:
    """In how many pictures' references each n-gram occurs."""

    pictures: int
    counts: Mapping[str, int]
    """By n-gram of one to four words, with a space between words."""


def count_documents(references: Sequence[Sequence[Words]]) -> DocumentFrequencies:
    """Count in how many pictures' references each n-gram occurs."""
    comparison = compare([[] for _ in references], references)
    counts = {}
    for order, table in enumerate(comparison.tables, start=1):
        frequencies = _document_frequencies(table)
        counts |= zip(spell(comparison, order), frequencies.tolist(), strict=True)
    return DocumentFrequencies(pictures=len(references), counts=counts)


def cider(
    candidates: Sequence[Words],
    references: Sequence[Sequence[Words]],
    *,
    document_frequencies: DocumentFrequencies | None = None,
) -> CorpusScore:
    """Score one caption per picture against the picture's references."""
    return cider_of(compare(candidates, references), document_frequencies=document_frequencies)


def cider_of(
    comparison: Comparison, *, document_frequencies: DocumentFrequencies | None = None
) -> CorpusScore:
    """Score captions whose n-grams are counted already."""
    similarities = [
        _similarity(table, rarity, comparison)
        for table, rarity in zip(
            comparison.tables, _rarities(comparison, document_frequencies), strict=True
        )
    ]
    per_reference = np.mean(similarities, axis=0) * _length_agreement(comparison)
    captions = len(comparison.candidate_lengths)
    totals = np.bincount(comparison.pictures, weights=per_reference, minlength=captions)
    scores = SCALE * totals / np.bincount(comparison.pictures, minlength=captions)
    return CorpusScore(float(scores.mean()), scores)


def _rarities(
    comparison: Comparison, known: DocumentFrequencies | None
) -> list[Float[np.ndarray, " _"]]:
    """Weigh each n-gram: log(pictures / document frequency), a list of weights for each n."""
    if known is None:
        pictures = len(comparison.candidate_lengths)
        found = [_document_frequencies(table) for table in comparison.tables]
    else:
        pictures = known.pictures
        found = [
            np.array([known.counts.get(ngram, 0) for ngram in spell(comparison, order)])
            for order in range(1, ORDERS + 1)
        ]
    return [np.log(pictures) - np.log(np.maximum(frequencies, 1)) for frequencies in found]


def _document_frequencies(table: NgramTable) -> Int[np.ndarray, " ngrams"]:
    return np.bincount(table.pictures.ngrams, minlength=len(table.spellings))


def _similarity(
    table: NgramTable, rarity: Float[np.ndarray, " ngrams"], comparison: Comparison
) -> Float[np.ndarray, " references"]:
    """Compare each reference with its candidate: cosine of tf-idf vectors, counts clipped."""
    pictures = comparison.pictures
    candidates, references = table.candidates, table.references
    weights = candidates.counts * rarity[candidates.ngrams]
    reference_weights = references.counts * rarity[references.ngrams]
    sought = replace(references, texts=pictures[references.texts])
    found, rows = find_rows(sought, candidates, ngrams=len(rarity))
    shared = np.minimum(weights[rows], reference_weights[found]) * reference_weights[found]
    product = _sum_by(references.texts[found], shared, texts=len(pictures))
    captions = len(comparison.candidate_lengths)
    norms = np.sqrt(
        _sum_by(candidates.texts, weights**2, texts=captions)[pictures]
        * _sum_by(references.texts, reference_weights**2, texts=len(pictures))
    )
    return np.divide(product, norms, out=product, where=norms != 0)


def _sum_by(
    owners: Int[np.ndarray, " rows"], values: Float[np.ndarray, " rows"], *, texts: int
) -> Float[np.ndarray, " texts"]:
    # Of no rows at all, bincount makes integers.
    return np.bincount(owners, weights=values, minlength=texts).astype(float)


def _length_agreement(comparison: Comparison) -> Float[np.ndarray, " references"]:
    """Give 1 for references as long as their candidate, less for others."""
    bigrams = np.maximum(comparison.candidate_lengths - 1, 0)[comparison.pictures]
    difference = bigrams - np.maximum(comparison.reference_lengths - 1, 0)
    return np.exp(-(difference**2) / (2 * SIGMA**2))
