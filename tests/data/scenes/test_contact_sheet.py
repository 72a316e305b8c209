"""The contact sheet: look-alikes in rows, captions that stay under their picture."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tellapart.data.scenes import judge_caption, sample_scene
from tellapart.data.scenes.contact_sheet import (
    COLUMNS,
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


@given(st.lists(st.text("abc", min_size=1, max_size=9), min_size=1, max_size=30))
def test_wrapping_keeps_the_words_and_the_width(words):
    lines = wrap(" ".join(words), lambda line: 12.0 * len(line))
    assert " ".join(lines).split() == words
    assert all(12 * len(line) <= 224 for line in lines)
