"""Pictures have the size asked for, repeat exactly, and show the colour they are said to show."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tellapart.data.scenes import Scene, Thing, draw_scene, sample_scene
from tellapart.data.scenes.backdrops import BACKDROPS
from tellapart.data.scenes.drawing import order_by_depth
from tellapart.data.scenes.pens import PAINTS, WEAVES
from tellapart.data.scenes.shapes import SHAPES
from tellapart.data.scenes.world import BACKGROUNDS, COLOURS, NOUNS, PATTERNS


def lone(noun="ball", colour="red", pattern="plain", background="room"):
    return Scene(background, (Thing(noun, colour, pattern, "large", 1, x=0.5, y=0.9),))


def pixels(scene, size=64):
    return np.asarray(draw_scene(scene, size=size), dtype=float)


def test_everything_that_can_be_said_can_be_drawn():
    assert SHAPES.keys() == NOUNS.keys()
    assert set(BACKDROPS) == set(BACKGROUNDS)
    assert set(PAINTS) == set(COLOURS)
    assert {"plain", *WEAVES} == set(PATTERNS)


@pytest.mark.parametrize("size", [65, 128, 224])
def test_a_picture_is_square_and_rgb(size):
    picture = draw_scene(sample_scene(Random(1)), size=size)
    assert (picture.size, picture.mode) == ((size, size), "RGB")


def test_the_same_scene_gives_the_same_picture_and_another_variation_another():
    scene = sample_scene(Random(2))
    assert draw_scene(scene).tobytes() == draw_scene(scene).tobytes()
    other = replace(scene, variation=scene.variation + 1)
    assert draw_scene(scene).tobytes() != draw_scene(other).tobytes()


@pytest.mark.parametrize("noun", NOUNS)
def test_a_thing_is_drawn_inside_its_box(noun):
    difference = np.abs(pixels(lone(noun)) - pixels(lone(noun, colour="blue"))).sum(axis=-1)
    rows, columns = np.nonzero(difference > 60)
    box = lone(noun).main.box
    assert len(rows) > 100
    assert columns.min() / 64 > box.left - 0.03
    assert (columns.max() + 1) / 64 < box.right + 0.03
    assert rows.min() / 64 > box.top - 0.03
    assert (rows.max() + 1) / 64 < box.bottom + 0.03


@pytest.mark.parametrize("colour", COLOURS)
def test_the_paint_is_nearest_to_its_own_name(colour):
    middle = pixels(lone("box", colour))[40:44, 30:34].mean(axis=(0, 1))
    distances = {name: np.abs(middle - paint).sum() for name, paint in PAINTS.items()}
    assert min(distances, key=distances.__getitem__) == colour


@pytest.mark.parametrize("pattern", WEAVES)
@pytest.mark.parametrize("colour", COLOURS)
def test_a_pattern_differs_from_plain_in_a_good_part_of_the_body(colour, pattern):
    plain, woven = pixels(lone("box", colour)), pixels(lone("box", colour, pattern))
    changed = (np.abs(plain - woven).sum(axis=-1) > 90)[30:56, 20:44]
    assert 0.15 < changed.mean() < 0.6


def test_a_carried_thing_is_drawn_over_its_support():
    table = Thing("table", "red", "plain", "large", 1, x=0.5, y=0.9)
    cup = Thing("cup", "blue", "plain", "small", 1, x=0.5, y=table.box.top + 0.015)
    kite = Thing("kite", "blue", "plain", "small", 1, x=0.1, y=0.3)
    assert order_by_depth((cup, table, kite)) == [kite, table, cup]
