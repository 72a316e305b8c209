"""Unique, distinct, novel; and the guards that notice broken language."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart.metrics.diversity import measure_diversity
from tellapart.metrics.fluency import measure_fluency
from tellapart.metrics.scores import score_variety


def words(*captions: str) -> list[list[str]]:
    return [caption.split() for caption in captions]


captions = st.lists(
    st.lists(st.sampled_from(["a", "red", "dog", "runs"]), max_size=4), min_size=1, max_size=12
)


def test_by_hand():
    found = measure_diversity(
        words("a dog", "a dog", "a cat", "a red cat"), training=words("a cat", "a hen")
    )
    assert found.unique == 2 / 4
    assert found.distinct == 3 / 4
    assert found.novel == 3 / 4
    assert found.vocabulary == 4


def test_without_training_captions_novelty_is_unknown():
    assert measure_diversity(words("a dog")).novel is None
    assert measure_diversity(words("a dog"), training=[]).novel == 1.0


def test_what_is_unknown_stays_unknown_under_names_without_spaces():
    found = score_variety(words("a dog"), None)
    assert found["novel"] is None
    assert not any(" " in name for name in found)
    assert found["length"] == 2


@given(captions)
def test_unique_captions_are_distinct_ones_and_order_does_not_matter(found):
    diversity = measure_diversity(found, training=found[:3])
    assert diversity.unique <= diversity.distinct
    assert diversity == measure_diversity(found[::-1], training=found[:3])
    assert diversity.novel == pytest.approx(
        sum(caption not in found[:3] for caption in found) / len(found)
    )


def test_fluency_by_hand():
    found = measure_fluency(words("a red hat is wearing a red hat with a", "a dog runs", "a unk"))
    assert found.length == 15 / 3
    assert found.bad_endings == pytest.approx(1 / 3)
    assert found.repeated == pytest.approx(2 / 15)
    assert found.unknown == pytest.approx(1 / 15)


def test_good_and_empty_captions_raise_no_alarm():
    good = measure_fluency(words("a man in a red shirt and a woman in a blue dress", ""))
    assert (good.bad_endings, good.repeated, good.unknown) == (0, 0, 0)


def test_human_captions_raise_hardly_any(shared_data):
    images = json.loads((shared_data / "flickr8k" / "dataset_flickr8k.json").read_text())["images"]
    human = [sentence["tokens"] for image in images[:2000] for sentence in image["sentences"]]
    found = measure_fluency(human)
    assert found.bad_endings < 0.01
    assert found.repeated < 0.02


def test_no_captions_at_all_is_an_error():
    with pytest.raises(ValueError, match="no captions"):
        measure_diversity([])
    with pytest.raises(ValueError, match="no captions"):
        measure_fluency([])
