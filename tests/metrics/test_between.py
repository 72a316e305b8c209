"""CIDErBtw: a caption that fits its look-alikes scores high, one that names the detail low."""

import numpy as np
import pytest

from tellapart.metrics.between import cider_between
from tellapart.metrics.cider import cider, count_documents

REFERENCES = [
    ["a red ball on the beach".split()],
    ["a blue ball on the beach".split()],
    ["two cats in the snow".split()],
    ["a boat on the sea".split()],
]
LOOK_ALIKES = np.array([[1], [0], [3], [2]])


def test_it_is_cider_against_the_neighbours_references():
    """The naive reading: one caption and one neighbour at a time."""
    candidates = ["a red ball".split(), "a blue ball".split(), "two cats".split(), ["boat"]]
    bags = np.array([[1, 2], [0, 3], [3, 0], [2, 1]])
    frequencies = count_documents(REFERENCES)
    found = cider_between(candidates, REFERENCES, bags)
    for candidate, bag, score in zip(candidates, bags, found.per_caption, strict=True):
        each = [
            cider([candidate], [REFERENCES[j]], document_frequencies=frequencies).corpus
            for j in bag
        ]
        assert score == pytest.approx(sum(each) / len(each))
    assert found.corpus == pytest.approx(found.per_caption.mean())


def test_a_generic_caption_fits_its_look_alike_better_than_a_telling_one():
    generic = cider_between(["a ball on the beach".split()] * 4, REFERENCES, LOOK_ALIKES)
    telling = cider_between(["a red ball".split()] * 4, REFERENCES, LOOK_ALIKES)
    assert generic.per_caption[0] > telling.per_caption[0]
