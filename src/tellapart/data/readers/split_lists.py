"""Split lists: text files that name the pictures of a split, one a line.

Reads   `Flickr_8k.trainImages.txt` and the like, or ids as Karpathy's COCO lists have them
Writes  the same records with their splits
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tellapart.data.readers.tables import read_text
from tellapart.data.records import Dataset, Record, Split, parse_split
from tellapart.errors import UserError
from tellapart.progress import counted

FLICKR_LISTS = {"train": "*trainImages.txt", "val": "*devImages.txt", "test": "*testImages.txt"}


def find_split_lists(annotations: Path) -> dict[str, Path]:
    """Flickr8k's split lists beside its token file."""
    found = {split: sorted(annotations.parent.glob(name)) for split, name in FLICKR_LISTS.items()}
    return {split: paths[0] for split, paths in found.items() if paths}


def apply_split_lists(dataset: Dataset, lists: Mapping[str, Path]) -> Dataset:
    """Give each listed picture its split.

    With a list for training, pictures on no list are left out; without one they keep their split.
    """
    split_of = _read_lists(lists)
    kept = []
    unlisted = 0
    for record in dataset.records:
        split = next((split_of[name] for name in _names(record) if name in split_of), None)
        unlisted += split is None
        if split is not None or "train" not in split_of.values():
            kept.append(replace(record, split=split or record.split))
    if unlisted == len(dataset.records):
        raise UserError(
            f"None of the pictures is on the split lists {', '.join(map(str, lists.values()))}; "
            "each line must be a picture's file name or id."
        )
    left_out = len(dataset.records) - len(kept)
    note = (f"{counted(left_out, 'picture')} on no split list, left out.",) if left_out else ()
    return Dataset(tuple(kept), dataset.notes + note)


def _read_lists(lists: Mapping[str, Path]) -> dict[str, Split]:
    split_of: dict[str, Split] = {}
    for name, path in lists.items():
        split = parse_split(name, where="--splits")
        for entry in filter(None, map(str.strip, read_text(path).split("\n"))):
            if split_of.setdefault(entry, split) != split:
                raise UserError(f"{path} lists {entry}, which is in {split_of[entry]} already.")
    return split_of


def _names(record: Record) -> tuple[str, ...]:
    return record.id, record.picture.name, record.picture.stem
