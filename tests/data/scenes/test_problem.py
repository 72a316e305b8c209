"""The default data set shows the paper's problem, and the problem can be solved.

Generic captions fit many pictures and detailed ones few; every word can be learnt; and nothing is
seen in training that a test asks for again.
"""

from collections import Counter
from random import Random

import pytest

from tellapart.data.scenes import detailed_caption
from tellapart.data.scenes.contact_sheet import generic_caption
from tellapart.data.scenes.generate import compose, tokenise
from tellapart.data.scenes.reading import read_caption
from tellapart.data.scenes.truth import judge_reading


@pytest.fixture(scope="module")
def labelled():
    return list(compose("labelled", 1200, seed=0))


@pytest.fixture(scope="module")
def test_part():
    return list(compose("test", 300, seed=0))


def shared_by(caption, examples):
    reading = read_caption(caption)
    return sum(judge_reading(reading, example.scene).is_true for example in examples)


def test_every_word_of_a_closed_vocabulary_can_be_learnt(labelled):
    words = Counter(
        word for example in labelled for line in example.captions for word in tokenise(line)
    )
    assert 100 <= len(words) <= 160
    assert min(words.values()) >= 6


def test_most_pictures_share_their_shortest_caption_with_others(labelled):
    shortest = [
        min(
            (" ".join(tokenise(line)) for line in example.captions),
            key=lambda text: len(text.split()),
        )
        for example in labelled
    ]
    counts = Counter(shortest)
    assert sum(counts[caption] > 5 for caption in shortest) / len(shortest) > 0.5


def test_a_generic_caption_fits_dozens_of_training_pictures(labelled):
    fits = Counter(generic_caption(example.scene) for example in labelled)
    mean = sum(count * count for count in fits.values()) / len(labelled)
    assert mean > 24


def test_details_tell_test_pictures_apart_and_generic_captions_do_not(test_part):
    some = test_part[:40]
    generic = [shared_by(generic_caption(example.scene), test_part) for example in some]
    detailed = [
        shared_by(detailed_caption(example.scene, Random(0)), test_part) for example in some
    ]
    assert sum(generic) / len(some) > 4
    assert sum(count == 1 for count in generic) / len(some) < 0.1
    assert sum(count == 1 for count in detailed) / len(some) > 0.85


def test_no_test_scene_is_met_twice(labelled, test_part):
    tested = [example.scene.describe() for example in test_part]
    examined = [example.scene.describe() for example in compose("val", 100, seed=0)]
    trained = {example.scene.describe() for example in labelled}
    assert len(set(tested)) == len(tested)
    assert len(set(examined)) == len(examined)
    assert not set(tested) & trained
    assert not set(examined) & (trained | set(tested))
