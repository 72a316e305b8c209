"""Scenes are plain values: they survive JSON, and their boxes follow from their places."""

import json
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart.data.scenes import Scene, Thing, sample_scene
from tellapart.data.scenes.relations import overlap, shared_height, shared_width
from tellapart.data.scenes.world import NOUNS

BALL = Thing("ball", "red", "striped", "small", 1, x=0.2, y=0.9)


@given(st.integers())
def test_a_scene_survives_json(seed):
    scene = sample_scene(Random(seed))
    assert Scene.from_json(json.loads(json.dumps(scene.to_json()))) == scene


def test_a_box_stands_on_its_point():
    box = BALL.box
    assert (box.middle, box.bottom) == pytest.approx((0.2, 0.9))
    assert (box.width, box.height) == pytest.approx((0.24, 0.24))


KITE = replace(BALL, noun="kite", y=0.7)


@pytest.mark.parametrize("group", [BALL, replace(BALL, count=2), replace(KITE, count=3)])
def test_the_members_of_a_group_stand_apart(group):
    assert len(group.members) == group.count
    assert not any(overlap(*pair) for pair in combinations(group.members, 2))


@pytest.mark.parametrize("noun", [noun for noun, form in NOUNS.items() if form.home != "air"])
def test_a_third_member_looks_out_from_behind_the_other_two(noun):
    rear, left, right = replace(BALL, noun=noun, count=3, x=0.5).members
    assert not overlap(left, right)
    hidden = sum(shared_width(rear, box) * shared_height(rear, box) for box in (left, right))
    assert 0 < hidden < 0.4 * rear.width * rear.height


def test_the_group_box_holds_every_member():
    group = replace(BALL, count=3, x=0.5)
    assert all(group.box.left <= box.left and group.box.top <= box.top for box in group.members)
    assert all(box.right <= group.box.right for box in group.members)


@pytest.mark.parametrize(("x", "side"), [(0.2, "left"), (0.5, "middle"), (0.8, "right")])
def test_the_side_is_where_the_middle_is_drawn(x, side):
    assert replace(BALL, x=x).side == side


def test_the_description_ignores_what_no_caption_speaks_of():
    scene = Scene("beach", (BALL,), variation=1)
    moved = Scene("beach", (replace(BALL, x=0.21),), variation=2)
    assert scene.describe() == moved.describe() == "beach: 1 small red striped ball left"
