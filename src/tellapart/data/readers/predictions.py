"""Captions to be scored, beside what they are scored against.

Reads   predictions: COCO results `[{"image_id", "caption"}]`, `{"id": "caption"}`, JSON lines, CSV;
        references: any data set (data/readers), or `{"id": ["caption", …]}`
Writes  pairs of a caption and its references, and notes about everything that did not pair up
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tellapart.artefacts import read_json
from tellapart.data.readers import read_dataset
from tellapart.data.readers.tables import (
    CAPTION_COLUMNS,
    PICTURE_COLUMNS,
    read_csv_rows,
    read_jsonl_rows,
)
from tellapart.data.records import Dataset, Record
from tellapart.errors import UserError

ID_COLUMNS = ("image_id", "id", *PICTURE_COLUMNS)
NAMED = 5
"""How many ids a note names before it only counts."""


@dataclass(frozen=True)
class Pairs:
    """One caption per picture beside the picture's references, in the references' order."""

    ids: tuple[str, ...]
    captions: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    """Full sentences: what was left out or doubtful, how often, and where."""


def read_pairs(predictions: Path, references: Path) -> Pairs:
    """Bring predictions and references together by id, or by file name where ids differ."""
    dataset = read_references(references)
    captions, doubled = _first_of_each(read_predictions(predictions))
    found = {record.id: caption for record, caption in _match(dataset.records, captions)}
    if not found:
        raise UserError(
            f"No caption in {predictions} belongs to a picture in {references}: ids are like "
            f"{next(iter(captions), 'nothing')} there and like {dataset.records[0].id} here."
        )
    asked = {record.split for record in dataset.records if record.id in found}
    wanted = [record for record in dataset.records if record.split in asked and record.labelled]
    scored = [record for record in wanted if record.id in found]
    known = {key for record in dataset.records for key in _keys(record)}
    notes = [
        *dataset.notes,
        *_note("have more than one caption; the first counts", doubled),
        *_note("have references but no caption, and are left out", _missing(wanted, found)),
        *_note("have a caption but no references, and are left out", _strays(captions, known)),
        *_note("have an empty caption, which scores 0", _empty(scored, found)),
    ]
    return Pairs(
        ids=tuple(record.id for record in scored),
        captions=tuple(found[record.id] for record in scored),
        references=tuple(record.captions for record in scored),
        notes=tuple(notes),
    )


def read_references(path: Path) -> Dataset:
    """References in any format a data set may have, or as `{"id": ["caption", …]}`."""
    content = read_json(path) if path.suffix.lower() == ".json" and path.is_file() else None
    if isinstance(content, dict) and "images" not in content:
        records = [
            Record(str(id), Path(str(id)), tuple(_texts(value, path)))
            for id, value in content.items()
        ]
        if not records:
            raise UserError(f"{path} holds no references.")
        return Dataset(tuple(records))
    return read_dataset([path])


def read_predictions(path: Path) -> list[tuple[str, str]]:
    """Ids and captions in the file's order, doubles included."""
    match path.suffix.lower():
        case ".jsonl":
            return [_named_caption(row, path) for _, row in read_jsonl_rows(path)]
        case ".csv" | ".tsv":
            return [_named_caption(row, path) for _, row in read_csv_rows(path, ID_COLUMNS)]
    content = read_json(path)
    if isinstance(content, list):
        return [_named_caption(row, path) for row in content]
    if isinstance(content, dict):
        return [(_key(id), caption) for id, v in content.items() for caption in _texts(v, path)]
    raise UserError(f'{path} holds no predictions; expected [{{"image_id": …, "caption": …}}, …].')


def _named_caption(row: Any, path: Path) -> tuple[str, str]:
    columns = row if isinstance(row, Mapping) else {}
    name = next((columns[key] for key in ID_COLUMNS if key in columns), None)
    caption = next((columns[key] for key in CAPTION_COLUMNS if key in columns), None)
    if name is None or not isinstance(caption, str):
        raise UserError(
            f'{path} has the entry {str(row)[:60]}; expected "image_id" and a text "caption".'
        )
    return _key(name), caption


def _texts(value: Any, path: Path) -> list[str]:
    texts = value if isinstance(value, list) else [value]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise UserError(f"{path} has {str(value)[:60]!r} where captions should be.")
    return texts


def _key(id: Any) -> str:
    """An id's one spelling: COCO writes 391895 and 000000391895 for the same picture."""
    text = str(id)
    return str(int(text)) if text.isdecimal() else text


def _keys(record: Record) -> tuple[str, ...]:
    """What predictions may call a picture, the likeliest first."""
    return (
        _key(record.id),
        str(record.picture),
        record.picture.name,
        _key(record.picture.stem),
    )


def _first_of_each(predictions: Iterable[tuple[str, str]]) -> tuple[dict[str, str], list[str]]:
    captions: dict[str, str] = {}
    doubled: dict[str, None] = {}
    for id, caption in predictions:
        if id in captions:
            doubled[id] = None
        else:
            captions[id] = caption
    return captions, list(doubled)


def _match(records: Sequence[Record], captions: Mapping[str, str]) -> Iterable[tuple[Record, str]]:
    """Pair records with captions by the first kind of key under which any of them meet."""
    for kind in range(4):
        pairs = [(r, captions[_keys(r)[kind]]) for r in records if _keys(r)[kind] in captions]
        if pairs:
            return pairs
    return []


def _missing(wanted: Sequence[Record], found: Mapping[str, str]) -> list[str]:
    return [record.id for record in wanted if record.id not in found]


def _strays(captions: Mapping[str, str], known: set[str]) -> list[str]:
    return [id for id in captions if id not in known]


def _empty(scored: Sequence[Record], found: Mapping[str, str]) -> list[str]:
    return [record.id for record in scored if not found[record.id].strip()]


def _note(what: str, ids: Sequence[str]) -> list[str]:
    if not ids:
        return []
    more = f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else ""
    return [f"{len(ids):,} pictures {what}: {', '.join(ids[:NAMED])}{more}."]
