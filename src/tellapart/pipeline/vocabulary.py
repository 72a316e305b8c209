"""Stage: training captions → vocabulary.

Reads   a data set
Writes  `vocabulary/` (data/vocabulary.py)
Paper   Sec. 4.1
"""

from pathlib import Path

from tellapart.config import Words
from tellapart.data.vocabulary import Vocabulary
from tellapart.errors import UserError
from tellapart.pipeline.source import read_source
from tellapart.progress import say


def make_vocabulary(settings: Words) -> None:
    """Count the words of the training captions and keep the frequent ones."""
    dataset = read_source(settings.source)
    training = dataset.training(restval=settings.restval)
    captions = [caption for record in training for caption in record.captions]
    if not captions:
        raise UserError("There are no training captions to take words from.")
    vocabulary = Vocabulary.build(
        captions, min_count=settings.min_count, max_words=settings.max_words
    )
    _require_free(settings.out, vocabulary)
    vocabulary.save(settings.out)
    say(
        f"{len(vocabulary):,} words from {len(captions):,} captions in {settings.out}.",
        quiet=settings.common.quiet,
    )


def _require_free(folder: Path, vocabulary: Vocabulary) -> None:
    """Never replace another vocabulary: models may be waiting for it."""
    if (folder / "vocabulary.json").exists():
        vocabulary.require(Vocabulary.load(folder).fingerprint, artefact=f"The folder {folder}")
    elif (folder / "tokenizer.json").exists():
        raise UserError(f"{folder} holds somebody's tokenizer.json; choose another --out.")
