"""The one shape all data takes: a picture, its captions or none, and its split.

Reads   records from any reader (data/readers)
Writes  one partially labelled data set, in a fixed order, each picture once
Paper   Sec. 3.2 "Training with partially labeled data", Sec. 4.1
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from tellapart.errors import UserError
from tellapart.progress import counted

Split = Literal["train", "restval", "val", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)

OTHER_SPLIT_NAMES: dict[str, Split] = {
    "training": "train",
    "valid": "val",
    "validation": "val",
    "dev": "val",
    "testing": "test",
}


@dataclass(frozen=True)
class Record:
    """One picture and what is known of it."""

    id: str
    """Unique in its data set; what a results file calls `image_id`."""

    picture: Path
    """Where the file is, as the source named it."""

    captions: tuple[str, ...] = ()
    """As people wrote them; none for an unlabelled picture."""

    split: Split = "train"
    """Karpathy's `restval` is kept apart here; training decides whether it joins."""

    @property
    def labelled(self) -> bool:
        """Whether anybody wrote a caption for it."""
        return bool(self.captions)


@dataclass(frozen=True)
class Dataset:
    """Records in a fixed order, and what their readers had to remark."""

    records: tuple[Record, ...]
    notes: tuple[str, ...] = ()
    """Full sentences about what was left out or merged, for people to read."""

    def __len__(self) -> int:
        return len(self.records)

    def in_split(self, *splits: Split) -> tuple[Record, ...]:
        """The records of these splits."""
        return tuple(record for record in self.records if record.split in splits)

    def training(self, *, restval: bool = True) -> tuple[Record, ...]:
        """The records to train on; `restval` joins them unless told otherwise."""
        return self.in_split("train", "restval") if restval else self.in_split("train")


def parse_split(name: str, *, where: str) -> Split:
    """A split's name in any of its usual spellings."""
    name = name.strip().lower()
    name = OTHER_SPLIT_NAMES.get(name, name)
    for split in SPLITS:
        if name == split:
            return split
    raise UserError(f"{where} names the split {name!r}; it must be one of {', '.join(SPLITS)}.")


def combine(datasets: Sequence[Dataset]) -> Dataset:
    """Several sources as one data set in which every picture file occurs once.

    A labelled picture that a bare folder lists again stays labelled; captions from two sources are
    joined. A picture in two different splits is refused: it would be trained on and tested on.
    """
    by_file: dict[str, Record] = {}
    taken: set[str] = set()
    merged = 0
    for number, dataset in enumerate(datasets, start=1):
        for record in dataset.records:
            file = _identity(record.picture)
            if file in by_file:
                record = _merge(by_file[file], record)
                taken.discard(by_file[file].id)
                merged += 1
            by_file[file] = _with_free_id(record, taken, number)
            taken.add(by_file[file].id)
    notes = [note for dataset in datasets for note in dataset.notes]
    if merged:
        notes.append(f"{counted(merged, 'picture')} named more than once: each counts once.")
    return Dataset(tuple(by_file.values()), tuple(notes))


def _identity(picture: Path) -> str:
    """The file behind a path and its links; the path itself where no file can have that name."""
    try:
        return os.path.realpath(picture)
    except (OSError, ValueError):
        return str(picture)


def _merge(first: Record, second: Record) -> Record:
    """Two namings of one file: the labelled one leads, and adds what captions it lacks."""
    if first.labelled and second.labelled and first.split != second.split:
        raise UserError(
            f"{first.picture} is in the {first.split} split and in the {second.split} split; "
            "take it out of one of them, so that nothing is tested on what it was trained on."
        )
    if second.labelled and not first.labelled:
        first, second = second, first
    new = tuple(caption for caption in second.captions if caption not in first.captions)
    return replace(first, captions=first.captions + new)


def _with_free_id(record: Record, taken: set[str], source: int) -> Record:
    """Keep the source's id where it is free; otherwise put the source's number before it."""
    if record.id not in taken:
        return record
    candidate = f"{source}/{record.id}"
    while candidate in taken:
        candidate += "+"
    return replace(record, id=candidate)


def group_captions(
    rows: Iterable[tuple[str, Path, Sequence[str], Split]], *, where: str
) -> Dataset:
    """Records from rows of (id, picture, captions, split); rows of one id are one record.

    Captions without a word are dropped, and the notes say how many.
    """
    records: dict[str, Record] = {}
    empty = 0
    for id, picture, captions, split in rows:
        kept = tuple(filter(None, map(fold_space, captions)))
        empty += len(captions) - len(kept)
        known = records.get(id)
        if known is not None and known.split != split:
            raise UserError(f"{where} puts {id} in two splits, {known.split} and {split}.")
        earlier = known.captions if known else ()
        records[id] = Record(id, picture, earlier + kept, split)
    notes = (f"{where}: {counted(empty, 'empty caption')} dropped.",) if empty else ()
    return Dataset(tuple(records.values()), notes)


def fold_space(caption: str) -> str:
    """Put a caption on one line. Only ASCII space: the others are the tokeniser's business.

    Half a surrogate pair, which JSON can hold and nothing else can write, becomes a question mark.
    """
    whole = caption.encode(errors="replace").decode()
    return " ".join(re.split(r"[ \t\r\n]+", whole)).strip()


def count_splits(dataset: Dataset) -> dict[Split, int]:
    """How many pictures each split has; splits without any are left out."""
    counts = Counter(record.split for record in dataset.records)
    return {split: counts[split] for split in SPLITS if counts[split]}
