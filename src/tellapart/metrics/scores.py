"""All scores of a set of captions, by the names people know them by.

Reads   captions and references as people wrote them
Writes  a table of scores between 0 and 1 (CIDEr may exceed it); one that cannot run has its reason
Paper   Sec. 4.1 and Tables 1 to 4
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from tellapart.metrics.bleu import bleu_of
from tellapart.metrics.cider import DocumentFrequencies, cider_of
from tellapart.metrics.diversity import measure_diversity
from tellapart.metrics.fluency import measure_fluency
from tellapart.metrics.java import CannotRun
from tellapart.metrics.meteor import meteor
from tellapart.metrics.ngrams import CorpusScore, Words, compare
from tellapart.metrics.ptb_tokeniser import tokenise_all
from tellapart.metrics.rouge import rouge_l
from tellapart.metrics.spice import spice

METRICS = ("BLEU", "METEOR", "ROUGE-L", "CIDEr", "SPICE")
"""In the order in which they are computed and shown."""


@dataclass(frozen=True)
class Scores:
    """Scores by name; `None` where a metric could not run, and then `reasons` says why."""

    values: dict[str, float | None]
    per_caption: dict[str, Sequence[float]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)


def tokenise_references(references: Sequence[Sequence[str]]) -> list[list[list[str]]]:
    """Tokenise every picture's references in one go."""
    flat = iter(tokenise_all([caption for captions in references for caption in captions]))
    return [[next(flat) for _ in captions] for captions in references]


def score_captions(
    candidates: Sequence[Words],
    references: Sequence[Sequence[Words]],
    *,
    metrics: Sequence[str] = METRICS,
    document_frequencies: DocumentFrequencies | None = None,
    corenlp: Path | None = None,
) -> Scores:
    """The standard scores, one caption per picture; n-grams are counted once for all of them."""
    if unknown := set(metrics) - set(METRICS):
        raise ValueError(f"there is no metric {', '.join(sorted(unknown))}")
    counted = cache(partial(compare, candidates, references))  # METEOR alone does without
    computations: dict[str, Callable[[], dict[str, CorpusScore]]] = {
        "BLEU": lambda: {f"BLEU-{n}": s for n, s in enumerate(bleu_of(counted()), start=1)},
        "METEOR": lambda: {"METEOR": meteor(candidates, references)},
        "ROUGE-L": lambda: {"ROUGE-L": rouge_l(candidates, references)},
        "CIDEr": lambda: {"CIDEr": cider_of(counted(), document_frequencies=document_frequencies)},
        "SPICE": lambda: {"SPICE": spice(candidates, references, corenlp=corenlp)},
    }
    scores = Scores({})
    for metric in METRICS:
        if metric in metrics:
            _add(scores, metric, computations[metric])
    return scores


def _add(scores: Scores, metric: str, compute: Callable[[], dict[str, CorpusScore]]) -> None:
    try:
        found = compute()
    except CannotRun as reason:
        scores.values[metric] = None
        scores.reasons[metric] = str(reason)
        return
    for name, score in found.items():
        scores.values[name] = score.corpus
        scores.per_caption[name] = score.per_caption.tolist()


def score_variety(
    candidates: Sequence[Words], training: Sequence[Words] | None
) -> dict[str, float | None]:
    """Unique, distinct and novel captions, the words they use, and the fluency guards."""
    variety = measure_diversity(candidates, training=training)
    fluency = measure_fluency(candidates)
    return {
        "unique": variety.unique,
        "distinct": variety.distinct,
        "novel": variety.novel,
        "vocabulary": variety.vocabulary,
        "length": fluency.length,
        "bad_endings": fluency.bad_endings,
        "repeated_words": fluency.repeated,
        "unknown_words": fluency.unknown,
    }
