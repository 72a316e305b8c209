"""Scenes are plain values: they survive JSON, and their boxes follow from their places."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart.data.scenes import Scene, Thing, sample_scene
from tellapart.data.scenes.relations import overlap

BALL = Thing("ball", "red", "striped", "small", 1, x=0.2, y=0.9)


@given(st.integers())
def test_a_scene_survives_json(seed):
    scene = sample_scene(Random(seed))
    assert Scene.from_json(json.loads(json.dumps(scene.to_json()))) == scene


def test_a_box_stands_on_its_point():
    box = BALL.box
    assert (box.middle, box.bottom) == pytest.approx((0.2, 0.9))
    assert (box.width, box.height) == pytest.approx((0.24, 0.24))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_members_of_a_group_stand_apart(count):
    members = replace(BALL, count=count, x=0.5).members
    assert len(members) == count
    assert not any(overlap(a, b) for a in members for b in members if a is not b)


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
