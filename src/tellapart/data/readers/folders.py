"""Readers of folders: Hugging Face image folders, sidecar captions, and bare pictures.

Reads   a folder tree
Writes  records; the picture's path below the folder is its id, a first folder `val` its split
"""

from collections.abc import Iterable
from pathlib import Path

from tellapart.data.pictures import find_pictures
from tellapart.data.readers.places import Places
from tellapart.data.readers.tables import read_csv, read_jsonl, read_text
from tellapart.data.records import (
    OTHER_SPLIT_NAMES,
    SPLITS,
    Dataset,
    Record,
    Split,
    combine,
    fold_space,
    parse_split,
)

SIDECAR_ENDINGS = (".txt", ".caption")
METADATA = {"metadata.jsonl": read_jsonl, "metadata.csv": read_csv}


def read_bare_folder(folder: Path) -> Dataset:
    """Every picture under the folder, all unlabelled."""
    pictures, closed = find_pictures(folder)
    return Dataset(tuple(_record(path, folder) for path in pictures), tuple(_closed(closed)))


def read_sidecars(folder: Path) -> Dataset:
    """`a.jpg` with `a.txt` beside it, a caption a line; pictures without one are unlabelled."""
    pictures, closed = find_pictures(folder)
    records = [_record(path, folder, _sidecar_captions(path)) for path in pictures]
    return Dataset(tuple(records), tuple(_closed(closed)))


def read_image_folder(folder: Path) -> Dataset:
    """Folders with a `metadata.jsonl` or `.csv`; pictures it does not name are unlabelled."""
    bare = read_bare_folder(folder)
    described = []
    for path in metadata_files(folder):
        split = _split_of(path.relative_to(folder))
        described.append(METADATA[path.name](path, Places([path.parent]), split=split))
    listed = combine(described)
    named = combine([Dataset(tuple(_renamed(listed.records, folder)), listed.notes), bare])
    # That the folder lists its pictures a second time is how this format works, no remark.
    return Dataset(named.records, listed.notes + bare.notes)


def metadata_files(folder: Path) -> list[Path]:
    """The metadata files of an image folder: at its top, or in the folders of its splits."""
    return sorted(
        path for name in METADATA for path in [*folder.glob(name), *folder.glob(f"*/{name}")]
    )


def _record(picture: Path, folder: Path, captions: tuple[str, ...] = ()) -> Record:
    below = picture.relative_to(folder)
    return Record(below.as_posix(), picture, captions, _split_of(below))


def _renamed(records: Iterable[Record], folder: Path) -> Iterable[Record]:
    """Ids below the whole folder, so that `train/1.jpg` and `test/1.jpg` differ."""
    for record in records:
        inside = record.picture.is_relative_to(folder)
        id = record.picture.relative_to(folder).as_posix() if inside else record.id
        yield Record(id, record.picture, record.captions, record.split)


def _split_of(below: Path) -> Split:
    """The split that the first folder's name says, as Hugging Face's image folders have it."""
    first = below.parts[0].lower()
    known = len(below.parts) > 1 and (first in SPLITS or first in OTHER_SPLIT_NAMES)
    return parse_split(first, where=str(below)) if known else "train"


def _sidecar(picture: Path) -> Path | None:
    candidates = (picture.with_suffix(ending) for ending in SIDECAR_ENDINGS)
    return next((path for path in candidates if path.is_file()), None)


def _sidecar_captions(picture: Path) -> tuple[str, ...]:
    sidecar = _sidecar(picture)
    lines = read_text(sidecar).split("\n") if sidecar else []
    return tuple(filter(None, map(fold_space, lines)))


def _closed(folders: Iterable[Path]) -> Iterable[str]:
    for folder in folders:
        yield f"The folder {folder} could not be listed, so its pictures are left out."
