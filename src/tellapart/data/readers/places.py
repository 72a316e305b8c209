"""Where the pictures are that an annotation file names.

Reads   folder listings
Writes  paths; a picture found nowhere keeps the likeliest path and is reported when it is opened
"""

import os
from collections.abc import Sequence
from pathlib import Path


class Places:
    """The folders to look in, the one that answered last first.

    `elsewhere` is looked into only as long as nothing was found in the folders proper: a picture
    that is missing must not be replaced by its namesake in somebody else's data set.
    """

    def __init__(self, folders: Sequence[Path], elsewhere: Sequence[Path] = ()) -> None:
        self._folders = list(folders)
        self._elsewhere = list(elsewhere)

    @classmethod
    def around(cls, annotations: Path, given: Sequence[Path] = ()) -> "Places":
        """The folders given, or else those where the pictures of an annotation file usually lie.

        That is its own folder, the folders in it, and the folders beside it.
        """
        if given:
            return cls(given)
        own = annotations.parent
        return cls([own, *_folders_in(own)], elsewhere=_folders_in(own.resolve().parent))

    def find(self, *names: str) -> Path:
        """The first of the names that exists in any folder."""
        for folders in (self._folders, self._elsewhere):
            for folder in folders:
                for name in names:
                    if os.path.exists(folder / name):  # noqa: PTH110 - pathlib raises on odd names
                        self._settle_on(folders, folder)
                        return folder / name
        return self._folders[0] / names[0]

    def _settle_on(self, folders: list[Path], folder: Path) -> None:
        self._folders = [folder, *(other for other in folders if other != folder)]
        self._elsewhere = []


def _folders_in(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    return [entry for entry in entries if entry.is_dir() and not entry.name.startswith(".")]
