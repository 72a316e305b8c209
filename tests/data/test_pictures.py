"""Every odd picture opens as people see it; every broken one has its sentence."""

import io
import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tellapart.data.pictures import PictureError, find_pictures, open_picture

Build = Callable[[Path], None]
RED, WHITE = (255, 0, 0), (255, 255, 255)


def encoded(picture: Image.Image, format: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, format, **options)
    return buffer.getvalue()


def noise(width: int = 40, height: int = 30) -> Image.Image:
    values = np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return Image.fromarray(values)


JPEG = encoded(noise(), "JPEG")
PNG = encoded(noise(), "PNG")


def holding(content: bytes) -> Build:
    def build(path: Path) -> None:
        path.write_bytes(content)

    return build


def png_claiming(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header promises an enormous picture."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0")
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    )


def with_bad_checksum(png: bytes) -> bytes:
    at = png.index(b"IDAT") + 60
    return png[:at] + bytes([png[at] ^ 0xFF]) + png[at + 1 :]


BROKEN: dict[str, tuple[Build, str]] = {
    "zero bytes": (holding(b""), "the file is empty"),
    "text": (holding(b"hello, I am not a picture"), "not a picture in a format that Pillow reads"),
    "web page": (holding(b"<!DOCTYPE html><html>404"), "not a picture in a format that Pillow"),
    "zip archive": (holding(b"PK\x03\x04" + bytes(60)), "not a picture in a format that Pillow"),
    "random bytes": (holding(bytes(range(256)) * 4), "not a picture in a format that Pillow reads"),
    "JPEG cut in half": (holding(JPEG[: len(JPEG) // 2]), "the file is cut short"),
    "JPEG header alone": (holding(JPEG[:20]), "not a picture in a format that Pillow reads"),
    "PNG cut in half": (holding(PNG[: len(PNG) // 2]), "the file is cut short"),
    "PNG signature alone": (holding(PNG[:8]), "not a picture in a format that Pillow reads"),
    "PNG with a damaged body": (holding(with_bad_checksum(PNG)), "the file is broken"),
    "GIF cut short": (
        holding(encoded(noise().convert("P"), "GIF")[:1000]),
        "the file is cut short",
    ),
    "WebP cut short": (holding(encoded(noise(), "WEBP")[:40]), "the file is broken"),
    "TIFF cut short": (holding(encoded(noise(), "TIFF")[:50]), "the file is"),
    "BMP cut short": (holding(encoded(noise(), "BMP")[:80]), "the file is cut short"),
    "decompression bomb": (
        holding(png_claiming(60_000, 60_000)),
        "too large to be a photograph: 3,600,000,000 pixels$",
    ),
    "missing": (lambda _: None, "no such file"),
    "folder": (lambda path: path.mkdir(), "it is a folder"),
    "link to nothing": (lambda path: path.symlink_to("nowhere.jpg"), "no such file"),
    "link to itself": (
        lambda path: path.symlink_to(path),
        "the symbolic link leads back to itself",
    ),
    "named pipe": (lambda path: os.mkfifo(path), "not a regular file"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_picture_has_its_sentence(kind, tmp_path):
    build, sentence = BROKEN[kind]
    build(tmp_path / "picture.jpg")
    with pytest.raises(PictureError, match=sentence):
        open_picture(tmp_path / "picture.jpg")


def test_a_picture_we_may_not_read(tmp_path, as_ordinary_user):
    path = tmp_path / "secret.jpg"
    path.write_bytes(JPEG)
    path.chmod(0)
    with as_ordinary_user(), pytest.raises(PictureError, match="no permission to read it"):
        open_picture(path)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("a" * 300 + ".jpg", "the file name is too long"), ("nul\0byte.jpg", "embedded null byte")],
)
def test_a_name_no_file_can_have(name, sentence, tmp_path):
    with pytest.raises(PictureError, match=sentence):
        open_picture(tmp_path / name)


def opened(path: Path, content: bytes) -> np.ndarray:
    path.write_bytes(content)
    picture = open_picture(path)
    assert picture.mode == "RGB"
    return np.asarray(picture)


def test_exif_orientation_is_applied(tmp_path):
    left_red = Image.new("RGB", (40, 20), "blue")
    left_red.paste(RED, (0, 0, 20, 20))
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned: show it rotated clockwise
    pixels = opened(tmp_path / "a.jpg", encoded(left_red, "JPEG", exif=exif, quality=95))
    assert pixels.shape == (40, 20, 3)
    assert pixels[5, 10, 0] > 200  # red is on top now
    assert pixels[35, 10, 2] > 200


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
def test_damaged_exif_does_not_cost_the_picture(tmp_path):
    content = encoded(noise(), "JPEG", exif=b"Exif\0\0MM\0*\xff\xff\xff\xff" + bytes(30))
    assert opened(tmp_path / "a.jpg", content).shape == (30, 40, 3)


def test_cmyk(tmp_path):
    pixels = opened(
        tmp_path / "a.jpg", encoded(Image.new("RGB", (32, 32), RED).convert("CMYK"), "JPEG")
    )
    assert np.allclose(pixels[16, 16], RED, atol=12)


def test_sixteen_bit_greys_keep_their_brightness(tmp_path):
    half_grey = Image.fromarray(np.full((8, 8), 32768, dtype=np.uint16))
    pixels = opened(tmp_path / "a.png", encoded(half_grey, "PNG"))
    assert (pixels == 128).all()


@pytest.mark.parametrize(("value", "expected"), [(0.5, 128), (100.0, 100), (1e6, 255), (np.nan, 0)])
def test_floating_point_greys(value, expected, tmp_path):
    grey = Image.fromarray(np.full((4, 4), value, dtype=np.float32))
    assert (opened(tmp_path / "a.tiff", encoded(grey, "TIFF")) == expected).all()


def test_palette_with_and_without_a_transparent_colour(tmp_path):
    picture = Image.new("P", (8, 8), 1)
    picture.putpalette([0, 0, 255, *RED])
    assert (opened(tmp_path / "a.png", encoded(picture, "PNG")) == RED).all()
    assert (opened(tmp_path / "b.png", encoded(picture, "PNG", transparency=1)) == WHITE).all()


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparent_parts_are_white(mode, tmp_path):
    nothing = Image.new(mode, (8, 8))
    assert (opened(tmp_path / "a.png", encoded(nothing, "PNG")) == WHITE).all()


@pytest.mark.parametrize("format", ["GIF", "PNG", "WEBP"])
def test_the_first_frame_of_a_moving_picture(format, tmp_path):
    first, second = Image.new("RGB", (8, 8), RED), Image.new("RGB", (8, 8), "blue")
    content = encoded(first, format, save_all=True, append_images=[second])
    assert np.allclose(opened(tmp_path / "a.gif", content)[4, 4], RED, atol=8)


def test_progressive_and_black_and_white(tmp_path):
    assert opened(tmp_path / "a.jpg", encoded(noise(), "JPEG", progressive=True)).shape == (
        30,
        40,
        3,
    )
    assert opened(tmp_path / "b.png", encoded(Image.new("1", (8, 8), 1), "PNG")).min() == 255


def test_a_big_jpeg_is_decoded_small_but_never_too_small(tmp_path):
    path = tmp_path / "big.jpg"
    Image.new("RGB", (4000, 2000), RED).save(path)
    assert open_picture(path).size == (4000, 2000)
    width, height = open_picture(path, at_least=448).size
    assert (width, height) == (1000, 500)


def test_odd_names_hidden_files_and_loops_in_a_folder(tmp_path):
    (tmp_path / "inner").mkdir()
    for name in ("b.JPG", "ä ö\n%20.png", "inner/c.webp", ".hidden.jpg", "notes.txt", "d.heic"):
        (tmp_path / name).write_bytes(PNG)
    (tmp_path / "inner" / "back").symlink_to(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "loop.png").symlink_to("loop.png")
    (tmp_path / os.fsdecode(b"\xff.gif")).write_bytes(PNG)
    pictures, closed = find_pictures(tmp_path)
    names = [str(path.relative_to(tmp_path)) for path in pictures]
    assert sorted(names) == sorted(
        ["b.JPG", "d.heic", "inner/c.webp", "loop.png", "ä ö\n%20.png", os.fsdecode(b"\xff.gif")]
    )
    assert closed == []


def test_a_folder_that_may_not_be_listed_is_named(tmp_path, as_ordinary_user):
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "a.png").write_bytes(PNG)
    (tmp_path / "closed").mkdir(mode=0)
    with as_ordinary_user():
        pictures, closed = find_pictures(tmp_path)
    assert pictures == [tmp_path / "open" / "a.png"]
    assert closed == [tmp_path / "closed"]
