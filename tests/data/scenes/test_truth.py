"""The truth of captions: hand-made verdicts, and captions that one changed word makes false."""

from random import Random

import pytest

from tellapart.data.scenes import Scene, Thing, judge_caption, sample_scene, write_captions
from tellapart.data.scenes.lexicon import PLACE_WORDS, PLURALS
from tellapart.data.scenes.reading import read_caption
from tellapart.data.scenes.world import COLOURS, NOUNS

SCENE = Scene(
    "beach",
    (
        Thing("cup", "red", "striped", "small", 1, x=0.2, y=0.9),
        Thing("cup", "blue", "plain", "medium", 1, x=0.55, y=0.9),
        Thing("kite", "pink", "dotted", "small", 2, x=0.8, y=0.35),
    ),
)


@pytest.mark.parametrize(
    "caption",
    [
        "a cup on the beach",
        "the cup is red",
        "two cups on the sand",
        "cups outside",
        "a small red striped mug to the left of a blue cup",
        "a red cup next to a blue cup",
        "a cup with stripes on the left",
        "two pink kites in the sky on the right",
        "a pair of spotted kites flying over the beach",
        "a kite and a cup",
        "one blue cup",
        "a plain cup",
        "we see a giraffe cup",
    ],
)
def test_true_captions(caption):
    assert judge_caption(caption, SCENE).is_true


@pytest.mark.parametrize(
    ("caption", "kind"),
    [
        ("a dog on the beach", "object"),
        ("a red cup in the snow", "background"),
        ("a green cup", "attribute"),
        ("a red plain cup", "attribute"),
        ("a large cup", "attribute"),
        ("a small blue cup", "attribute"),
        ("a red cup on the right", "attribute"),
        ("a flying cup", "attribute"),
        ("a cup in the sky", "attribute"),
        ("three kites", "count"),
        ("one cup", "count"),
        ("two red cups", "count"),
        ("red cups", "count"),
        ("a blue cup to the left of a red cup", "relation"),
        ("a cup above a kite", "relation"),
        ("a cup on a kite", "relation"),
        ("a cup in a kite", "relation"),
    ],
)
def test_false_captions_name_the_kind_that_fails(caption, kind):
    truth = judge_caption(caption, SCENE)
    assert not truth.is_true
    assert truth.borne_out[kind] < truth.asserted[kind]
    assert all(truth.borne_out[k] == truth.asserted[k] for k in truth.asserted if k != kind)


@pytest.mark.parametrize("caption", ["", "giraffe", "there is", "a red cup next to a", "a cup red"])
def test_a_caption_that_claims_nothing_or_leaves_words_hanging_is_not_true(caption):
    assert not judge_caption(caption, SCENE).is_true


def test_the_share_counts_claims():
    truth = judge_caption("a small green striped cup in the snow", SCENE)
    assert truth.asserted == {"object": 1, "attribute": 3, "background": 1}
    assert truth.borne_out == {"object": 1, "attribute": 2}
    assert truth.share == pytest.approx(3 / 5)


@pytest.fixture(scope="module")
def written():
    """Captions of many scenes, all of them true."""
    scenes = [sample_scene(Random(seed)) for seed in range(300)]
    return [
        (scene, caption.lower().strip("."))
        for number, scene in enumerate(scenes)
        for caption in write_captions(scene, Random(number))
    ]


def swap(caption, old, new):
    return " ".join(new if word == old else word for word in caption.split())


def mutate(written, words, choose):
    """Replace the first such word of every caption that has one by a word that is wrong."""
    for scene, caption in written:
        said = [word for word in caption.split() if word in words]
        if said:
            yield scene, swap(caption, said[0], Random(caption).choice(sorted(choose(scene))))


MUTATIONS = {
    "colour": (COLOURS, lambda scene: set(COLOURS) - {thing.colour for thing in scene.things}),
    "noun": (
        {*NOUNS, *PLURALS.values()},
        lambda scene: NOUNS.keys() - {thing.noun for thing in scene.things},
    ),
    "place": (
        PLACE_WORDS,
        lambda scene: {word for word in PLACE_WORDS if scene.background not in PLACE_WORDS[word]},
    ),
    "number": ({"two", "three"}, lambda _: {"one"}),
}


@pytest.mark.parametrize("kind", MUTATIONS)
def test_one_wrong_word_makes_a_true_caption_false(written, kind):
    mutants = list(mutate(written, *MUTATIONS[kind]))
    assert len(mutants) > 50
    for scene, caption in mutants:
        assert not judge_caption(caption, scene).is_true, (caption, scene)


@pytest.mark.parametrize(
    ("relation", "opposite"),
    [
        ("left of", "right of"),
        ("right of", "left of"),
        ("above", "below"),
        ("over", "under"),
        ("in front of", "behind"),
        ("on the left", "on the right"),
        ("two", "three"),
    ],
)
def test_the_opposite_is_false(written, relation, opposite):
    # "Over the sea" and "under the night sky" speak of places, which have no upside down.
    linked = [(scene, text) for scene, text in written if not read_caption(text).places]
    mutants = [(s, text.replace(relation, opposite)) for s, text in linked if relation in text]
    assert mutants
    for scene, caption in mutants:
        assert not judge_caption(caption, scene).is_true, (caption, scene)
