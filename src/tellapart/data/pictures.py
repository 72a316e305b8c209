"""Opening pictures: whatever a camera, a browser or a scanner left becomes upright 8-bit RGB.

Reads   one picture file, or a folder tree of them
Writes  a Pillow picture in RGB; or a `PictureError` whose message is the reason it cannot be used
"""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

PICTURE_ENDINGS = (
    *(".jpg", ".jpeg", ".jpe", ".jfif", ".jp2", ".png", ".apng", ".webp", ".gif", ".avif"),
    *(".bmp", ".dib", ".tif", ".tiff", ".tga", ".pbm", ".pgm", ".ppm", ".pnm", ".heic", ".heif"),
)
"""File name endings that promise a picture; what does not keep the promise is reported."""

REASONS = {
    errno.ENOENT: "no such file",
    errno.EACCES: "no permission to read it",
    errno.EPERM: "no permission to read it",
    errno.ELOOP: "the symbolic link leads back to itself",
    errno.ENAMETOOLONG: "the file name is too long",
    errno.ENOTDIR: "no such file",
}


class PictureError(Exception):
    """Why a picture cannot be used, as a short phrase: it is skipped, counted and listed."""


def open_picture(path: Path, *, at_least: int | None = None) -> Image.Image:
    """Open a picture upright, in RGB, transparent parts on white, the first frame if it moves.

    With `at_least`, a big JPEG is decoded at a fraction of its size, its sides never below that.
    """
    with _plain_reasons(), open(path, "rb", opener=_open_without_waiting) as file:
        _require_content(os.fstat(file.fileno()))
        with Image.open(file) as picture:
            if at_least is not None:
                picture.draft("RGB", (at_least, at_least))
            picture.load()
            return _to_rgb(_upright(picture))


def find_pictures(folder: Path) -> tuple[list[Path], list[Path]]:
    """All picture files under a folder, sorted, and the folders that could not be listed.

    Hidden ones are left out. Links are followed, each real folder once, so that a loop ends.
    """
    pictures: list[Path] = []
    closed: list[Path] = []
    seen: set[tuple[int, int]] = set()
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            identity = here.stat().st_dev, here.stat().st_ino
            entries = sorted(os.scandir(here), key=lambda entry: entry.name)
        except OSError:
            closed.append(here)
            continue
        if identity in seen:
            continue
        seen.add(identity)
        visible = [entry for entry in entries if not entry.name.startswith((".", "__MACOSX"))]
        pictures += [here / e.name for e in visible if _promises_a_picture(e)]
        waiting += [here / e.name for e in visible if _is_folder(e)]
    return sorted(pictures), sorted(closed)


def is_picture_name(name: str) -> bool:
    """Whether a file name's ending promises a picture."""
    return name.lower().endswith(PICTURE_ENDINGS)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    # A link that leads back to itself is no folder, but must not stop the walk either.
    with suppress(OSError):
        return entry.is_dir()
    return False


def _promises_a_picture(entry: os.DirEntry[str]) -> bool:
    return is_picture_name(entry.name) and not _is_folder(entry)


def _open_without_waiting(path: str, flags: int) -> int:
    # A pipe named *.jpg would otherwise keep us waiting for somebody to write into it.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _require_content(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise PictureError("not a regular file")
    if status.st_size == 0:
        raise PictureError("the file is empty")


@contextmanager
def _plain_reasons() -> Iterator[None]:
    """Turn whatever opening and decoding raise into a reason people understand."""
    try:
        yield
    except PictureError:
        raise
    except UnidentifiedImageError:
        raise PictureError("not a picture in a format that Pillow reads") from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PictureError(f"too large to be a photograph: {_size_in(error)}") from None
    except IsADirectoryError:
        raise PictureError("it is a folder") from None
    except OSError as error:
        raise PictureError(REASONS.get(error.errno or 0) or _broken(error)) from None
    except MemoryError:
        raise PictureError("too large for this machine's memory") from None
    except Exception as error:  # decoders raise anything at all on broken files
        raise PictureError(_broken(error)) from None


def _size_in(error: Exception | Warning) -> str:
    found = re.search(r"(\d+) pixels", str(error))
    return f"{int(found[1]):,} pixels" if found else str(error)


def _broken(error: Exception) -> str:
    detail = str(error).strip().rstrip(".") or type(error).__name__
    if "truncated" in detail.lower():
        return "the file is cut short"
    return f"the file is broken: {detail}"


def _upright(picture: Image.Image) -> Image.Image:
    # Damaged EXIF says nothing about the pixels: such a picture is kept as it lies.
    with suppress(Exception):
        return ImageOps.exif_transpose(picture)
    return picture.copy()


def _to_rgb(picture: Image.Image) -> Image.Image:
    if picture.mode in {"I", "F"} or picture.mode.startswith("I;16"):
        picture = Image.fromarray(_to_bytes(np.asarray(picture), sixteen_bit=picture.mode != "F"))
    if picture.has_transparency_data:
        coloured = picture.convert("RGBA")
        white = Image.new("RGBA", coloured.size, "white")
        picture = Image.alpha_composite(white, coloured)
    return picture.convert("RGB")


def _to_bytes(values: np.ndarray, *, sixteen_bit: bool) -> np.ndarray:
    """Bring deep greys to 0…255. Pillow's own conversion cuts everything above 255 to white."""
    values = np.nan_to_num(values.astype(np.float32), nan=0.0, posinf=0.0, neginf=0.0)
    highest = float(values.max())
    usual = (65535.0,) if sixteen_bit else (1.0, 255.0, 65535.0)
    full_scale = next((scale for scale in usual if highest <= scale), highest)
    return (values * (255.0 / full_scale)).clip(0.0, 255.0).round().astype(np.uint8)
