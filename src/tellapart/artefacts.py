"""Folders that say what made them: atomic JSON files, fingerprints, and refusing a mismatch.

Reads   any artefact's settings
Writes  JSON files that are either the old ones or the new ones, never half of either
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tellapart.errors import UserError

try:
    import fcntl
except ImportError:  # Windows has no advisory locks; there the user must not start us twice
    fcntl = None


def canonical_json(value: Any) -> str:
    """The one spelling of a JSON value: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def fingerprint(value: Any) -> str:
    """Sixteen hexadecimal digits that change when the JSON value does."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:16]


def write_atomically(path: Path, text: str) -> None:
    """Replace a file's text so that a kill at any moment leaves the old or the new one.

    A link stays a link, its target is replaced. A pipe or a device is written to, never replaced.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8") as file:
            file.write(text)
        return
    replace_file(path, text.encode("utf-8"))


def replace_file(path: Path, content: bytes) -> None:
    """Write a draft beside the file, see it onto the disk, and let it take the file's place."""
    draft = path.with_name(f".{path.name}.draft")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def require_writable(path: Path) -> None:
    """Refuse a place for a file before any work is done for it."""
    if path.is_dir():
        raise UserError(f"{path} is a folder; name a file to write to.")
    if not path.absolute().parent.is_dir():
        raise UserError(f"The folder {path.absolute().parent} does not exist; make it first.")


def write_json(path: Path, value: Any) -> None:
    """Write a JSON value for people to read: indented, a final newline, atomically."""
    write_atomically(path, json.dumps(value, indent=2) + "\n")


def read_json(path: Path) -> Any:
    """Read a JSON file, or say in one sentence why that cannot be done."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise UserError(f"{path} does not exist.") from None
    except IsADirectoryError:
        raise UserError(f"{path} is a folder, not a JSON file.") from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is not UTF-8 text, so it is not JSON.") from None
    except (ValueError, RecursionError) as error:  # bad JSON, or a number of thousands of digits
        raise UserError(f"{path} is not valid JSON: {error}.") from None


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Keep a folder to ourselves while we write into it; a killed process lets go by dying."""
    folder.mkdir(parents=True, exist_ok=True)
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        _lock(handle, folder)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path) -> None:
    assert fcntl is not None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UserError(
            f"Another tellapart is writing into {folder}; wait for it, or choose another --out."
        ) from None


def require_same(
    expected: Mapping[str, Any], found: Mapping[str, Any], *, artefact: str, advice: str
) -> None:
    """Refuse an artefact that was made from something else.

    The message names the first settings that differ and what to do about it.
    """
    differences = [
        f"{key} is {found.get(key)!r} there but {value!r} here"
        for key, value in expected.items()
        if found.get(key) != value
    ]
    if differences:
        raise UserError(f"{artefact} does not fit: {'; '.join(differences)}. {advice}")
