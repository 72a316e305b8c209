"""Relations follow from where things are drawn."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart.data.scenes import Thing, sample_scene
from tellapart.data.scenes.relations import holds, relations_between

CONVERSES = {"left of": "right of", "above": "below", "in front of": "behind", "beside": "beside"}


def thing(noun, x, y, size="small"):
    return Thing(noun, "red", "plain", size, 1, x, y)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (thing("ball", 0.2, 0.9), thing("dog", 0.8, 0.9), {"left of"}),
        (thing("ball", 0.5, 0.9), thing("dog", 0.8, 0.9), {"left of", "beside"}),
        (thing("kite", 0.5, 0.4), thing("dog", 0.5, 0.9), {"above"}),
        (thing("cup", 0.5, 0.6), thing("table", 0.5, 0.9, "medium"), {"on", "above"}),
        (thing("dog", 0.6, 0.95), thing("house", 0.5, 0.78, "large"), {"in front of", "beside"}),
    ],
)
def test_hand_placed_pairs(first, second, expected):
    # The cup stands on the table top, whatever the table's height.
    if second.noun == "table":
        first = thing("cup", 0.5, second.box.top)
    assert set(relations_between(first, second)) == expected


def test_only_supports_carry():
    house = thing("house", 0.5, 0.9)
    assert not holds("on", thing("ball", 0.5, house.box.top), house)


@given(st.integers())
def test_every_relation_has_its_converse(seed):
    things = sample_scene(Random(seed)).things
    for first in things:
        for second in things:
            for relation, converse in CONVERSES.items():
                if first is not second:
                    assert holds(relation, first, second) == holds(converse, second, first)
