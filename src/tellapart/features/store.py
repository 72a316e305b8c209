"""The feature store: what an encoder saw in each picture, computed once.

Reads   batches of features, in the data set's order
Writes  `features/`: `regions.npy` (half precision, pictures × regions × channels, memory-mapped),
        `index.json` (which picture is which row), `skipped.jsonl` (which could not be used, and
        why) and `store.json` (encoder, preprocessing, source; whether it is complete)
Paper   Sec. 4.2: "the 2048 × 7 × 7 features before the average pooling layer"

Every picture of the data set has a row; that of a skipped one stays zero and is in no index. A
batch counts only once its line is in `journal.jsonl`, after its bytes are on the disk. So a kill
at any moment loses at most the batch under way, and a rerun goes on there with the same bytes.
"""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float16, Int

from tellapart.artefacts import fingerprint, read_json, require_same, write_atomically, write_json
from tellapart.data.records import Record
from tellapart.errors import UserError

PRODUCTS = ("regions.npy", "index.json", "skipped.jsonl", "journal.jsonl")


@dataclass(frozen=True)
class StoreDescription:
    """What a store holds and what it was made from."""

    encoder: Mapping[str, Any]
    """The encoder's own description, with its preprocessing and its fingerprint."""

    source: str
    """Fingerprint of the pictures: their ids and file sizes, in order."""

    pictures: int
    regions: int
    channels: int

    @property
    def shape(self) -> tuple[int, int, int]:
        """The array's shape."""
        return self.pictures, self.regions, self.channels

    @property
    def row_bytes(self) -> int:
        """Bytes of one picture's features."""
        return self.regions * self.channels * np.dtype(np.float16).itemsize


def fingerprint_pictures(records: Sequence[Record]) -> str:
    """Changes when a picture is added, removed, renamed, moved in order or changed in size."""
    return fingerprint([[record.id, _file_size(record.picture)] for record in records])


def _file_size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return -1


class StoreWriter:
    """Fills a store batch by batch; opened on an unfinished one, it goes on where that stopped.

    Hold the folder (`artefacts.hold_folder`) while one is in use: there can be only one writer.
    """

    def __init__(
        self, folder: Path, description: StoreDescription, records: Sequence[Record]
    ) -> None:
        self.folder = folder
        self.description = description
        self.records = tuple(records)
        self.skipped: dict[int, str] = {}
        self.done = 0
        self.complete = False
        if (folder / "store.json").exists():
            self._go_on()
        else:
            self._create()

    def write(
        self, features: Float16[np.ndarray, "rows regions channels"], unusable: Mapping[int, str]
    ) -> None:
        """Write the next rows; `unusable` gives the reason for those of them that stay zero."""
        with (self.folder / "regions.npy").open("r+b") as file:
            file.seek(self._header_bytes + self.done * self.description.row_bytes)
            file.write(np.ascontiguousarray(features).tobytes())
            file.flush()
            os.fsync(file.fileno())
        skipped = {self.done + row: reason for row, reason in unusable.items()}
        self.done += len(features)
        self.skipped |= skipped
        with (self.folder / "journal.jsonl").open("a", encoding="utf-8") as journal:
            journal.write(json.dumps({"done": self.done, "skipped": skipped}) + "\n")

    def finish(self) -> None:
        """Write the index and declare the store complete."""
        if self.done != self.description.pictures:
            raise ValueError(f"only {self.done} of {self.description.pictures} rows are written")
        ids = [record.id for record in self.records]
        rows = {id: row for row, id in enumerate(ids) if row not in self.skipped}
        lines = [
            json.dumps(
                {"id": ids[row], "picture": str(self.records[row].picture), "reason": reason}
            )
            + "\n"
            for row, reason in sorted(self.skipped.items())
        ]
        write_json(self.folder / "index.json", rows)
        write_atomically(self.folder / "skipped.jsonl", "".join(lines))
        self._describe(complete=True)
        (self.folder / "journal.jsonl").unlink(missing_ok=True)
        self.complete = True

    def _create(self) -> None:
        """Say whose folder this is, then make the array; nothing of anybody else is overwritten."""
        foreign = [name for name in PRODUCTS if (self.folder / name).exists()]
        if foreign:
            raise UserError(
                f"{self.folder} holds a {foreign[0]} but no store.json that says what it is; "
                "choose another --out, or move that file away."
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        _require_room(self.folder, self.description)
        self._describe(complete=False)
        self._allocate()

    def _allocate(self) -> None:
        with (self.folder / "regions.npy").open("wb") as file:
            np.lib.format.write_array_header_2_0(file, self._header)
            file.truncate(file.tell() + self.description.pictures * self.description.row_bytes)
        (self.folder / "journal.jsonl").write_text("", encoding="utf-8")

    def _describe(self, *, complete: bool) -> None:
        write_json(self.folder / "store.json", {**asdict(self.description), "complete": complete})

    def _go_on(self) -> None:
        """Take over a store that was begun, or finished; refuse what is not ours or is damaged."""
        self.complete = self._require_ours()["complete"]
        journal = self.folder / "journal.jsonl"
        if self.complete:
            FeatureStore.open(self.folder)
            self.done = self.description.pictures
            self.skipped = _read_skipped(self.folder, self.records)
            journal.unlink(missing_ok=True)
        elif not journal.exists():  # killed before the array was made
            self._allocate()
        else:
            _open_array(self.folder, self.description)
            self._take_over(journal)

    def _require_ours(self) -> dict[str, Any]:
        """Refuse to go on with a store of another encoder or of other pictures."""
        found = _read_description(self.folder)
        require_encoder(
            self.description.encoder,
            found["encoder"],
            store=self.folder,
            advice="Name that encoder and size again, or choose another --out.",
        )
        require_same(
            {"the source fingerprint": self.description.source},
            {"the source fingerprint": found["source"]},
            artefact=f"The feature store {self.folder} was made from other pictures: it",
            advice="Choose another --out, or delete the folder to make it anew.",
        )
        return found

    def _take_over(self, journal: Path) -> None:
        """Believe what the journal vouches for; a last line cut short was never finished."""
        whole = journal.read_text(encoding="utf-8").rpartition("\n")[0]
        try:
            entries = [json.loads(line) for line in whole.split("\n") if line]
            for entry in entries:
                self.done = int(entry["done"])
                self.skipped |= {int(row): reason for row, reason in entry["skipped"].items()}
        except (ValueError, KeyError, TypeError, AttributeError):
            raise _damaged(self.folder, "journal.jsonl") from None
        write_atomically(journal, whole + "\n" if whole else "")

    @property
    def _header(self) -> dict[str, Any]:
        return {"descr": "<f2", "fortran_order": False, "shape": self.description.shape}

    @cached_property
    def _header_bytes(self) -> int:
        with (self.folder / "regions.npy").open("rb") as file:
            np.lib.format.read_magic(file)
            np.lib.format.read_array_header_2_0(file)
            return file.tell()


@dataclass(frozen=True)
class FeatureStore:
    """A finished store, opened for reading; the array stays on the disk until it is touched."""

    folder: Path
    description: StoreDescription
    regions: Float16[np.ndarray, "pictures regions channels"]
    rows: Mapping[str, int]
    """The row of every picture that could be used, by id."""

    @classmethod
    def open(cls, folder: Path) -> "FeatureStore":
        """Open a store, or say what is missing."""
        settings = _read_description(folder)
        if not settings.pop("complete"):
            raise UserError(f"{folder} is not finished: run the same `tellapart features` again.")
        description = StoreDescription(**settings)
        rows = read_json(folder / "index.json") if (folder / "index.json").exists() else None
        if not isinstance(rows, dict):
            raise _damaged(folder, "index.json")
        return cls(folder, description, _open_array(folder, description), rows)

    def rows_of(self, ids: Sequence[str]) -> Int[np.ndarray, " ids"]:
        """The rows of these pictures, in this order."""
        missing = [id for id in ids if id not in self.rows]
        if missing:
            raise UserError(
                f"{self.folder} has no features of {len(missing):,} pictures, the first of them "
                f"{missing[0]}; its skipped.jsonl says which could not be read."
            )
        return np.array([self.rows[id] for id in ids], dtype=np.int64)

    def require_encoder(self, encoder: Mapping[str, Any], *, wanted_by: str) -> None:
        """Refuse features that another encoder made than the one a model was trained with."""
        require_encoder(
            encoder,
            self.description.encoder,
            store=self.folder,
            advice=f"{wanted_by} needs features of its own encoder; make them in another folder.",
        )


def require_encoder(
    wanted: Mapping[str, Any], found: Mapping[str, Any], *, store: Path, advice: str
) -> None:
    """Two encoders are the same when their fingerprints are, whatever they are called."""
    if wanted["fingerprint"] != found.get("fingerprint"):
        require_same(
            {"the encoder": _label(wanted)},
            {"the encoder": _label(found)},
            artefact=f"The feature store {store}",
            advice=advice,
        )


def _label(encoder: Mapping[str, Any]) -> str:
    size = encoder.get("preprocessing", {}).get("size", "?")
    return f"{encoder.get('name')} at {size} pixels ({encoder.get('fingerprint')})"


def _read_description(folder: Path) -> dict[str, Any]:
    """What `store.json` says, if it says all it should."""
    found = read_json(folder / "store.json")
    names = {"complete", *(field.name for field in fields(StoreDescription))}
    if not isinstance(found, dict) or found.keys() != names:
        raise _damaged(folder, "store.json")
    return found


def _open_array(folder: Path, description: StoreDescription) -> Float16[np.ndarray, "..."]:
    """The array on the disk, if it is whole."""
    try:
        array = np.lib.format.open_memmap(folder / "regions.npy", mode="r")
    except (OSError, ValueError):
        raise _damaged(folder, "regions.npy") from None
    if array.shape != description.shape or array.dtype != np.float16:
        raise _damaged(folder, "regions.npy")
    return array


def _read_skipped(folder: Path, records: Sequence[Record]) -> dict[int, str]:
    """The rows of a finished store that hold nothing, and why."""
    row_of = {record.id: row for row, record in enumerate(records)}
    try:
        lines = (folder / "skipped.jsonl").read_text(encoding="utf-8").split("\n")
        entries = [json.loads(line) for line in lines if line]
        return {row_of[entry["id"]]: entry["reason"] for entry in entries}
    except (OSError, ValueError, KeyError, TypeError):
        raise _damaged(folder, "skipped.jsonl") from None


def _damaged(folder: Path, name: str) -> UserError:
    return UserError(
        f"The feature store {folder} is damaged: its {name} is missing or not what it should be; "
        "delete the folder and run `tellapart features` again."
    )


def _require_room(folder: Path, description: StoreDescription) -> None:
    needed = description.pictures * description.row_bytes
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise UserError(
            f"The features need {needed / 1e6:,.1f} MB, but {folder} has only {free / 1e6:,.1f} MB "
            "free; choose another --out, or a smaller --size."
        )
