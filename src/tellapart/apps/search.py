"""`tellapart search`: find pictures by a sentence.

Reads   pictures or an index of them, a retriever, a sentence
Writes  rank, score and path of the best pictures to stdout; a page with `--html`
Paper   Sec. 3.1 "Self-retrieval module"
"""

import base64
import html
import io
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tellapart.artefacts import fingerprint, read_json, require_writable, write_atomically
from tellapart.config import Data, Search
from tellapart.data.pictures import PictureError, open_picture
from tellapart.data.vocabulary import UNK, Vocabulary, cut_words
from tellapart.devices import choose_device
from tellapart.errors import UserError
from tellapart.features.store import FeatureStore, fingerprint_pictures
from tellapart.models.retriever import Retriever
from tellapart.pipeline.index import load_joint_encoder, make_index
from tellapart.pipeline.source import read_source
from tellapart.progress import say

CACHE = Path("~/.cache/tellapart/indexes")
COMFORTABLE = 1_000_000
"""Pictures up to which a plain product with all of them answers in about a second."""

BLOCK = 65_536
THUMBNAIL = 320


@dataclass(frozen=True)
class Hit:
    """A picture that was found."""

    rank: int
    score: float
    """Cosine between sentence and picture."""

    picture: str


def search(settings: Search) -> None:
    """Make or open the index, ask it, and show what it found."""
    if settings.top < 1:
        raise UserError("--top must be at least 1.")
    if settings.html is not None:
        require_writable(settings.html)
    retriever, model = Retriever.from_folder(settings.model)
    query = embed_sentence(settings.sentence, retriever, model.vocabulary)
    device = choose_device(settings.common.device)
    encoder = load_joint_encoder(retriever, model, device=device)
    if (settings.pictures / "pictures.json").is_file():
        folder = settings.pictures
        index = FeatureStore.open(folder)
        index.require_encoder(encoder.describe(), wanted_by="This retriever")
    else:
        records = read_source(Data(data=(settings.pictures,))).records
        key = fingerprint([str(settings.pictures.absolute()), fingerprint_pictures(records)])
        name = f"{key}-{encoder.fingerprint}"
        folder = settings.index or CACHE.expanduser() / name
        index = make_index(records, encoder, folder, quiet=settings.common.quiet)
    hits = find(query, index, read_json(folder / "pictures.json"), top=settings.top)
    show(hits, settings)


def embed_sentence(
    sentence: str, retriever: Retriever, vocabulary: Vocabulary
) -> Float[np.ndarray, " space"]:
    """A sentence as a direction in the joint space; one that says nothing is refused."""
    ids = vocabulary.encode(sentence)
    if not ids:
        raise UserError("The sentence has no words; say what is to be seen on the picture.")
    if all(id == UNK for id in ids):
        raise UserError(f"The retriever knows none of the words of {sentence[:60]!r}; try others.")
    if len(cut_words(sentence)) > len(ids):
        say(f"note: Only the first {len(ids)} words count.")
    unknown = sum(id == UNK for id in ids)
    if unknown:
        say(f"note: {unknown} of the first {len(ids)} words are unknown to the retriever.")
    with torch.no_grad():
        words = torch.from_numpy(vocabulary.encode_batch([sentence]))
        return retriever.cpu().embed_captions(words)[0].numpy()


def find(
    query: Float[np.ndarray, " space"], index: FeatureStore, pictures: dict[str, str], *, top: int
) -> list[Hit]:
    """The pictures whose direction is closest to the query's, block by block of the index."""
    if len(index.rows) > COMFORTABLE:
        say(f"note: over {COMFORTABLE:,} pictures an approximate index such as FAISS is quicker.")
    ids = list(index.rows)
    rows = np.fromiter(index.rows.values(), dtype=np.int64, count=len(ids))
    scores = np.concatenate(
        [
            index.regions[rows[start : start + BLOCK], 0].astype(np.float32) @ query
            for start in range(0, len(rows), BLOCK)
        ]
        or [np.zeros(0, dtype=np.float32)]
    )
    best = np.argsort(-scores, kind="stable")[:top]
    return [
        Hit(rank, float(scores[place]), pictures[ids[place]])
        for rank, place in enumerate(best.tolist(), start=1)
    ]


def show(hits: list[Hit], settings: Search) -> None:
    """Print the pictures found, and write the page if one is wanted."""
    if settings.html is not None:
        write_atomically(settings.html, render_page(settings.sentence, hits))
        say(f"See them: {settings.html}", quiet=settings.common.quiet)
    if settings.json:
        print(json.dumps([vars(hit) for hit in hits], indent=2))
        return
    table = Table("rank", "score", "picture", box=None)
    for hit in hits:
        table.add_row(str(hit.rank), f"{hit.score:.3f}", escape(hit.picture))
    Console(soft_wrap=True).print(table)


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 16px/1.4 system-ui, sans-serif; }}
body {{ margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }}
main {{ display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }}
figure {{ margin: 0; break-inside: avoid; }}
img {{ width: 100%; aspect-ratio: 1; object-fit: contain; background: #8882; }}
figcaption {{ font-size: .8rem; overflow-wrap: anywhere; }}
b {{ font-variant-numeric: tabular-nums; }}
</style><h1>“{title}”</h1><main>
{figures}
</main></html>
"""


def render_page(sentence: str, hits: list[Hit]) -> str:
    """A page that needs nothing but itself: small copies of the pictures are in it."""
    figures = [
        f'<figure><img alt="" src="{thumbnail(Path(hit.picture))}"><figcaption>'
        f"<b>{hit.rank}</b> · {hit.score:.3f} · {html.escape(hit.picture)}</figcaption></figure>"
        for hit in hits
    ]
    return PAGE.format(title=html.escape(sentence), figures="\n".join(figures))


def thumbnail(path: Path) -> str:
    """A small JPEG of a picture as a data address; empty where the picture has gone."""
    try:
        picture = open_picture(path, at_least=THUMBNAIL)
    except PictureError:
        return ""
    picture.thumbnail((THUMBNAIL, THUMBNAIL))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=85)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode()
