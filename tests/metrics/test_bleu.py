"""BLEU against the COCO evaluation's, by hand, and by what must hold of any BLEU."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart.metrics.bleu import bleu

captions = st.lists(st.sampled_from("a b c d dog cat".split()), max_size=12)
pictures = st.lists(
    st.tuples(captions, st.lists(captions, min_size=1, max_size=4)), min_size=1, max_size=6
)
long_captions = st.lists(st.sampled_from("a b c d e f".split()), min_size=4, max_size=12)


@given(pictures)
@settings(max_examples=200)
def test_bleu_equals_the_coco_evaluation(pictures):
    scorer = pytest.importorskip("pycocoevalcap.bleu.bleu", reason="needs pycocoevalcap").Bleu(4)
    candidates, references = zip(*pictures, strict=True)
    theirs, theirs_each = scorer.compute_score(
        {i: [" ".join(text) for text in each] for i, each in enumerate(references)},
        {i: [" ".join(text)] for i, text in enumerate(candidates)},
        verbose=0,
    )
    ours = bleu(candidates, references)
    assert [score.corpus for score in ours] == pytest.approx(theirs, abs=1e-9)
    for score, expected in zip(ours, theirs_each, strict=True):
        np.testing.assert_allclose(score.per_caption, expected, rtol=0, atol=1e-9)


def test_bleu_by_hand():
    """Three of four words are right, the repeated one once; the closest reference has 5 words."""
    scores = bleu([["the", "dog", "the", "sat"]], [[["the", "dog", "sat", "down", "now"]]])
    penalty = math.exp(1 - 5 / 4)
    assert scores[0].corpus == pytest.approx(3 / 4 * penalty, abs=1e-8)
    assert scores[1].corpus == pytest.approx(math.sqrt(3 / 4 * 1 / 3) * penalty, abs=1e-8)
    assert scores[3].corpus < 1e-3


@given(st.lists(long_captions, min_size=1, max_size=5))
def test_a_caption_equal_to_its_only_reference_scores_one(texts):
    for score in bleu(texts, [[text] for text in texts]):
        assert score.corpus == pytest.approx(1, abs=1e-6)
        assert score.per_caption == pytest.approx(np.ones(len(texts)), abs=1e-6)


@given(pictures, st.randoms())
def test_the_order_of_pictures_does_not_matter(pictures, chance):
    order = list(range(len(pictures)))
    chance.shuffle(order)
    scores = bleu(*zip(*pictures, strict=True))
    shuffled = bleu(*zip(*[pictures[i] for i in order], strict=True))
    for score, other in zip(scores, shuffled, strict=True):
        assert other.corpus == pytest.approx(score.corpus, abs=1e-12)
        np.testing.assert_allclose(other.per_caption, score.per_caption[order], atol=1e-12)


def test_a_token_with_a_space_in_it_is_two_words():
    """As the standard scorers read "2 1/2", which the tokeniser leaves in one piece."""
    whole, parted = ["2\xa01/2", "cups", "of", "tea"], ["2", "1/2", "cups", "of", "tea"]
    assert bleu([whole], [[parted]])[3].corpus == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(("candidates", "references"), [([], []), ([["a"]], []), ([["a"]], [[]])])
def test_what_cannot_be_scored_is_said(candidates, references):
    with pytest.raises(ValueError, match="give"):
        bleu(candidates, references)
