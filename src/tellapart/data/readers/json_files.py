"""Readers of JSON annotations: Karpathy's split files and COCO's caption files.

Reads   `dataset_*.json`, `captions_*.json`, `image_info_*.json`
Writes  records; a COCO image without annotations is unlabelled
Paper   Sec. 4.1 "we adopt the widely used Karpathy split"
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tellapart.data.readers.places import Places
from tellapart.data.records import Dataset, Split, group_captions, parse_split
from tellapart.errors import UserError
from tellapart.progress import counted

Row = tuple[str, Path, Sequence[str], Split]


def read_karpathy(content: Any, path: Path, places: Places) -> Dataset:
    """`{"images": [{"filename", "split", "sentences": [{"raw"}]}]}`, with `filepath` or without."""
    return group_captions(_karpathy_rows(content, path, places), where=path.name)


def read_coco(content: Any, path: Path, places: Places) -> Dataset:
    """`{"images": [{"id", "file_name"}], "annotations": [{"image_id", "caption"}]}`.

    The file has no splits of its own: its name tells (`captions_val2014.json` is val).
    """
    images = _rows_of(content, "images", path)
    captions: dict[str, list[str]] = {str(_field(image, "id", path)): [] for image in images}
    strays = 0
    for annotation in _rows_of(content, "annotations", path) if "annotations" in content else ():
        caption = _text(_field(annotation, "caption", path), path)
        image_id = str(_field(annotation, "image_id", path))
        strays += image_id not in captions
        captions.get(image_id, []).append(caption)
    split = _split_in_name(path)
    dataset = group_captions(
        (
            (str(image["id"]), places.find(*_coco_names(image)), captions[str(image["id"])], split)
            for image in images
        ),
        where=path.name,
    )
    if not strays:
        return dataset
    note = f"{path.name}: {counted(strays, 'caption')} of pictures that the file does not list."
    return Dataset(dataset.records, (*dataset.notes, note))


def recognise_json(content: Any, path: Path) -> str:
    """Karpathy's images carry their sentences; COCO's have ids, and captions apart from them."""
    images = content.get("images") if isinstance(content, dict) else None
    first = images[0] if isinstance(images, list) and images else None
    if isinstance(first, dict) and "sentences" in first:
        return "karpathy"
    if isinstance(first, dict) and "id" in first:
        return "coco"
    raise UserError(
        f"{path} is neither Karpathy's nor COCO's JSON: it needs a list \"images\" "
        'whose entries have "sentences" or an "id".'
    )


def _karpathy_rows(content: Any, path: Path, places: Places) -> Iterator[Row]:
    for image in _rows_of(content, "images", path):
        filename = _text(_field(image, "filename", path), path)
        names = [f"{image['filepath']}/{filename}", filename] if "filepath" in image else [filename]
        identity = image.get("cocoid", image.get("imgid", filename))
        captions = [_sentence(sentence, path) for sentence in _rows_of(image, "sentences", path)]
        split = parse_split(_text(_field(image, "split", path), path), where=path.name)
        yield str(identity), places.find(*names), captions, split


def _sentence(sentence: Any, path: Path) -> str:
    """The caption as it was written, or its words where only they were kept."""
    if isinstance(sentence, dict) and "raw" not in sentence and "tokens" in sentence:
        return " ".join(map(str, _rows_of(sentence, "tokens", path)))
    return _text(_field(sentence, "raw", path), path)


def _coco_names(image: dict[str, Any]) -> list[str]:
    """File names an image may have; COCO's own patterns where none is given."""
    if image.get("file_name"):
        return [str(image["file_name"]), Path(str(image["file_name"])).name]
    number = f"{int(image['id']):012d}" if str(image["id"]).isdecimal() else str(image["id"])
    parts = ("COCO_train2014_", "COCO_val2014_", "COCO_test2014_")
    return [f"{number}.jpg", *(f"{part}{number}.jpg" for part in parts)]


def _split_in_name(path: Path) -> Split:
    found = re.search(r"(?:^|[^a-z])(train|val|test)", path.stem.lower())
    return parse_split(found.group(1), where=path.name) if found else "train"


def _rows_of(content: Any, key: str, path: Path) -> list[Any]:
    rows = content.get(key) if isinstance(content, dict) else None
    if not isinstance(rows, list):
        raise UserError(f'{path} has no list "{key}" where one is needed: {str(content)[:60]}.')
    return rows


def _field(row: Any, key: str, path: Path) -> Any:
    if not isinstance(row, dict) or key not in row:
        shown = str(row)[:60]
        raise UserError(f'{path} has an entry without "{key}": {shown}.')
    return row[key]


def _text(value: Any, path: Path) -> str:
    if not isinstance(value, str):
        raise UserError(f"{path} has {str(value)[:60]!r} where a text should be.")
    return value
