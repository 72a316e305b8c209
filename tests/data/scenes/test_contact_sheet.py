"""The contact sheet: look-alikes in rows, captions that stay under their picture."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tellapart.data.scenes import judge_caption, sample_scene
from tellapart.data.scenes.contact_sheet import (
    COLUMNS,
    GAP,
    HEADING,
    PAPER,
    PICTURE,
    TEXT_HEIGHT,
    TEXT_WIDTH,
    choose_rows,
    draw_contact_sheet,
    generic_caption,
    wrap,
)
from tellapart.data.scenes.world import BACKGROUNDS

SCENES = [sample_scene(Random(seed)) for seed in range(300)]


def test_a_row_shares_a_caption_that_is_true_of_all_its_pictures():
    rows = choose_rows(SCENES)
    assert [row[0].background for row in rows] == list(BACKGROUNDS)
    for row in rows:
        captions = {generic_caption(scene) for scene in row}
        assert len(captions) == 1
        assert len(row) == COLUMNS
        assert all(judge_caption(captions.copy().pop(), scene).is_true for scene in row)


def test_too_few_scenes_make_a_smaller_sheet():
    assert draw_contact_sheet(SCENES[:1]).height < draw_contact_sheet(SCENES[:20]).height


def test_no_caption_runs_into_the_next_one():
    sheet = draw_contact_sheet(SCENES)
    right = GAP + TEXT_WIDTH + 1
    gutters = [(right + column * (PICTURE + GAP), PICTURE + GAP) for column in range(COLUMNS)]
    for row in range(len(BACKGROUNDS)):
        top, bottom = (HEADING + (row + end) * (PICTURE + TEXT_HEIGHT) for end in (0, 1))
        for left, stride in gutters:
            gutter = (left, top + PICTURE, left + stride - TEXT_WIDTH - 1, bottom)
            assert sheet.crop(gutter).getcolors() == [(area(gutter), PAPER)]
        floor = (0, bottom - 4, sheet.width, bottom)
        assert sheet.crop(floor).getcolors() == [(area(floor), PAPER)]


def area(box):
    left, top, right, bottom = box
    return (right - left) * (bottom - top)


@given(st.lists(st.text("abc", min_size=1, max_size=9), min_size=1, max_size=30))
def test_wrapping_keeps_the_words_and_the_width(words):
    lines = wrap(" ".join(words), lambda line: 12.0 * len(line))
    assert " ".join(lines).split() == words
    assert all(12 * len(line) <= TEXT_WIDTH for line in lines)
