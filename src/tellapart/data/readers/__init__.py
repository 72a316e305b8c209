"""From any of the usual formats to records: say where, and the format is recognised.

Reads   Karpathy JSON, COCO captions JSON, Flickr8k tokens, metadata.jsonl, CSV, sidecars, folders
Writes  one data set (data/records.py); several sources combine into a partially labelled one
Paper   Sec. 4.1
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tellapart.artefacts import read_json
from tellapart.data.pictures import is_picture_name
from tellapart.data.readers.folders import (
    metadata_files,
    read_bare_folder,
    read_image_folder,
    read_sidecars,
)
from tellapart.data.readers.json_files import read_coco, read_karpathy, recognise_json
from tellapart.data.readers.places import Places
from tellapart.data.readers.split_lists import apply_split_lists, find_split_lists
from tellapart.data.readers.tables import read_csv, read_flickr_tokens, read_jsonl, read_text
from tellapart.data.records import Dataset, Record, combine
from tellapart.errors import UserError

JSON_READERS: dict[str, Callable[[Any, Path, Places], Dataset]] = {
    "karpathy": read_karpathy,
    "coco": read_coco,
}
TEXT_READERS: dict[str, Callable[[Path, Places], Dataset]] = {
    "flickr8k": read_flickr_tokens,
    "jsonl": read_jsonl,
    "csv": read_csv,
}
FOLDER_READERS: dict[str, Callable[[Path], Dataset]] = {
    "imagefolder": read_image_folder,
    "sidecar": read_sidecars,
    "folder": read_bare_folder,
}


def read_dataset(
    sources: Sequence[Path],
    *,
    images: Sequence[Path] = (),
    format: str | None = None,
    split_lists: Mapping[str, Path] | None = None,
) -> Dataset:
    """Read one or several sources as one data set.

    `images` are the folders where annotation files find their pictures, `format` overrules what is
    recognised, `split_lists` are text files that name the pictures (or ids) of a split.
    """
    if not sources:
        raise UserError("No data: name an annotation file or a folder of pictures, before options.")
    for folder in images:
        if not folder.is_dir():
            raise UserError(f"{folder} is not a folder of pictures.")
    dataset = combine([_read_source(source, images, format) for source in sources])
    if split_lists:
        dataset = apply_split_lists(dataset, split_lists)
    if not dataset.records:
        raise UserError(f"There is no picture in {', '.join(map(str, sources))}.")
    return dataset


def read_json_annotations(
    content: Any, source: Path, *, images: Sequence[Path] = (), format: str | None = None
) -> Dataset:
    """Read annotations that are parsed already: they may be large."""
    chosen = format or recognise_json(content, source)
    return JSON_READERS[chosen](content, source, Places.around(source, images))


def recognise_text(source: Path) -> str:
    """Which of the text formats a file has, from its name or its first line."""
    match source.suffix.lower():
        case ".jsonl":
            return "jsonl"
        case ".csv" | ".tsv":
            return "csv"
    first_line = read_text(source).lstrip().split("\n", 1)[0]
    if "#" in first_line and "\t" in first_line:
        return "flickr8k"
    if any(delimiter in first_line for delimiter in ",;|\t"):
        return "csv"
    raise UserError(
        f"{source} is in no format known here: Karpathy or COCO JSON, Flickr8k tokens, JSON lines, "
        "CSV, or a folder of pictures. If it is one of these, say which with --format."
    )


def _read_source(source: Path, images: Sequence[Path], format: str | None) -> Dataset:
    if not source.exists():
        raise UserError(f"{source} does not exist.")
    if source.is_dir() and format not in FOLDER_READERS:
        source = _annotations_in(source) or source
    if source.is_dir():
        return _read_folder(source, format)
    if format in FOLDER_READERS:
        raise UserError(f"{source} is a file; the format {format!r} needs a folder.")
    if format is None and is_picture_name(source.name):
        return Dataset((Record(source.name, source),))
    if format in JSON_READERS or (format is None and source.suffix.lower() == ".json"):
        return read_json_annotations(read_json(source), source, images=images, format=format)
    return _read_text_file(source, images, format or recognise_text(source))


def _read_folder(folder: Path, format: str | None) -> Dataset:
    """A folder without captions beside its pictures is one with sidecars of which none is there."""
    chosen = format or ("imagefolder" if metadata_files(folder) else "sidecar")
    if chosen not in FOLDER_READERS:
        raise UserError(f"{folder} is a folder; the format {chosen!r} needs a file.")
    return FOLDER_READERS[chosen](folder)


def _read_text_file(source: Path, images: Sequence[Path], format: str) -> Dataset:
    dataset = TEXT_READERS[format](source, Places.around(source, images))
    lists = find_split_lists(source) if format == "flickr8k" else {}
    return apply_split_lists(dataset, lists) if lists else dataset


def _annotations_in(folder: Path) -> Path | None:
    """The one `dataset*.json` of a data set folder such as our generated scenes."""
    found = sorted(folder.glob("dataset*.json"))
    return found[0] if len(found) == 1 else None
