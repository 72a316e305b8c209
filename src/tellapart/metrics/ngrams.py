"""What the text metrics share: n-grams counted once for all captions, and the form of a score.

Reads   captions and references as words (ptb_tokeniser)
Writes  tables of n-gram counts for BLEU and CIDEr-D, made of arrays
Paper   Sec. 4.1, evaluation metrics
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from jaxtyping import Float, Int

ORDERS = 4
"""N-grams have one to four words."""

Words = Sequence[str]


@dataclass(frozen=True)
class CorpusScore:
    """What a metric says of captions: together, and each for itself."""

    corpus: float
    per_caption: Float[np.ndarray, " captions"]


@dataclass(frozen=True)
class NgramCounts:
    """The different n-grams of each text, for one n: one row per text and n-gram, in order."""

    texts: Int[np.ndarray, " rows"]
    """Which text the row is about."""

    ngrams: Int[np.ndarray, " rows"]
    """Number of the n-gram, the same for all texts."""

    counts: Int[np.ndarray, " rows"]
    """How often the text holds it."""


@dataclass(frozen=True)
class NgramTable:
    """N-grams of one n in all candidates and references."""

    candidates: NgramCounts
    references: NgramCounts

    pictures: NgramCounts
    """The n-grams of all references of a picture, counted in the one that has most of them."""

    spellings: Int[np.ndarray, " ngrams"]
    """A place in `Comparison.words` where each different n-gram begins."""


@dataclass(frozen=True)
class Comparison:
    """One candidate caption per picture beside its references, as n-gram counts."""

    candidate_lengths: Int[np.ndarray, " pictures"]
    reference_lengths: Int[np.ndarray, " references"]

    pictures: Int[np.ndarray, " references"]
    """Whose picture each reference describes, in ascending order."""

    tables: tuple[NgramTable, ...]
    """One per n, from single words on."""

    words: list[str]
    """All words of all texts, one after the other."""


def compare(candidates: Sequence[Words], references: Sequence[Sequence[Words]]) -> Comparison:
    """Count the n-grams of each picture's candidate caption and of its references."""
    require_references(candidates, references)
    texts = _part_at_spaces([*candidates, *chain.from_iterable(references)])
    lengths = np.array([len(text) for text in texts])
    words = list(chain.from_iterable(texts))
    pictures = np.repeat(np.arange(len(references)), [len(each) for each in references])
    return Comparison(
        candidate_lengths=lengths[: len(candidates)],
        reference_lengths=lengths[len(candidates) :],
        pictures=pictures,
        tables=tuple(_tabulate(words, lengths, pictures)),
        words=words,
    )


def require_references(candidates: Sequence[Words], references: Sequence[Sequence[Words]]) -> None:
    """Stop unless every picture has one candidate and at least one reference."""
    if len(candidates) != len(references):
        raise ValueError(
            f"there are {len(candidates)} captions for {len(references)} pictures with references: "
            "give one caption per picture"
        )
    if not candidates:
        raise ValueError("there are no captions to score: give at least one")
    bare = sum(not each for each in references)
    if bare:
        raise ValueError(f"{bare} of the pictures have no references: give each at least one")


def spell(comparison: Comparison, order: int) -> list[str]:
    """Give the different n-grams of `order` words as text, in the order of their numbers."""
    places = comparison.tables[order - 1].spellings.tolist()
    return [" ".join(comparison.words[place : place + order]) for place in places]


def find_rows(
    sought: NgramCounts, table: NgramCounts, *, ngrams: int
) -> tuple[Int[np.ndarray, " found"], Int[np.ndarray, " found"]]:
    """Match rows of the same text and n-gram: where they are in `sought`, where in the table."""
    keys = sought.texts * ngrams + sought.ngrams
    table_keys = table.texts * ngrams + table.ngrams
    rows = np.searchsorted(table_keys, keys)
    inside = np.flatnonzero(rows < len(table_keys))
    found = inside[table_keys[rows[inside]] == keys[inside]]
    return found, rows[found]


def _part_at_spaces(texts: list[Words]) -> list[Words]:
    """Part tokens with a no-break space in them, as in "2 1/2": the standard scorers do so."""
    if all(word.split() == [word] for word in set(chain.from_iterable(texts))):
        return texts
    return [" ".join(text).split() for text in texts]


def _tabulate(
    words: list[str],
    lengths: Int[np.ndarray, " texts"],
    pictures: Int[np.ndarray, " references"],
) -> Iterator[NgramTable]:
    texts = np.repeat(np.arange(len(lengths)), lengths)
    first_reference = len(lengths) - len(pictures)
    for places, ngrams in _number_ngrams(_number_words(words), texts):
        spellings = np.empty(ngrams.max(initial=-1) + 1, dtype=np.int64)
        spellings[ngrams] = places
        counts = _count(texts[places], ngrams, different=len(spellings))
        border = np.searchsorted(counts.texts, first_reference)
        references = _rows(counts, slice(border, None), first_text=first_reference)
        yield NgramTable(
            candidates=_rows(counts, slice(0, border), first_text=0),
            references=references,
            pictures=_most_per_picture(references, pictures, different=len(spellings)),
            spellings=spellings,
        )


def _number_words(words: list[str]) -> Int[np.ndarray, " words"]:
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    return np.fromiter(map(numbers.__getitem__, words), dtype=np.int64, count=len(words))


def _number_ngrams(
    words: Int[np.ndarray, " words"], texts: Int[np.ndarray, " words"]
) -> Iterator[tuple[Int[np.ndarray, " places"], Int[np.ndarray, " places"]]]:
    """For n = 1, 2, ...: the places where an n-gram begins, and the n-gram's number there.

    An n-gram is the (n-1)-gram at its place and one word more: a pair of numbers, numbered anew.
    """
    places, ngrams = np.arange(len(words)), words
    different_words = int(words.max(initial=0)) + 1
    yield places, ngrams
    for further in range(1, ORDERS):
        inside = np.flatnonzero(places + further < len(words))
        inside = inside[texts[places[inside]] == texts[places[inside] + further]]
        places = places[inside]
        pairs = ngrams[inside] * different_words + words[places + further]
        ngrams = np.unique(pairs, return_inverse=True)[1]
        yield places, ngrams


def _count(
    texts: Int[np.ndarray, " places"], ngrams: Int[np.ndarray, " places"], *, different: int
) -> NgramCounts:
    keys = _sort(_pack(texts, ngrams, different))
    last = _ends_of_runs(keys)
    texts, ngrams = _unpack(keys[last], different)
    return NgramCounts(texts=texts, ngrams=ngrams, counts=np.diff(last, prepend=-1))


def _most_per_picture(
    references: NgramCounts, pictures: Int[np.ndarray, " references"], *, different: int
) -> NgramCounts:
    most = int(references.counts.max(initial=0)) + 1
    keys = _pack(pictures[references.texts], references.ngrams, different)
    keys, counts = _unpack(_sort(_pack(keys, references.counts, most)), most)
    last = _ends_of_runs(keys)
    texts, ngrams = _unpack(keys[last], different)
    return NgramCounts(texts=texts, ngrams=ngrams, counts=counts[last])


def _pack(
    high: Int[np.ndarray, " rows"], low: Int[np.ndarray, " rows"], different: int
) -> Int[np.ndarray, " rows"]:
    """Two numbers in one that sorts by the first, then by the second, which is below `different`.

    Whole bits, since to shift is many times as fast as to divide.
    """
    return high << different.bit_length() | low


def _unpack(
    keys: Int[np.ndarray, " rows"], different: int
) -> tuple[Int[np.ndarray, " rows"], Int[np.ndarray, " rows"]]:
    bits = different.bit_length()
    return keys >> bits, keys & ((1 << bits) - 1)


def _sort(keys: Int[np.ndarray, " rows"]) -> Int[np.ndarray, " rows"]:
    """Sort keys that are in order but for the rows of one text; merging such runs is quick."""
    return np.sort(keys, kind="stable")


def _ends_of_runs(keys: Int[np.ndarray, " rows"]) -> Int[np.ndarray, " runs"]:
    """Give the places where the next key is another one."""
    return np.flatnonzero(np.diff(keys, append=-1))


def _rows(counts: NgramCounts, rows: slice, *, first_text: int) -> NgramCounts:
    return NgramCounts(
        texts=counts.texts[rows] - first_text,
        ngrams=counts.ngrams[rows],
        counts=counts.counts[rows],
    )
