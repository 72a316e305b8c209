"""From any of the usual formats to records: say where, and the format is recognised.

Reads   Karpathy JSON, COCO captions JSON, Flickr8k tokens, metadata.jsonl, CSV, sidecars, folders
Writes  one data set (data/records.py); several sources combine into a partially labelled one
Paper   Sec. 4.1
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tellapart.artefacts import read_json
from tellapart.data.pictures import is_picture_name
from tellapart.data.readers.folders import (
    has_sidecars,
    metadata_files,
    read_bare_folder,
    read_image_folder,
    read_sidecars,
)
from tellapart.data.readers.json_files import (
    looks_like_coco,
    looks_like_karpathy,
    read_coco,
    read_karpathy,
)
from tellapart.data.readers.places import Places
from tellapart.data.readers.split_lists import apply_split_lists, find_split_lists
from tellapart.data.readers.tables import read_csv, read_flickr_tokens, read_jsonl, read_text
from tellapart.data.records import Dataset, Record, combine
from tellapart.errors import UserError

FILE_READERS: dict[str, Callable[[Path, Places], Dataset]] = {
    "karpathy": read_karpathy,
    "coco": read_coco,
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


def recognise_format(source: Path) -> str:
    """Which of the formats a source has, from what is in it."""
    if source.is_dir():
        if metadata_files(source):
            return "imagefolder"
        return "sidecar" if has_sidecars(source) else "folder"
    match source.suffix.lower():
        case ".json":
            return _recognise_json(source)
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
    elif source.is_file() and is_picture_name(source.name) and format is None:
        return Dataset((Record(source.name, source),))
    chosen = format or recognise_format(source)
    if source.is_dir():
        if chosen not in FOLDER_READERS:
            raise UserError(f"{source} is a folder; the format {chosen!r} needs a file.")
        return FOLDER_READERS[chosen](source)
    if chosen not in FILE_READERS:
        raise UserError(f"{source} is a file; the format {chosen!r} needs a folder.")
    dataset = FILE_READERS[chosen](source, Places.around(source, images))
    lists = find_split_lists(source) if chosen == "flickr8k" else {}
    return apply_split_lists(dataset, lists) if lists else dataset


def _annotations_in(folder: Path) -> Path | None:
    """The one `dataset*.json` of a data set folder such as our generated scenes."""
    found = sorted(folder.glob("dataset*.json"))
    return found[0] if len(found) == 1 else None


def _recognise_json(source: Path) -> str:
    content = read_json(source)
    if looks_like_karpathy(content):
        return "karpathy"
    if looks_like_coco(content):
        return "coco"
    raise UserError(
        f"{source} is neither Karpathy's nor COCO's JSON: it needs a list \"images\" "
        'whose entries have "sentences" or an "id".'
    )
