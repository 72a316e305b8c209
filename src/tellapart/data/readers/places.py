"""Where the pictures are that an annotation file names.

Reads   folder listings
Writes  paths; a picture found nowhere keeps the likeliest path and is reported when it is opened
"""

import os
from collections.abc import Sequence
from pathlib import Path


class Places:
    """The folders to look in, the one that answered last first."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = list(folders)

    @classmethod
    def around(cls, annotations: Path, given: Sequence[Path] = ()) -> "Places":
        """The folders given, or else those where the pictures of an annotation file usually lie.

        That is its own folder, the folders in it, and the folders beside it.
        """
        if given:
            return cls(given)
        own = annotations.parent
        return cls([own, *_folders_in(own), *_folders_in(own.resolve().parent)])

    def find(self, *names: str) -> Path:
        """The first of the names that exists in any folder."""
        for index, folder in enumerate(self._folders):
            for name in names:
                if os.path.exists(folder / name):  # noqa: PTH110 - pathlib raises on odd names
                    self._folders.insert(0, self._folders.pop(index))
                    return folder / name
        return self._folders[0] / names[0]


def _folders_in(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    return [entry for entry in entries if entry.is_dir() and not entry.name.startswith(".")]
