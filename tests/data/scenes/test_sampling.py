"""Sampled scenes keep to their themes, stay inside the picture and hide nothing."""

from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tellapart.data.scenes import sample_scene
from tellapart.data.scenes.relations import holds, overlap
from tellapart.data.scenes.sampling import ALL_THEMES, ARRANGEMENTS, BYSTANDERS, HIDDEN_COLOURS
from tellapart.data.scenes.world import BACKGROUNDS, NOUNS

SCENES = [sample_scene(Random(seed)) for seed in range(600)]


def test_the_tables_name_only_what_exists():
    for theme in ALL_THEMES:
        assert theme.background in BACKGROUNDS
        assert theme.noun in NOUNS
        assert theme.partner is None or theme.partner in NOUNS
        assert theme.relation in ARRANGEMENTS
    assert {noun for nouns in BYSTANDERS.values() for noun in nouns} <= NOUNS.keys()


def test_every_noun_and_background_turns_up():
    assert {thing.noun for scene in SCENES for thing in scene.things} == NOUNS.keys()
    assert {scene.background for scene in SCENES} == set(BACKGROUNDS)


@given(st.integers())
def test_things_lie_inside_the_picture_and_hide_each_other_only_in_front(seed):
    scene = sample_scene(Random(seed))
    assert 1 <= len(scene.things) <= 4
    for thing in scene.things:
        box = thing.box
        assert min(box.left, box.top) >= 0
        assert max(box.right, box.bottom) <= 1
        assert thing.colour != HIDDEN_COLOURS.get(scene.background)
    for first, second in combinations(scene.things, 2):
        if overlap(first.box, second.box):
            assert holds("on", first, second) or holds("in front of", first, second)


@given(st.integers())
def test_all_that_does_not_fly_has_its_foot_on_the_ground_or_the_water(seed):
    """The floor of the room begins lowest, at 0.66; the sea begins at 0.5."""
    things = sample_scene(Random(seed)).things
    for thing in things:
        carried = any(holds("on", thing, other) for other in things)
        if thing.form.home != "air" and not carried:
            begins = 0.66 if thing.form.home == "ground" else 0.5
            assert min(box.bottom for box in thing.members) > begins


@given(st.integers())
def test_two_things_of_a_noun_differ_in_colour(seed):
    things = sample_scene(Random(seed)).things
    assert len({(thing.noun, thing.colour) for thing in things}) == len(things)
