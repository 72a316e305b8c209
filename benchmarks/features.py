"""How fast pictures become features, and which part of the work takes the time.

    python benchmarks/features.py [--pictures FOLDER] [--encoder NAME] [--count 256]

Each part is timed alone, with the threads it has in a real run: opening and fitting the pictures,
encoding them, writing them to the disk. Then a whole run, in which the three overlap. Without a
folder of pictures it draws generated scenes and saves them as JPEG at 640 × 640, about the size
of a photograph in COCO. The best of three runs counts.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

import torch
import tyro
from rich.console import Console
from rich.table import Table

from tellapart.data.readers import read_dataset
from tellapart.data.records import Record
from tellapart.data.scenes import draw_scene, sample_scene
from tellapart.devices import choose_device
from tellapart.features.encoders import Encoder, load_encoder
from tellapart.features.extraction import (
    describe_store,
    encode_opened,
    extract_features,
    open_in_batches,
)
from tellapart.features.store import StoreWriter

Result = TypeVar("Result")


def main(
    pictures: Path | None = None,
    encoder: str = "efficientnet-lite2",
    size: int | None = None,
    count: int = 256,
    batch_size: int = 32,
    workers: int = 4,
    device: str = "auto",
) -> None:
    """Time each part alone, then all of them together."""
    chosen = choose_device(device)
    loaded = load_encoder(encoder, size=size, device=str(chosen))
    with tempfile.TemporaryDirectory() as scratch:
        folder = pictures or draw_pictures(Path(scratch) / "pictures", count)
        records = read_dataset([folder]).records[:count]
        warm_up(records[:batch_size], loaded, workers)
        runs = [
            time_parts(records, loaded, Path(scratch) / str(run), batch_size, workers)
            for run in range(3)
        ]
        seconds = {part: min(run[part] for run in runs) for part in runs[0]}
    show(seconds, len(records), loaded, chosen, workers)


def time_parts(
    records: tuple[Record, ...], encoder: Encoder, scratch: Path, batch_size: int, workers: int
) -> dict[str, float]:
    """Seconds for opening, encoding and writing, each alone, and for all of it at once."""
    paths = [record.picture for record in records]
    opened, opening = timed(
        lambda: list(open_in_batches(paths, encoder.preprocessing, batch_size, workers))
    )
    encoded, encoding = timed(lambda: [encode_opened(batch, encoder) for batch in opened])
    writer = StoreWriter(scratch / "written", describe_store(records, encoder), records)
    _, writing = timed(lambda: [writer.write(batch, {}) for batch in encoded])
    _, whole = timed(
        lambda: extract_features(
            records,
            encoder,
            scratch / "whole",
            batch_size=batch_size,
            workers=workers,
            quiet=True,
        )
    )
    return {"decode": opening, "encode": encoding, "write": writing, "whole run": whole}


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """What the work gives, and its seconds."""
    started = time.perf_counter()
    result = work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return result, time.perf_counter() - started


def warm_up(records: tuple[Record, ...], encoder: Encoder, workers: int) -> None:
    paths = [record.picture for record in records]
    for batch in open_in_batches(paths, encoder.preprocessing, len(paths), workers):
        encode_opened(batch, encoder)


def draw_pictures(folder: Path, count: int) -> Path:
    folder.mkdir(parents=True)
    for number in range(count):
        picture = draw_scene(sample_scene(Random(number)), size=640)
        picture.save(folder / f"{number:05}.jpg", quality=90)
    return folder


def show(
    seconds: dict[str, float], count: int, encoder: Encoder, device: torch.device, workers: int
) -> None:
    name = torch.cuda.get_device_name() if device.type == "cuda" else "CPU"
    threads = f"{torch.get_num_threads()} compute threads, {workers} opening"
    title = (
        f"{encoder.name} at {encoder.preprocessing.size} px, {count} pictures, {name}, {threads}"
    )
    table = Table(title=title)
    for column in ("part", "pictures/s", "share of the parts' time"):
        table.add_column(column, justify="left" if column == "part" else "right")
    parts = {part: took for part, took in seconds.items() if part != "whole run"}
    for part, took in parts.items():
        table.add_row(part, f"{count / took:,.1f}", f"{took / sum(parts.values()):.1%}")
    table.add_section()
    table.add_row("whole run", f"{count / seconds['whole run']:,.1f}", "")
    Console().print(table)
    slowest = max(parts, key=parts.__getitem__)
    print(
        f"The bottleneck is {slowest}; a whole run reaches "
        f"{parts[slowest] / seconds['whole run']:.0%} of its speed."
    )


if __name__ == "__main__":
    tyro.cli(main)
