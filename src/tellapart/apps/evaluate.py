"""`tellapart evaluate`: score any captions against any references.

Reads   two files, and perhaps the training captions
Writes  a table to stdout, or JSON; what did not match, and why a score is missing, to stderr
Paper   Sec. 4.1, 4.3 and 4.5
"""

import json
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tellapart.artefacts import write_atomically
from tellapart.config import Evaluate
from tellapart.data.readers.predictions import Pairs, read_pairs, read_references
from tellapart.metrics.ptb_tokeniser import tokenise_all
from tellapart.metrics.scores import Scores, score_captions, score_variety, tokenise_references
from tellapart.progress import say


def evaluate(settings: Evaluate) -> None:
    """Read, pair up, score, and print."""
    pairs = read_pairs(settings.predictions, settings.references)
    for note in pairs.notes:
        say(f"note: {note}")
    candidates = tokenise_all(pairs.captions)
    references = tokenise_references(pairs.references)
    scores = score_captions(
        candidates, references, metrics=settings.metrics, corenlp=settings.corenlp
    )
    values = dict(scores.values)
    if settings.training is not None:
        training = read_references(settings.training).training()
        captions = [caption for record in training for caption in record.captions]
        values |= score_variety(candidates, tokenise_all(captions))
    for metric, reason in scores.reasons.items():
        say(f"note: {metric} could not be computed: {reason}.")
    _write(values, scores, pairs, settings)


def _write(
    values: Mapping[str, float | None], scores: Scores, pairs: Pairs, settings: Evaluate
) -> None:
    if settings.per_caption is not None:
        write_atomically(settings.per_caption, _per_caption_lines(scores, pairs))
    if settings.json is None:
        Console().print(_table(values, len(pairs.ids)))
        return
    text = json.dumps(values, indent=2) + "\n"
    if settings.json == Path("-"):
        print(text, end="")
    else:
        write_atomically(settings.json, text)


def _per_caption_lines(scores: Scores, pairs: Pairs) -> str:
    rows = [
        {"image_id": id, "caption": caption}
        | {name: s[i] for name, s in scores.per_caption.items()}
        for i, (id, caption) in enumerate(zip(pairs.ids, pairs.captions, strict=True))
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _table(values: Mapping[str, float | None], pictures: int) -> Table:
    table = Table("score", title=f"{pictures:,} pictures", title_justify="left")
    table.add_column("", justify="right")
    for name, value in values.items():
        table.add_row(name, "–" if value is None else _shown(name, value))
    return table


def _shown(name: str, value: float) -> str:
    """Four digits for shares and scores; whole numbers for counts."""
    return f"{value:,.0f}" if name == "vocabulary" else f"{value:.4f}"
