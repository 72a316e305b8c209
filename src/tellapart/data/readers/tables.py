"""Readers of tables: CSV and its cousins, `metadata.jsonl`, and Flickr8k's token file.

Reads   one row per picture or per caption; columns are recognised by their usual names
Writes  records; rows of one picture become one record
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tellapart.data.pictures import is_picture_name
from tellapart.data.readers.places import Places
from tellapart.data.records import Dataset, Split, group_captions, parse_split
from tellapart.errors import UserError

PICTURE_COLUMNS = ("file_name", "filename", "image", "image_name", "picture", "path", "file")
CAPTION_COLUMNS = ("caption", "captions", "text", "sentences", "sentence", "comment", "description")
SPLIT_COLUMNS = ("split", "subset")


def read_text(path: Path) -> str:
    """A text file's content, or one sentence about why it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(
            f"{path} is not UTF-8 text (byte {error.start:,}); save it as UTF-8."
        ) from None
    except FileNotFoundError:
        raise UserError(f"{path} does not exist.") from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}.") from None


def read_csv(path: Path, places: Places, *, split: Split = "train") -> Dataset:
    """Columns for picture and caption, perhaps split; `,` `;` `|` or tab between them."""
    return group_captions(
        (_record_row(row, path, places, split, line) for line, row in read_csv_rows(path)),
        where=path.name,
    )


def read_jsonl(path: Path, places: Places, *, split: Split = "train") -> Dataset:
    """One JSON object per line, as Hugging Face's image folders have it."""
    return group_captions(
        (_record_row(row, path, places, split, line) for line, row in read_jsonl_rows(path)),
        where=path.name,
    )


def read_flickr_tokens(path: Path, places: Places) -> Dataset:
    """Lines `picture.jpg#0<tab>caption`; the split lists beside the file are applied later."""

    def rows() -> Iterator[tuple[str, Path, list[str], Split]]:
        for line, text in enumerate(read_text(path).split("\n"), start=1):
            if not text.strip():
                continue
            key, tab, caption = text.partition("\t")
            name, mark, _ = key.rpartition("#")
            if not tab or not mark:
                raise UserError(f"{path}, line {line}: expected 'picture.jpg#0<tab>caption'.")
            yield name, places.find(name), [caption], "train"

    return group_captions(rows(), where=path.name)


def _record_row(
    row: Mapping[str, Any], path: Path, places: Places, split: Split, line: int
) -> tuple[str, Path, list[str], Split]:
    name = _first(row, PICTURE_COLUMNS)
    if not name or not isinstance(name, str):
        raise UserError(f"{path}, line {line}: no picture; name it in a column 'file_name'.")
    if (named := _first(row, SPLIT_COLUMNS)) is not None:
        split = parse_split(str(named), where=f"{path}, line {line}")
    return name, places.find(name), _captions_in(row, path, line), split


def _captions_in(row: Mapping[str, Any], path: Path, line: int) -> list[str]:
    value = _first(row, CAPTION_COLUMNS)
    captions = [] if value is None else value if isinstance(value, list) else [value]
    if not all(isinstance(caption, str) for caption in captions):
        raise UserError(f"{path}, line {line}: the caption is not a text but {str(value)[:40]!r}.")
    return captions


def _first(row: Mapping[str, Any], columns: tuple[str, ...]) -> Any:
    """The first of these columns that holds anything."""
    return next((row[name] for name in columns if row.get(name) not in (None, "")), None)


def read_jsonl_rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Line numbers and objects of a JSON lines file."""
    # Only "\n" ends a line: a caption may hold U+2028, at which str.splitlines would cut it.
    for line, text in enumerate(read_text(path).split("\n"), start=1):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise UserError(f"{path}, line {line}: not valid JSON: {error}.") from None
        if not isinstance(row, dict):
            raise UserError(f"{path}, line {line}: expected a JSON object per line.")
        yield line, row


def read_csv_rows(
    path: Path, picture_columns: Sequence[str] = PICTURE_COLUMNS
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Line numbers and rows of a CSV file, by column name in lower case."""
    text = read_text(path)
    if not text.strip():
        raise UserError(f"{path} is empty; it needs a header row with 'file_name' and 'caption'.")
    delimiter = _delimiter(text)
    quoting = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
    header: list[str] | None = None
    try:
        for cells in reader:
            cells = [cell.strip() for cell in cells]
            if header is None:
                header = _header(cells, path, picture_columns)
                if header == [cell.lower() for cell in cells]:
                    continue
            if any(cells):
                where = f"{path}, line {reader.line_num}"
                yield reader.line_num, _named_cells(header, cells, delimiter, where)
    except csv.Error as error:
        raise UserError(f"{path}, line {reader.line_num}: not readable as CSV: {error}.") from None


def _named_cells(
    header: Sequence[str], cells: Sequence[str], delimiter: str, where: str
) -> dict[str, str]:
    """The row by column; delimiters in a caption that nobody quoted belong to the caption."""
    if len(cells) > len(header):
        if header[-1] not in CAPTION_COLUMNS:
            raise UserError(
                f"{where}: {len(cells)} cells for {len(header)} columns; put quotes around "
                "captions that hold the delimiter, or make the caption the last column."
            )
        spare = f"{delimiter} ".join(cells[len(header) - 1 :])
        cells = [*cells[: len(header) - 1], spare]
    return dict(zip(header, cells, strict=False))


def _header(cells: list[str], path: Path, picture_columns: Sequence[str]) -> list[str]:
    """The column names; those of a file without a header are picture, caption."""
    names = [cell.lower() for cell in cells]
    if any(name in picture_columns for name in names):
        return names
    if len(cells) >= 2 and is_picture_name(cells[0]):
        return ["file_name", "caption"]
    raise UserError(
        f"{path} has the columns {', '.join(cells[:6])}; "
        f"one must be called {picture_columns[0]!r}, and one 'caption'."
    )


def _delimiter(text: str) -> str:
    """The likeliest delimiter: the one the first line has most of."""
    first = text.lstrip().split("\n", 1)[0]
    return max(",;|\t", key=first.count)
