"""Stage: training captions → vocabulary.

Reads   a data set
Writes  `vocabulary/` (data/vocabulary.py)
Paper   Sec. 4.1
"""

from tellapart.config import Words
from tellapart.data.readers import read_dataset
from tellapart.data.vocabulary import Vocabulary
from tellapart.errors import UserError
from tellapart.progress import say


def make_vocabulary(settings: Words) -> None:
    """Count the words of the training captions and keep the frequent ones."""
    source = settings.source
    dataset = read_dataset(
        source.data, images=source.images, format=source.format, split_lists=source.splits
    )
    training = dataset.training(restval=settings.restval)
    captions = [caption for record in training for caption in record.captions]
    if not captions:
        raise UserError("There are no training captions to take words from.")
    vocabulary = Vocabulary.build(
        captions, min_count=settings.min_count, max_words=settings.max_words
    )
    vocabulary.save(settings.out)
    say(
        f"{len(vocabulary):,} words from {len(captions):,} captions in {settings.out}.",
        quiet=settings.common.quiet,
    )
