"""`tellapart evaluate`: score any captions against any references.

Reads   two files, and perhaps the training captions and a corpus for CIDEr
Writes  a table to stdout, or JSON; what did not match, and why a score is missing, to stderr
Paper   Sec. 4.1, 4.3 and 4.5
"""

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tellapart.artefacts import require_writable, write_atomically
from tellapart.config import Evaluate
from tellapart.data.readers.predictions import Pairs, note, read_pairs, read_references
from tellapart.data.records import count_splits
from tellapart.errors import UserError
from tellapart.metrics.cider import DocumentFrequencies, count_documents
from tellapart.metrics.ngrams import Words
from tellapart.metrics.ptb_tokeniser import tokenise_all
from tellapart.metrics.scores import Scores, score_captions, score_variety, tokenise_references
from tellapart.progress import counted, say

STDOUT = Path("-")
FEW_PICTURES = 10
"""Below that, the references of the pictures scored say nothing about which words are rare."""


def evaluate(settings: Evaluate) -> None:
    """Read, pair up, score, and print."""
    _check(settings)
    pairs = read_pairs(settings.predictions, settings.references, format=settings.format)
    candidates = tokenise_all(pairs.captions)
    references = tokenise_references(pairs.references)
    _say_notes([*pairs.notes, *_notes_on_words(pairs.ids, candidates, references)])
    _warn_of_few_pictures(len(pairs.ids), settings)
    training = _read_training(settings.training) if settings.training else None
    corpus = settings.document_frequencies
    frequencies = _read_document_frequencies(corpus) if corpus else None
    _announce_java(settings)
    scores = score_captions(
        candidates,
        references,
        metrics=settings.metrics,
        document_frequencies=frequencies,
        corenlp=settings.corenlp,
    )
    _say_notes(f"{metric} could not be computed: {why}." for metric, why in scores.reasons.items())
    variety = score_variety(candidates, training) if training else {}
    _write(scores.values | variety, scores, pairs, settings)


def _check(settings: Evaluate) -> None:
    """Refuse what cannot be done before anything is done."""
    if not settings.metrics:
        raise UserError("No metric to compute: name one or more after --metrics, or leave it out.")
    if settings.per_caption == STDOUT and settings.json in (None, STDOUT):
        raise UserError("--per-caption - takes stdout for itself; name a file with --json.")
    for path in (settings.json, settings.per_caption):
        if path is not None and path != STDOUT:
            require_writable(path)


def _say_notes(notes: Iterator[str] | Sequence[str]) -> None:
    """Say what decides something; so --quiet does not silence it."""
    for sentence in notes:
        say(f"note: {sentence}")


def _notes_on_words(
    ids: Sequence[str], candidates: Sequence[Words], references: Sequence[Sequence[Words]]
) -> Iterator[str]:
    mute = [id for id, caption in zip(ids, candidates, strict=True) if not _says_a_word(caption)]
    yield from note(mute, "a caption without words (scored all the same)")
    bare = [
        id for id, each in zip(ids, references, strict=True) if not all(map(_says_a_word, each))
    ]
    yield from note(bare, "a reference without words (kept, as the standard scorer does)")


def _says_a_word(caption: Words) -> bool:
    """Whether there is a letter or a digit in it: the tokeniser takes "!?" for a word."""
    return any(character.isalnum() for word in caption for character in word)


def _warn_of_few_pictures(pictures: int, settings: Evaluate) -> None:
    alone = "CIDEr" in settings.metrics and settings.document_frequencies is None
    if alone and pictures < FEW_PICTURES:
        say(
            f"note: CIDEr says little about {counted(pictures, 'picture')}: the references of so "
            "few do not tell which words are rare; name a larger data set by "
            "--document-frequencies."
        )


def _read_training(path: Path) -> list[list[str]]:
    dataset = read_references(path)
    _say_notes(dataset.notes)
    captions = [caption for record in dataset.training() for caption in record.captions]
    if not captions:
        raise UserError(
            f"{path} holds no training captions, so nothing can be told about novelty; "
            f"its pictures are in {', '.join(count_splits(dataset))}."
        )
    return tokenise_all(captions)


def _read_document_frequencies(path: Path) -> DocumentFrequencies:
    dataset = read_references(path)
    _say_notes(dataset.notes)
    references = [record.captions for record in dataset.records if record.labelled]
    if not references:
        raise UserError(f"{path} holds no captions, so CIDEr cannot tell which words are rare.")
    return count_documents(tokenise_references(references))


def _announce_java(settings: Evaluate) -> None:
    """Tell who is watching why nothing happens for a while."""
    slow = [metric for metric in ("METEOR", "SPICE") if metric in settings.metrics]
    if slow and sys.stderr.isatty():
        say(f"{' and '.join(slow)}: starting Java …", quiet=settings.common.quiet)


def _write(
    values: Mapping[str, float | None], scores: Scores, pairs: Pairs, settings: Evaluate
) -> None:
    if settings.per_caption is not None:
        _put(_per_caption_lines(scores, pairs), settings.per_caption)
    if settings.json is None:
        Console().print(_table(values, len(pairs.ids)))
    else:
        _put(json.dumps(values, indent=2) + "\n", settings.json)


def _put(text: str, path: Path) -> None:
    if path == STDOUT:
        print(text, end="")
    else:
        write_atomically(path, text)


def _per_caption_lines(scores: Scores, pairs: Pairs) -> str:
    rows = [
        {"image_id": id, "caption": caption}
        | {name: _finite(each[i]) for name, each in scores.per_caption.items()}
        for i, (id, caption) in enumerate(zip(pairs.ids, pairs.captions, strict=True))
    ]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    # Half a surrogate pair is no text, but JSON has a spelling for it: \ud83d, as Python has.
    return text.encode(errors="backslashreplace").decode()


def _finite(score: float) -> float | None:
    """JSON knows no NaN, which SPICE gives captions that it cannot compare."""
    return score if math.isfinite(score) else None


def _table(values: Mapping[str, float | None], pictures: int) -> Table:
    table = Table("score", title=counted(pictures, "picture"), title_justify="left")
    table.add_column("", justify="right")
    for name, value in values.items():
        table.add_row(name, "–" if value is None else _shown(name, value))
    return table


def _shown(name: str, value: float) -> str:
    """Four digits for shares and scores; whole numbers for counts."""
    return f"{value:,.0f}" if name == "vocabulary" else f"{value:.4f}"
