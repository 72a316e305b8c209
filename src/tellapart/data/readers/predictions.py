"""Captions to be scored, beside what they are scored against.

Reads   predictions: COCO results `[{"image_id", "caption"}]`, `{"id": "caption"}`, JSON lines, CSV;
        references: any data set (data/readers), or `{"id": ["caption", …]}`
Writes  pairs of a caption and its references, and notes about everything that did not pair up
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from tellapart.artefacts import read_json
from tellapart.data.readers import read_dataset, read_json_annotations
from tellapart.data.readers.tables import (
    CAPTION_COLUMNS,
    PICTURE_COLUMNS,
    read_csv_rows,
    read_jsonl_rows,
    read_text,
)
from tellapart.data.records import Dataset, Record, combine, group_captions
from tellapart.errors import UserError
from tellapart.progress import counted

ID_COLUMNS = ("image_id", "id", *PICTURE_COLUMNS)
NAMED = 5
"""How many ids a note names before it only counts."""

LONGEST_ID = 60
"""Characters of an id that a note shows."""


@dataclass(frozen=True)
class Pairs:
    """One caption per picture beside the picture's references, in the references' order."""

    ids: tuple[str, ...]
    captions: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    """Full sentences: what was left out or doubtful, how often, and where."""


def read_pairs(predictions: Path, references: Path, *, format: str | None = None) -> Pairs:
    """Bring predictions and references together by id, or by file name where ids differ."""
    dataset = read_references(references, format=format)
    captions = read_predictions(predictions)
    matches = [_match(naming, dataset.records, captions) for naming in NAMINGS]
    best = max(matches, key=lambda match: len(match.captions))
    if not best.captions:
        raise UserError(
            f"No caption in {predictions} belongs to a picture in {references}: ids are like "
            f"{captions[0][0] if captions else 'nothing'} there and like {dataset.records[0].id} "
            "here."
        )
    asked = {record.split for record in dataset.records if record.id in best.captions}
    wanted = [record for record in dataset.records if record.split in asked and record.labelled]
    scored = [record for record in wanted if record.id in best.captions]
    if not scored:
        raise UserError(
            f"{references} has no captions for the pictures that {predictions} names; "
            "references are needed to score against."
        )
    notes = [*dataset.notes, *_notes(best, matches, captions, wanted)]
    return Pairs(
        ids=tuple(record.id for record in scored),
        captions=tuple(best.captions[record.id] for record in scored),
        references=tuple(record.captions for record in scored),
        notes=tuple(notes),
    )


def read_references(path: Path, *, format: str | None = None) -> Dataset:
    """References in any format a data set may have, or as `{"id": ["caption", …]}`."""
    is_json = path.suffix.lower() == ".json" and path.is_file() and format is None
    content = read_json(path) if is_json else None
    if isinstance(content, list):
        raise UserError(
            f"{path} holds a list, as files of predictions do, and no references; "
            "are --predictions and --references swapped?"
        )
    if isinstance(content, dict) and "images" in content:
        return combine([read_json_annotations(content, path)])
    if not isinstance(content, dict):
        return read_dataset([path], format=format)
    if "annotations" in content:
        raise UserError(f'{path} has "annotations" but no list "images"; COCO files need both.')
    if not content:
        raise UserError(f"{path} holds no references.")
    entries = [(str(id), _texts(value, path)) for id, value in _read_entries(path)]
    return group_captions(
        ((id, Path(id), texts, "train") for id, texts in entries), where=path.name
    )


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
    if isinstance(content, dict) and not {"images", "annotations"} & content.keys():
        return [(id, text) for id, value in _read_entries(path) for text in _texts(value, path)]
    if isinstance(content, dict):
        raise UserError(
            f"{path} holds references and no predictions; "
            "are --predictions and --references swapped?"
        )
    raise UserError(f'{path} holds no predictions; expected [{{"image_id": …, "caption": …}}, …].')


def _read_entries(path: Path) -> list[tuple[str, Any]]:
    """The keys and values of a JSON object; a key that occurs twice is there twice."""
    return json.loads(read_text(path), object_pairs_hook=list)


def _named_caption(row: Any, path: Path) -> tuple[str, str]:
    columns = row if isinstance(row, Mapping) else {}
    name = next((columns[key] for key in ID_COLUMNS if key in columns), None)
    caption = next((columns[key] for key in CAPTION_COLUMNS if key in columns), None)
    if name is None or not isinstance(caption, str):
        raise UserError(
            f'{path} has the entry {str(row)[:60]}; expected "image_id" and a text "caption".'
        )
    return str(name), caption


def _texts(value: Any, path: Path) -> list[str]:
    texts = value if isinstance(value, list) else [value]
    if not all(isinstance(text, str) for text in texts):
        raise UserError(f"{path} has {str(value)[:60]!r} where captions should be.")
    return texts


class Naming(NamedTuple):
    """One way in which predictions may name pictures."""

    what: str
    of_record: Callable[[Record], str]
    of_prediction: Callable[[str], str]


def _number(text: str) -> str:
    """A number's one spelling: COCO writes 391895 and 000000391895, pandas 391895.0."""
    digits = text.removesuffix(".0")
    return digits.lstrip("0") or "0" if digits.isdecimal() else text


NAMINGS = (
    Naming("id", lambda record: record.id, str),
    Naming("number", lambda record: _number(record.id), _number),
    Naming("path", lambda record: str(record.picture), str),
    Naming("file name", lambda record: record.picture.name, lambda id: PurePath(id).name),
    Naming(
        "file name without its ending",
        lambda record: _number(record.picture.stem),
        lambda id: _number(PurePath(id).stem),
    ),
)
"""The likeliest first: it decides where two bring as many captions to their pictures."""


@dataclass
class Match:
    """What a naming brings together."""

    naming: Naming
    captions: dict[str, str] = field(default_factory=dict)
    """The caption of each picture that has one, by the picture's id."""

    pictures: dict[str, str] = field(default_factory=dict)
    """The picture of each prediction that has one, by the prediction's id."""

    doubled: dict[str, None] = field(default_factory=dict)
    """Pictures with several captions; a dictionary, since it keeps the order and drops repeats."""

    ambiguous: dict[str, None] = field(default_factory=dict)
    """Predictions that could mean several pictures, and so mean none."""


def _match(
    naming: Naming, records: Sequence[Record], predictions: Iterable[tuple[str, str]]
) -> Match:
    named: dict[str, list[str]] = {}
    for record in records:
        named.setdefault(naming.of_record(record), []).append(record.id)
    match = Match(naming)
    for id, caption in predictions:
        pictures = named.get(naming.of_prediction(id), [])
        if len(pictures) > 1:
            match.ambiguous[id] = None
        elif pictures:
            picture = match.pictures[id] = pictures[0]
            if picture in match.captions:
                match.doubled[picture] = None
            match.captions.setdefault(picture, caption)
    return match


def _notes(
    best: Match,
    matches: Sequence[Match],
    predictions: Iterable[tuple[str, str]],
    wanted: Sequence[Record],
) -> list[str]:
    """What did not pair up, and what might have paired up otherwise."""
    labelled = {record.id for record in wanted}
    strays = {
        id: None
        for id, _ in predictions
        if best.pictures.get(id) not in labelled and id not in best.ambiguous
    }
    missing = [record.id for record in wanted if record.id not in best.captions]
    return [
        *note(best.doubled, "more than one caption; the first counts"),
        *note(missing, "references but no caption (left out)"),
        *note(strays, "a caption but no references (left out)"),
        *note(best.ambiguous, "a name that several pictures share (left out)", noun="caption"),
        *_disagreement(best, matches),
    ]


def _disagreement(best: Match, matches: Sequence[Match]) -> list[str]:
    """A note on captions that another naming gives to another picture, if there is one."""
    for other in matches:
        torn = [id for id, mine in best.pictures.items() if other.pictures.get(id, mine) != mine]
        if torn:
            by = f"by {other.naming.what} than by {best.naming.what}, which decides"
            return note(torn, f"another picture {by}", noun="caption")
    return []


def note(ids: Iterable[str], what: str, *, noun: str = "picture") -> list[str]:
    """A sentence that counts and names what has something odd, where anything has."""
    named = [id[:LONGEST_ID] for id in ids]
    if not named:
        return []
    more = f" and {len(named) - NAMED:,} more" if len(named) > NAMED else ""
    has = "has" if len(named) == 1 else "have"
    return [f"{counted(len(named), noun)} {has} {what}: {', '.join(named[:NAMED])}{more}."]
