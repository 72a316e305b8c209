"""CIDEr-D against the COCO evaluation's, by hand, and by what must hold of any CIDEr-D."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart.metrics.cider import DocumentFrequencies, cider, count_documents

captions = st.lists(st.sampled_from("a b c d dog cat".split()), max_size=12)
pictures = st.lists(
    st.tuples(captions, st.lists(captions, min_size=1, max_size=4)), min_size=1, max_size=6
)


@given(pictures)
@settings(max_examples=200)
def test_cider_equals_the_coco_evaluation(pictures):
    module = pytest.importorskip("pycocoevalcap.cider.cider_scorer", reason="needs pycocoevalcap")
    scorer = module.CiderScorer(n=4, sigma=6.0)
    for candidate, references in pictures:
        scorer += (" ".join(candidate), [" ".join(reference) for reference in references])
    scorer.compute_doc_freq()
    theirs = scorer.compute_cider()
    ours = cider(*zip(*pictures, strict=True))
    np.testing.assert_allclose(ours.per_caption, theirs, rtol=0, atol=1e-9)
    assert ours.corpus == pytest.approx(np.mean(theirs), abs=1e-9)


def test_cider_by_hand():
    """Two pictures, single words: "dog" is rare, "a" is everywhere, so "dog" decides alone."""
    candidates = [["a", "dog"], ["a"]]
    references = [[["a", "dog"]], [["a", "cat"]]]
    scores = cider(candidates, references).per_caption
    # Agreement on words and on bigrams is complete, on longer n-grams there is none: 2 of 4.
    assert scores == pytest.approx([10 * 2 / 4, 0])


def test_counts_are_clipped_and_lengths_compared():
    """Saying "dog" thrice: the cosine takes one of them, and the caption is two words too long."""
    frequencies = DocumentFrequencies(pictures=8, counts={"dog": 2})
    score = cider([["dog"] * 3], [[["dog"]]], document_frequencies=frequencies)
    assert score.corpus == pytest.approx(10 / 4 * (1 / 3) * math.exp(-(2**2) / 72))


@given(pictures)
def test_given_document_frequencies_are_those_of_the_references(pictures):
    candidates, references = zip(*pictures, strict=True)
    implied = cider(candidates, references)
    given = cider(candidates, references, document_frequencies=count_documents(references))
    np.testing.assert_allclose(given.per_caption, implied.per_caption, atol=1e-12)


def test_document_frequencies_count_pictures_not_references():
    frequencies = count_documents([[["a", "dog"], ["a", "dog"]], [["a", "cat"]]])
    expected = {"a": 2, "dog": 1, "cat": 1, "a dog": 1, "a cat": 1}
    assert (frequencies.pictures, frequencies.counts) == (2, expected)


def test_one_picture_needs_the_frequencies_of_a_corpus():
    """Alone every n-gram is in every picture, so nothing tells it apart."""
    dog, cat = ["a", "small", "dog", "sits"], ["a", "small", "cat", "sits"]
    assert cider([dog], [[dog]]).corpus == 0
    frequencies = count_documents([[dog], [cat], [["a", "bus"]]])
    scored = cider([dog], [[dog]], document_frequencies=frequencies)
    assert scored.corpus == pytest.approx(10)


@given(pictures, st.randoms())
def test_the_order_of_pictures_does_not_matter(pictures, chance):
    order = list(range(len(pictures)))
    chance.shuffle(order)
    scores = cider(*zip(*pictures, strict=True)).per_caption
    shuffled = cider(*zip(*[pictures[i] for i in order], strict=True)).per_caption
    np.testing.assert_allclose(shuffled, scores[order], atol=1e-12)
