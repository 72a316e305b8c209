"""Captions are read left to right; what makes no sense is kept apart, never lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart.data.scenes.meanings import MEANINGS, Name, Trait
from tellapart.data.scenes.reading import Link, read_caption

LEFT = Trait("side", "left", trailing=True)


def traits(caption, mention=0):
    return {
        (trait.attribute, trait.value) for trait in read_caption(caption).mentions[mention].traits
    }


def test_a_full_sentence():
    reading = read_caption("A tiny red ball with stripes on the left, next to two dogs at night.")
    ball, dogs = reading.mentions
    assert (ball.name, dogs.name, dogs.number) == (Name("ball"), Name("dog", plural=True), 2)
    assert [trait.value for trait in ball.traits] == ["small", "red", "striped", "left"]
    assert reading.links == (Link(0, "beside", 1),)
    (location,) = reading.locations
    assert (location.mention, location.relation, location.place.word) == (1, "at", "night")
    assert reading.dangling == reading.unparsed == ()


@pytest.mark.parametrize(
    "caption",
    ["a small red dog", "the dog is small and red", "there is a dog and it is red and small"],
)
def test_adjectives_before_and_after_the_noun_mean_the_same(caption):
    assert traits(caption) == {("size", "small"), ("colour", "red")}


def test_what_follows_belongs_to_the_last_mention():
    reading = read_caption("a dog and a ball on the right")
    assert reading.mentions[0].traits == ()
    assert reading.mentions[1].traits == (Trait("side", "right", trailing=True),)


def test_what_comes_first_belongs_to_the_first_mention():
    for caption in ("on the left is a dog", "on the left of the beach there is a dog"):
        reading = read_caption(caption)
        assert reading.mentions[0].traits == (LEFT,)
        assert reading.dangling == reading.unparsed == ()


@pytest.mark.parametrize("words", ["on the left of", "left of", "on the left side of"])
def test_a_side_of_a_place_is_a_side(words):
    reading = read_caption(f"a dog {words} the beach")
    assert reading.mentions[0].traits == (LEFT,)
    assert reading.locations[0].relation is None
    assert read_caption(f"a dog {words} a ball").links == (Link(0, "left of", 1),)


@pytest.mark.parametrize(
    ("caption", "words"),
    [
        ("a dog over the sand", [("above", "sand")]),
        ("a dog under the night sky", [("below", "night sky")]),
        ("a dog indoors at night", [(None, "indoors"), ("at", "night")]),
        ("a beach with a dog", [(None, "beach")]),
    ],
)
def test_a_place_keeps_its_preposition(caption, words):
    locations = read_caption(caption).locations
    assert [(location.relation, location.place.word) for location in locations] == words


def test_the_is_noticed():
    mentions = read_caption("a dog and the two small balls").mentions
    assert [mention.definite for mention in mentions] == [False, True]


@pytest.mark.parametrize(
    ("caption", "dangling"),
    [
        ("a dog on a", ("a", "on")),
        ("a dog next to", ("next to",)),
        ("a dog and a red", ("a", "red")),
        ("a a dog", ("a",)),
        ("a dog with", ("with",)),
        ("a dog is", ("is",)),
        ("next to a dog", ("next to",)),
        ("on the left", ("on the left",)),
        ("a dog next to on the beach", ("next to",)),
        ("a dog on the red beach", ("red",)),
        ("a dog is a ball", ("is",)),
        ("a dog is ball", ("is",)),
        ("there is a dog and there is a ball", ()),
        ("the dog is red and a ball is blue", ()),
    ],
)
def test_hanging_words_are_reported(caption, dangling):
    assert read_caption(caption).dangling == dangling


def test_unknown_words_are_counted_and_skipped():
    reading = read_caption("a red <unk> giraffe ball")
    assert reading.unparsed == ("unk", "giraffe")
    assert traits("a red <unk> giraffe ball") == {("colour", "red")}


@given(st.lists(st.sampled_from([*MEANINGS, "giraffe"]), max_size=12))
def test_any_string_of_words_can_be_read(words):
    reading = read_caption(" ".join(words))
    assert len(reading.unparsed) == words.count("giraffe")
    assert all(link.first < link.second < len(reading.mentions) for link in reading.links)


@given(st.text(max_size=60))
def test_any_text_can_be_read(text):
    read_caption(text)
