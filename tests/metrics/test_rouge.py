"""ROUGE-L against the COCO evaluation's, by hand, and by what must hold of any ROUGE-L."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart.metrics.rouge import longest_common_subsequences, rouge_l

captions = st.lists(st.sampled_from("a b c d dog cat".split()), max_size=12)
pictures = st.lists(
    st.tuples(captions, st.lists(captions, min_size=1, max_size=4)), min_size=1, max_size=6
)


@given(pictures)
@settings(max_examples=200)
def test_rouge_equals_the_coco_evaluation(pictures):
    scorer = pytest.importorskip("pycocoevalcap.rouge.rouge", reason="needs pycocoevalcap").Rouge()
    candidates, references = zip(*pictures, strict=True)
    theirs, theirs_each = scorer.compute_score(
        {i: [" ".join(text) for text in each] for i, each in enumerate(references)},
        {i: [" ".join(text)] for i, text in enumerate(candidates)},
    )
    ours = rouge_l(candidates, references)
    assert ours.corpus == pytest.approx(theirs, abs=1e-12)
    np.testing.assert_allclose(ours.per_caption, theirs_each, rtol=0, atol=1e-12)


def naive_common_subsequence(first: list[str], second: list[str]) -> int:
    if not first or not second:
        return 0
    if first[0] == second[0]:
        return 1 + naive_common_subsequence(first[1:], second[1:])
    shorter = (first[1:], second), (first, second[1:])
    return max(naive_common_subsequence(*pair) for pair in shorter)


words = st.lists(st.sampled_from("abc"), max_size=7)


@given(words, words)
def test_common_subsequences_equal_the_definition(first, second):
    assert longest_common_subsequences(first, [second]) == [naive_common_subsequence(first, second)]


def test_rouge_by_hand():
    """Best precision 3/4 comes from one reference, best recall 1 from another."""
    candidate = "a dog sat down".split()
    references = ["a big dog has sat there".split(), "dog sat".split()]
    expected = (1 + 1.44) * 0.75 * 1 / (1 + 1.44 * 0.75)
    assert rouge_l([candidate], [references]).corpus == pytest.approx(expected)


@given(st.lists(captions.filter(bool), min_size=1, max_size=5))
def test_a_caption_equal_to_its_only_reference_scores_one(texts):
    assert rouge_l(texts, [[text] for text in texts]).per_caption == pytest.approx([1] * len(texts))


@given(pictures, st.randoms())
def test_the_order_of_pictures_does_not_matter(pictures, chance):
    order = list(range(len(pictures)))
    chance.shuffle(order)
    scores = rouge_l(*zip(*pictures, strict=True)).per_caption
    shuffled = rouge_l(*zip(*[pictures[i] for i in order], strict=True)).per_caption
    assert shuffled.tolist() == scores[order].tolist()


def test_an_empty_caption_is_one_empty_word():
    assert rouge_l([[]], [[["a", "dog"]]]).corpus == 0
    assert rouge_l([[]], [[[]]]).corpus == pytest.approx(1)
