"""What a data set holds, in numbers.

Reads   a data set and, if asked, every one of its pictures
Writes  a `Summary`, ready to be shown or written as JSON
Paper   Sec. 4.1
"""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import fmean

from tellapart.data.pictures import PictureError, open_picture
from tellapart.data.records import SPLITS, Dataset, Record, count_splits
from tellapart.data.vocabulary import cut_words


@dataclass(frozen=True)
class SplitSummary:
    """One split in numbers."""

    pictures: int
    labelled: int
    unlabelled: int
    captions: int


@dataclass(frozen=True)
class WordSummary:
    """The words of the captions, before they are cut."""

    vocabulary: int
    """Words frequent enough in the training captions to be kept; 0 without such captions."""

    rarer: int
    """Words of the training captions that are not."""

    coverage: dict[str, float]
    """Share of each split's running words that the vocabulary knows."""

    shortest: int
    mean_length: float
    longest: int
    cut: int
    """Captions longer than the cut."""

    lengths: dict[int, int]
    """How many captions have so many words."""


@dataclass(frozen=True)
class Summary:
    """A data set in numbers; `words` is None without any caption."""

    splits: dict[str, SplitSummary]
    total: SplitSummary
    words: WordSummary | None
    opened: bool
    unreadable: dict[str, str]
    """Path and reason of each picture that cannot be used."""

    notes: tuple[str, ...]


def summarise(
    dataset: Dataset,
    *,
    min_count: int = 6,
    max_words: int = 16,
    open_pictures: bool = True,
    advance: Callable[[int], None] = lambda _: None,
) -> Summary:
    """Count everything; opening the pictures takes most of the time."""
    return Summary(
        splits={
            split: _summarise_split(dataset.in_split(split)) for split in count_splits(dataset)
        },
        total=_summarise_split(dataset.records),
        words=_summarise_words(dataset, min_count, max_words),
        opened=open_pictures,
        unreadable=find_unreadable(dataset.records, advance) if open_pictures else {},
        notes=dataset.notes,
    )


def find_unreadable(
    records: Sequence[Record], advance: Callable[[int], None] = lambda _: None
) -> dict[str, str]:
    """Open every picture; path and reason of those that cannot be used."""

    def reason(record: Record) -> str | None:
        try:
            open_picture(record.picture)
        except PictureError as error:
            return str(error)
        finally:
            advance(1)
        return None

    pool = ThreadPoolExecutor()
    try:
        reasons = pool.map(reason, records)
        return {str(r.picture): why for r, why in zip(records, reasons, strict=True) if why}
    finally:
        pool.shutdown(cancel_futures=True)  # Ctrl-C need not wait for thousands of pictures


def _summarise_split(records: Sequence[Record]) -> SplitSummary:
    labelled = sum(record.labelled for record in records)
    captions = sum(len(record.captions) for record in records)
    return SplitSummary(len(records), labelled, len(records) - labelled, captions)


def _summarise_words(dataset: Dataset, min_count: int, max_words: int) -> WordSummary | None:
    words = {
        split: [cut_words(c) for r in dataset.in_split(split) for c in r.captions]
        for split in SPLITS
    }
    lengths = Counter(len(caption) for captions in words.values() for caption in captions)
    if not lengths:
        return None
    training = Counter(w for split in ("train", "restval") for c in words[split] for w in c)
    known = {word for word, count in training.items() if count >= min_count}
    return WordSummary(
        vocabulary=len(known),
        rarer=len(training) - len(known),
        coverage={split: _share_known(words[split], known) for split in SPLITS if words[split]},
        shortest=min(lengths),
        mean_length=fmean(lengths.elements()),
        longest=max(lengths),
        cut=sum(count for length, count in lengths.items() if length > max_words),
        lengths=dict(sorted(lengths.items())),
    )


def _share_known(captions: Sequence[Sequence[str]], known: set[str]) -> float:
    words = [word for caption in captions for word in caption]
    return sum(word in known for word in words) / max(len(words), 1)
