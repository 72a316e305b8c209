"""The truth of captions: hand-made verdicts, and captions that one changed word makes false."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart.data.scenes import Scene, Thing, judge_caption, sample_scene, write_captions
from tellapart.data.scenes.lexicon import PLACE_WORDS, PLURALS
from tellapart.data.scenes.meanings import MEANINGS
from tellapart.data.scenes.world import COLOURS, NOUNS

SCENE = Scene(
    "beach",
    (
        Thing("cup", "red", "striped", "small", 1, x=0.2, y=0.9),
        Thing("cup", "blue", "plain", "medium", 1, x=0.55, y=0.9),
        Thing("kite", "pink", "dotted", "small", 2, x=0.8, y=0.35),
    ),
)
LONE = Scene("meadow", (Thing("dog", "red", "plain", "small", 1, x=0.2, y=0.9),))
FRONT = Scene(
    "snow",
    (
        Thing("cat", "red", "plain", "small", 1, x=0.6, y=0.95),
        Thing("house", "blue", "plain", "large", 1, x=0.5, y=0.78),
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
        "a cup and a cup",
        "one cup and another cup",
        "a kite and a kite",
        "a blue cup and one cup",
        "the red cup next to the blue cup",
        "a cup and a kite , the cup is red and the kite is pink",
        "there is a cup and there is a kite",
        "on the left is a cup",
        "a red cup on the left of the beach",
        "a blue cup in the middle of the beach",
        "flying kites",
    ],
)
def test_true_captions(caption):
    assert judge_caption(caption, SCENE).is_true


@pytest.mark.parametrize(
    ("caption", "kind"),
    [
        ("a dog on the beach", "object"),
        ("a red cup and a red cup", "attribute"),
        ("a cup and a cup and a cup", "object"),
        ("a cup and two cups", "count"),
        ("cups and a cup", "count"),
        ("two kites and a kite", "count"),
        ("two kites and another kite", "count"),
        ("two cups and cups", "count"),
        ("a red cup in the snow", "background"),
        ("a cup over the beach", "background"),
        ("a cup under the sand", "background"),
        ("a cup in the sky", "background"),
        ("a kite on the beach", "background"),
        ("a cup and a kite on the sand", "background"),
        ("a cup behind the beach", "background"),
        ("a green cup", "attribute"),
        ("a red plain cup", "attribute"),
        ("a large cup", "attribute"),
        ("a small blue cup", "attribute"),
        ("a red cup on the right", "attribute"),
        ("a blue cup on the left of the beach", "attribute"),
        ("a red cup in the middle of the beach", "attribute"),
        ("a flying cup", "attribute"),
        ("three kites", "count"),
        ("one cup", "count"),
        ("two red cups", "count"),
        ("red cups", "count"),
        ("a blue cup to the left of a red cup", "relation"),
        ("a cup above a kite", "relation"),
        ("a cup on a kite", "relation"),
        ("a cup in a kite", "relation"),
        ("a kite next to a kite", "relation"),
        ("the pink kites next to the kites", "relation"),
    ],
)
def test_false_captions_name_the_kind_that_fails(caption, kind):
    truth = judge_caption(caption, SCENE)
    assert not truth.is_true
    assert truth.borne_out[kind] < truth.asserted[kind]
    assert all(truth.borne_out[k] == truth.asserted[k] for k in truth.asserted if k != kind)


@pytest.mark.parametrize(
    "caption",
    [
        "",
        "giraffe",
        "there is",
        "a red cup next to a",
        "a cup red",
        "we see a giraffe cup",
        "a purple cup",
        "no cup on the beach",
        "a cup is not red",
        "a cup without a kite",
        "only a cup",
        "a cup is a kite",
    ],
)
def test_a_caption_that_claims_nothing_or_is_not_understood_is_not_true(caption):
    assert not judge_caption(caption, SCENE).is_true


@pytest.mark.parametrize(
    ("caption", "is_true"),
    [
        ("the dog is red and the dog is small", True),
        ("the dog and the dog", True),
        ("a dog in a field , it is red", True),
        ("a dog and a dog", False),
        ("the dog and a dog", False),
        ("dog dog dog dog in a field", False),
        ("a dog next to the dog", False),
        ("a red dog and the blue dog", False),
        ("two dogs and the dog", False),
    ],
)
def test_only_the_and_it_speak_of_something_again(caption, is_true):
    assert judge_caption(caption, LONE).is_true == is_true


@pytest.mark.parametrize("relation", ["near", "next to", "beside", "in front of"])
def test_what_stands_in_front_is_also_near(relation):
    assert judge_caption(f"a cat {relation} a house", FRONT).is_true
    assert not judge_caption(f"a house above a cat {relation} a house", FRONT).is_true


def test_the_sky_is_outdoors():
    balloon = Thing("balloon", "red", "plain", "small", 1, x=0.2, y=0.4)
    assert judge_caption("a balloon in the air", Scene("room", (balloon,))).is_true
    assert not judge_caption("a balloon in the sky", Scene("room", (balloon,))).is_true


def test_the_share_counts_claims():
    truth = judge_caption("a small green striped cup in the snow", SCENE)
    assert truth.asserted == {"object": 1, "attribute": 3, "background": 1}
    assert truth.borne_out == {"object": 1, "attribute": 2}
    assert truth.share == pytest.approx(3 / 5)


def test_a_repeated_mention_is_not_borne_out():
    truth = judge_caption("a red dog and a red dog", LONE)
    assert truth.asserted == {"object": 2, "attribute": 2}
    assert truth.borne_out == {"object": 1, "attribute": 1}


def test_more_mentions_than_anyone_needs_are_malformed():
    caption = "a dog" + " and the dog" * 5
    assert judge_caption(caption, LONE).is_true
    assert not judge_caption(f"{caption} and the dog", LONE).is_true
    assert judge_caption("dog " * 2000, LONE).borne_out == {"object": 1}


def test_a_crowd_is_judged_in_bounded_time():
    boats = [Thing("boat", colour, "plain", "small", 3, x=0.5, y=0.8) for colour in COLOURS[:4]]
    assert not judge_caption("the three striped boats " * 6, Scene("sea", tuple(boats))).is_true


@given(st.lists(st.sampled_from([*MEANINGS, "giraffe"]), max_size=12), st.integers())
def test_any_string_of_words_can_be_judged(words, seed):
    truth = judge_caption(" ".join(words), sample_scene(Random(seed)))
    assert 0 <= truth.share <= 1
    assert all(truth.borne_out[kind] <= truth.asserted[kind] for kind in truth.borne_out)


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
    "unknown colour": (COLOURS, lambda _: {"purple", "brown"}),
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
    assert_all_false(list(mutate(written, *MUTATIONS[kind])))


def assert_all_false(mutants):
    assert len(mutants) > 50
    for scene, caption in mutants:
        assert not judge_caption(caption, scene).is_true, (caption, scene)


PLACE_NOUNS = r"(?:the |a )?(?:night sky|{})\b".format("|".join(PLACE_WORDS))
WRONG_PREPOSITIONS = {
    "on": ("over", "above", "under", "below", "behind", "next to"),
    "in": ("over", "above", "under", "below", "behind", "next to"),
    "at": ("over", "above", "under", "below", "behind", "next to"),
    "over": ("on", "under", "below", "at", "behind", "next to"),
    "above": ("on", "under", "below", "at", "behind", "next to"),
    "under": ("on", "over", "above", "at", "behind", "next to"),
}
"""What cannot be said of a thing in its place: a dog is not over the beach, a kite not on it."""


def test_a_wrong_preposition_makes_a_place_false(written):
    mutants = []
    for scene, caption in written:
        for found in re.finditer(rf"\b(on|in|at|over|above|under) ({PLACE_NOUNS})", caption):
            before, after = caption[: found.start()], caption[found.end() :]
            for wrong in WRONG_PREPOSITIONS[found[1]]:
                mutants.append((scene, f"{before}{wrong} {found[2]}{after}"))
    assert_all_false(mutants)


SIDES_OF = {"left": "on the left of", "middle": "in the middle of", "right": "to the right of"}


def test_a_wrong_side_of_a_place_is_false(written):
    mutants = [
        (scene, f"a {thing.noun} {words} the {scene.background}")
        for scene, _ in written
        for thing in scene.things
        for side, words in SIDES_OF.items()
        if side not in {other.side for other in scene.things if other.noun == thing.noun}
    ]
    assert_all_false(mutants)


def test_a_doubled_subject_is_false(written):
    """As in "a dog and a dog", or "two boats next to two boats"."""
    mutants = []
    for scene, caption in written:
        subject = re.match(rf"(?:(?:an?|two|three) )(?:\w+ )*?(?:{ANY_NOUN})\b", caption)
        if subject and fitting(caption, scene) < 2:
            mutants.append((scene, f"{subject[0]} and {caption}"))
            mutants.append((scene, f"{subject[0]} next to {caption}"))
    assert_all_false(mutants)


ANY_NOUN = "|".join([*NOUNS, *PLURALS.values(), "puppy", "kitten", "mug"])


def fitting(caption, scene):
    """How many times over the scene has what the caption begins with."""
    main = scene.main
    members = sum(thing.count for thing in scene.things if thing.noun == main.noun)
    asked = {"two": 2, "three": 3}.get(caption.split()[0], 1)
    return members // asked


@pytest.mark.parametrize("word", ["no", "not", "without", "giraffe", "purple", "only", "never"])
def test_an_unknown_word_anywhere_makes_a_caption_untrue(written, word):
    mutants = []
    for scene, caption in written[:200]:
        words = caption.split()
        at = Random(caption).randrange(len(words) + 1)
        mutants.append((scene, " ".join([*words[:at], word, *words[at:]])))
    assert_all_false(mutants)


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
    mutants = [
        (scene, caption.replace(relation, opposite))
        for scene, caption in written
        if re.search(rf"\b{relation}\b", caption) and not has_doubles(scene)
    ]
    assert mutants
    for scene, caption in mutants:
        assert not judge_caption(caption, scene).is_true, (caption, scene)


def has_doubles(scene):
    """Of two boats each is a boat beside a boat, so turning the words round changes nothing."""
    return len({thing.noun for thing in scene.things}) < len(scene.things)
