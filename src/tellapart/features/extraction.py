"""Extraction: open the pictures in threads, encode them in batches, write them as they come.

Reads   records and an encoder
Writes  a feature store (features/store.py); a picture that cannot be used is skipped with a reason
Paper   Sec. 4.2

The three parts overlap: while one batch is encoded, the next ones are being opened and the last
one is being written. Batches are cut at fixed places, so that the bytes do not depend on where an
earlier run was killed.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Float16, UInt8
from torch import Tensor

from tellapart.artefacts import hold_folder
from tellapart.data.pictures import PictureError, open_picture
from tellapart.data.records import Record
from tellapart.errors import UserError
from tellapart.features.encoders.encoder import Encoder
from tellapart.features.encoders.preprocessing import Preprocessing
from tellapart.features.store import (
    StoreDescription,
    StoreWriter,
    fingerprint_pictures,
)
from tellapart.progress import Advance, progress_bar

HALF_MAX = torch.finfo(torch.float16).max

Opened = UInt8[np.ndarray, "3 height width"] | PictureError
"""A picture's pixels, or why there are none."""


def describe_store(records: Sequence[Record], encoder: Encoder) -> StoreDescription:
    """What a store of these pictures by this encoder must say of itself."""
    return StoreDescription(
        encoder=encoder.describe(),
        source=fingerprint_pictures(records),
        pictures=len(records),
        regions=encoder.regions,
        channels=encoder.channels,
    )


def extract_features(
    records: Sequence[Record],
    encoder: Encoder,
    folder: Path,
    *,
    batch_size: int = 32,
    workers: int = 4,
    quiet: bool = False,
) -> StoreWriter:
    """Fill a feature store, or finish one that was begun; a finished one is left as it is."""
    with hold_folder(folder):
        writer = StoreWriter(folder, describe_store(records, encoder), records)
        if not writer.complete:
            title = f"features: {encoder.name}"
            with progress_bar(title, len(records), done=writer.done, quiet=quiet) as advance:
                waiting = [record.picture for record in records[writer.done :]]
                batches = open_in_batches(waiting, encoder.preprocessing, batch_size, workers)
                _encode_and_write(batches, encoder, writer, advance)
            writer.finish()
    return writer


def _encode_and_write(
    batches: Iterable[list[Opened]], encoder: Encoder, writer: StoreWriter, advance: Advance
) -> None:
    """Encode each batch while the one before it is being written."""
    with ThreadPoolExecutor(1, thread_name_prefix="write") as pool:
        writing: Future[None] | None = None
        for opened in batches:
            features = encode_opened(opened, encoder)
            unusable = {
                row: str(reason)
                for row, reason in enumerate(opened)
                if isinstance(reason, PictureError)
            }
            if writing is not None:
                writing.result()
            writing = pool.submit(writer.write, features, unusable)
            advance(len(opened))
        if writing is not None:
            writing.result()


def open_in_batches(
    paths: Sequence[Path], preprocessing: Preprocessing, batch_size: int, workers: int
) -> Iterator[list[Opened]]:
    """Batches in order, opened ahead by a few, so that memory stays bounded."""
    starts = range(0, len(paths), batch_size)
    ahead: deque[list[Future[Opened]]] = deque()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="open")
    try:
        for start in starts:
            batch = paths[start : start + batch_size]
            ahead.append([pool.submit(open_for_encoder, path, preprocessing) for path in batch])
            if len(ahead) > 3:
                yield [future.result() for future in ahead.popleft()]
        while ahead:
            yield [future.result() for future in ahead.popleft()]
    finally:
        pool.shutdown(cancel_futures=True)


def open_for_encoder(path: Path, preprocessing: Preprocessing) -> Opened:
    """One picture as the encoder wants it."""
    try:
        return preprocessing.to_pixels(open_picture(path, at_least=preprocessing.draft_size))
    except PictureError as error:
        return error


def encode_opened(opened: Sequence[Opened], encoder: Encoder) -> np.ndarray:
    """Features of a batch in half precision; the rows of pictures that did not open are zero."""
    features = np.zeros((len(opened), encoder.regions, encoder.channels), dtype=np.float16)
    usable = {row: p for row, p in enumerate(opened) if isinstance(p, np.ndarray)}
    if usable:
        pixels = torch.from_numpy(np.stack(list(usable.values())))
        features[list(usable)] = to_half(encoder.encode(pixels)).cpu().numpy()
    return features


def to_half(features: Float[Tensor, "..."]) -> Float16[Tensor, "..."]:
    """Half precision without infinities; a NaN means that the encoder is broken, so it stops."""
    if features.isnan().any():
        raise UserError("The encoder gave NaN; its weights or its preprocessing are damaged.")
    return features.clamp(-HALF_MAX, HALF_MAX).half()
