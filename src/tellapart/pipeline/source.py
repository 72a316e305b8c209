"""What every stage begins with: the data set the user named.

Reads   any data set (data/readers)
Writes  its notes to stderr: what was left out, merged or dropped is said wherever data is read
"""

from tellapart.config import Data
from tellapart.data.readers import read_dataset
from tellapart.data.records import Dataset
from tellapart.progress import say


def read_source(source: Data) -> Dataset:
    """Read the data set and say what its readers had to remark."""
    dataset = read_dataset(
        source.data, images=source.images, format=source.format, split_lists=source.splits
    )
    for note in dataset.notes:
        say(f"note: {note}")
    return dataset
