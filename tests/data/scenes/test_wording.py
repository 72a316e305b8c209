"""Captions are true, short, varied, and mostly silent about details."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart.data.scenes import (
    Scene,
    Thing,
    detailed_caption,
    judge_caption,
    sample_scene,
    write_captions,
)
from tellapart.data.scenes.reading import read_caption

BALL = Thing("ball", "orange", "striped", "small", 1, x=0.2, y=0.9)
DOG = Thing("dog", "black", "plain", "medium", 1, x=0.55, y=0.9)


@settings(max_examples=200)
@given(st.integers())
def test_every_caption_is_true_and_wholly_understood(seed):
    random = Random(seed)
    scene = sample_scene(random)
    for caption in (*write_captions(scene, random), detailed_caption(scene, random)):
        truth = judge_caption(caption, scene)
        assert truth.is_true, (caption, truth)
        assert not truth.unparsed, caption


@given(st.integers(), st.integers(min_value=1, max_value=8))
def test_captions_have_four_to_sixteen_words(seed, count):
    random = Random(seed)
    scene = sample_scene(random)
    captions = write_captions(scene, random, count)
    assert len(captions) == count
    assert all(4 <= len(caption.split()) <= 16 for caption in captions)
    assert len(detailed_caption(scene, random).split()) <= 16


def test_the_same_random_stream_writes_the_same_captions():
    scene = sample_scene(Random(0))
    assert write_captions(scene, Random(1)) == write_captions(scene, Random(1))


def test_three_of_five_captions_keep_silent_about_traits():
    scene = Scene("beach", (BALL,))
    captions = [line for seed in range(100) for line in write_captions(scene, Random(seed))]
    telling = ("orange", "small", "little", "tiny", "strip", "left")
    told = sum(any(word in caption.lower() for word in telling) for caption in captions)
    assert told / len(captions) == pytest.approx(2 / 5)


def test_articles_suit_the_next_word():
    texts = [detailed_caption(Scene("beach", (BALL,)), Random(seed)) for seed in range(50)]
    plain = [
        caption.lower()
        for seed in range(50)
        for caption in write_captions(Scene("beach", (BALL, DOG)), Random(seed))
    ]
    assert not any("a orange" in text or "an small" in text for text in [*texts, *plain])
    assert any("an orange" in text for text in plain)


@pytest.mark.parametrize("seed", range(10))
def test_the_detailed_caption_tells_everything_of_a_lone_thing(seed):
    (mention,) = read_caption(detailed_caption(Scene("beach", (BALL,)), Random(seed))).mentions
    assert {trait.value for trait in mention.traits} == {"small", "orange", "striped", "left"}


def test_the_detailed_caption_names_the_neighbour():
    caption = detailed_caption(Scene("beach", (BALL, DOG)), Random(0))
    assert "next to a black" in caption
