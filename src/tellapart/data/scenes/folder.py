"""The folder of a generated data set: what is in it, whose it is, whether it is whole.

Reads   the names in a folder, settings.json, unfinished.json
Writes  nothing; removes the pictures of an unfinished data set before it is made anew

A run of ours writes unfinished.json before anything else and renames it to settings.json after
everything else, so a folder with neither is not ours, and nothing in it is touched.
"""

import re
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from tellapart.artefacts import read_json, require_same
from tellapart.errors import UserError

VERSION = 2
"""Counts up whenever the same settings would make other files."""
SPLITS = {"labelled": "train", "unlabelled": "train", "val": "val", "test": "test"}
FINISHED, UNFINISHED = "settings.json", "unfinished.json"
PRODUCTS = ("dataset.json", "scenes.json", "contact-sheet.png")
PICTURE = re.compile(rf"images/({'|'.join(SPLITS)})-\d{{5,}}\.jpg")
SMALLEST, LARGEST = 32, 4096
ADVICE = "Choose another folder, or delete this one to have it made anew."


@dataclass(frozen=True)
class Settings:
    """What determines every byte of the folder."""

    labelled: int
    unlabelled: int
    val: int
    test: int
    size: int
    seed: int
    version: int = VERSION

    @property
    def counts(self) -> dict[str, int]:
        """How many pictures each part has."""
        return {part: getattr(self, part) for part in SPLITS}


def check(folder: Path, settings: Settings) -> None:
    """Refuse what cannot be made."""
    counts = settings.counts.values()
    if min(counts) < 0 or sum(counts) == 0 or not SMALLEST <= settings.size <= LARGEST:
        raise UserError(
            "Scenes need counts of 0 or more, at least one picture, "
            f"and a size of {SMALLEST} to {LARGEST} pixels."
        )
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file. Choose a folder for the generated data set.")


def is_complete(folder: Path, settings: Settings) -> bool:
    """Whether the data set is there; refuse one of other settings, or one that lost files."""
    if not (folder / FINISHED).exists():
        return False
    found = read_json(folder / FINISHED)
    if not isinstance(found, dict):
        raise UserError(f"{folder / FINISHED} does not hold the settings of a data set. {ADVICE}")
    artefact = f"The generated data set in {folder}"
    require_same(asdict(settings), found, artefact=artefact, advice=ADVICE)
    missing = sorted(list_products(settings) - set(list_names(folder)))
    if missing:
        raise UserError(
            f"{artefact} lacks {len(missing)} of its files, such as {missing[0]}. {ADVICE}"
        )
    return True


def clear(folder: Path) -> None:
    """Make way: remove the pictures of an unfinished data set, refuse a folder of anything else."""
    names = list_names(folder)
    ours = is_ours if is_marked(folder) else lambda name: name == f".{UNFINISHED}.draft"
    foreign = [name for name in names if not ours(name)]
    if foreign:
        raise UserError(
            f"{folder} holds files that are not generated scenes, such as {foreign[0]}. "
            "Choose an empty or a new folder."
        )
    for name in names:
        if PICTURE.fullmatch(name):
            (folder / name).unlink()


def is_marked(folder: Path) -> bool:
    """Whether a run of ours began here and did not end."""
    if not (folder / UNFINISHED).exists():
        return False
    found = read_json(folder / UNFINISHED)
    return isinstance(found, dict) and set(found) == {field.name for field in fields(Settings)}


def is_ours(name: str) -> bool:
    """Whether an unfinished run of ours may have left a file of this name."""
    written = (*PRODUCTS, UNFINISHED)
    drafts = [f".{product}.draft" for product in written]
    return name in written or name in drafts or bool(PICTURE.fullmatch(name))


def list_names(folder: Path) -> list[str]:
    """What the folder and its images/ hold."""
    images = folder / "images"
    inside = [f"images/{path.name}" for path in images.iterdir()] if images.is_dir() else []
    beside = [path.name for path in folder.iterdir() if path != images or not path.is_dir()]
    return sorted(beside) + sorted(inside)


def list_products(settings: Settings) -> set[str]:
    """The names of all files of a finished data set, but for its settings."""
    pictures = {
        f"images/{name_picture(part, number)}"
        for part, count in settings.counts.items()
        for number in range(count)
    }
    return pictures | set(PRODUCTS)


def name_picture(part: str, number: int) -> str:
    """The file name of a picture."""
    return f"{part}-{number:05}.jpg"
