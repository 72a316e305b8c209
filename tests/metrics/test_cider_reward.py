"""The reward equals the standard scorer, treats EOS as a word, and lives within a GPU's rules."""

import math
import resource
import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tellapart.data.vocabulary import EOS, PAD, Vocabulary
from tellapart.metrics.cider import cider
from tellapart.metrics.cider_reward import LARGEST_VOCABULARY, cider_d, compile_references
from tellapart.metrics.ptb_tokeniser import tokenise

VOCABULARY = 12
WIDTH = 8

sentence = st.lists(st.integers(3, VOCABULARY - 1), max_size=WIDTH - 1)
worlds = st.lists(
    st.tuples(sentence, st.lists(sentence, min_size=1, max_size=4)), min_size=1, max_size=6
)


def rows(sentences: list[list[int]]) -> np.ndarray:
    """Each sentence, one EOS, then padding, as the vocabulary encodes it."""
    filled = np.full((len(sentences), WIDTH), PAD, dtype=np.int64)
    for row, words in zip(filled, sentences, strict=True):
        row[: len(words) + 1] = [*words, EOS]
    return filled


def standard_scores(
    world: list[tuple[list[int], list[list[int]]]], *, ended: bool = True
) -> np.ndarray:
    """The scorer everybody uses, on ids spelt as words, EOS among them."""
    scorer_module = pytest.importorskip("pycocoevalcap.cider.cider_scorer")
    scorer = scorer_module.CiderScorer()
    for caption, references in world:
        spelt = [" ".join(map(str, [*words, EOS])) for words in references]
        scorer += (" ".join(map(str, [*caption, EOS] if ended else caption)), spelt)
    return np.asarray(scorer.compute_score()[1])


def scores(world: list[tuple[list[int], list[list[int]]]]) -> Tensor:
    tables = compile_references([rows(refs) for _, refs in world], vocabulary_size=VOCABULARY)
    captions = torch.from_numpy(rows([caption for caption, _ in world]))
    return cider_d(captions, torch.arange(len(world)), tables)


@settings(max_examples=200, deadline=None)
@given(worlds)
def test_it_equals_the_standard_scorer(world):
    np.testing.assert_allclose(scores(world), standard_scores(world), atol=1e-4)


@given(worlds)
def test_captions_cut_off_equal_the_standard_scorer_without_an_end(world):
    tables = compile_references([rows(refs) for _, refs in world], vocabulary_size=VOCABULARY)
    captions = torch.from_numpy(rows([caption for caption, _ in world]))
    cut_off = captions.masked_fill(captions == EOS, PAD)
    found = cider_d(cut_off, torch.arange(len(world)), tables)
    np.testing.assert_allclose(found, standard_scores(world, ended=False), atol=1e-4)


def test_it_equals_the_metric_on_the_words_that_the_ids_spell():
    """Through the vocabulary and back: decoded, tokenised for the metric, and EOS as a word."""
    texts = [
        ["A man's dog runs.", "The man's t-shirt is red!", "a dog"],
        ["Two dogs don't run.", "two dogs sit on a red t-shirt", "dogs"],
        ["A woman at 5 o'clock.", "the woman's watch", "a red watch"],
    ]
    vocabulary = Vocabulary.build([text for each in texts for text in each], min_count=1)
    captions = vocabulary.encode_batch(["the man's dogs don't run", "two red dogs", "a woman"])
    references = [vocabulary.encode_batch(each) for each in texts]
    tables = compile_references(references, vocabulary_size=len(vocabulary))
    found = cider_d(torch.from_numpy(captions), torch.arange(3), tables)

    def spell(ids: np.ndarray) -> list[str]:
        return [*tokenise(vocabulary.decode(ids.tolist())), "<eos>"]

    expected = cider(list(map(spell, captions)), [list(map(spell, each)) for each in references])
    np.testing.assert_allclose(found, expected.per_caption, atol=1e-4)
    assert expected.per_caption.min() > 0


def test_by_hand():
    """Two pictures, one reference each; caption = reference has cosine 1 for every n it has."""
    world = [([4, 5, 6], [[4, 5, 6]]), ([7, 8, 9], [[7, 8, 9]])]
    # Four words with EOS: n-grams of all four orders, each rarer than the EOS both pictures share.
    assert scores(world).tolist() == pytest.approx([10.0, 10.0])
    # "7" and EOS against "4 5 6" and EOS: only EOS is shared, and it weighs log 2 - log 2 = 0.
    other = [([7], [[4, 5, 6]]), ([7, 8, 9], [[7, 8, 9]])]
    assert scores(other)[0] == 0.0


def test_the_end_of_a_caption_is_a_word():
    """A caption that stops where the references do scores above one that goes on."""
    world = [([4, 5], [[4, 5]]), ([6, 7], [[6, 7]]), ([8], [[8, 9]])]
    tables = compile_references([rows(refs) for _, refs in world], vocabulary_size=VOCABULARY)
    ended = torch.tensor([[4, 5, EOS, PAD]])
    cut_off = torch.tensor([[4, 5, PAD, PAD]])
    own = torch.tensor([0])
    assert cider_d(ended, own, tables) > cider_d(cut_off, own, tables)


def test_what_follows_the_end_is_ignored():
    tables = compile_references([rows([[4, 5, 6]]), rows([[7]])], vocabulary_size=VOCABULARY)
    tidy = torch.tensor([[4, 5, EOS, PAD, PAD]])
    untidy = torch.tensor([[4, 5, EOS, 6, EOS]])
    own = torch.tensor([0])
    assert torch.equal(cider_d(tidy, own, tables), cider_d(untidy, own, tables))


def test_a_picture_without_references_cannot_be_scored_and_changes_nothing():
    world = [rows([[4, 5, 6], [4, 5]]), rows([[7, 8]])]
    nobody = np.zeros((0, WIDTH), dtype=np.int64)
    captions = torch.from_numpy(rows([[4, 5], [7, 8], [4, 5]]))
    with_nobody = compile_references([*world, nobody], vocabulary_size=VOCABULARY)
    without = compile_references(world, vocabulary_size=VOCABULARY)
    found = cider_d(captions, torch.tensor([0, 1, 2]), with_nobody)
    assert math.isnan(found[2])
    torch.testing.assert_close(found[:2], cider_d(captions[:2], torch.tensor([0, 1]), without))


def test_scores_do_not_depend_on_the_batch():
    random = np.random.default_rng(0)
    world = [
        (list(random.integers(3, 12, 5)), [list(random.integers(3, 12, 6)) for _ in range(3)])
        for _ in range(1200)
    ]
    tables = compile_references([rows(refs) for _, refs in world], vocabulary_size=VOCABULARY)
    captions = torch.from_numpy(rows([caption for caption, _ in world]))
    whole = cider_d(captions, torch.arange(1200), tables)
    order = torch.from_numpy(random.permutation(1200))
    torch.testing.assert_close(cider_d(captions[order], order, tables), whole[order])
    torch.testing.assert_close(cider_d(captions[7:8], torch.tensor([7]), tables), whole[7:8])


def test_document_frequencies_come_from_the_references_never_from_the_batch():
    tables = compile_references([rows([[4, 5]]), rows([[4, 6]])], vocabulary_size=VOCABULARY)
    before = [value.clone() for value in vars(tables).values() if isinstance(value, Tensor)]
    for _ in range(3):
        cider_d(torch.from_numpy(rows([[9, 10, 11]])), torch.tensor([0]), tables)
    after = [value for value in vars(tables).values() if isinstance(value, Tensor)]
    assert all(torch.equal(a, b) for a, b in zip(before, after, strict=True))


def test_memory_does_not_grow_over_many_calls():
    tables = compile_references([rows([[4, 5]])] * 50, vocabulary_size=VOCABULARY)
    random = torch.Generator().manual_seed(0)

    def score_strange_captions(times: int) -> int:
        for _ in range(times):
            strange = torch.randint(3, VOCABULARY, (50, WIDTH), generator=random)
            cider_d(strange, torch.arange(50), tables)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    warm = score_strange_captions(200)
    assert score_strange_captions(1000) - warm < 20_000  # kilobytes; a leak of 3 KB each is 150 MB


COMPILED = """
import numpy as np, torch
from tellapart.metrics.cider_reward import cider_d, compile_references
random = np.random.default_rng(0)
words = random.integers(4, 12, (60, 3, 8))
words[:, :, 6] = 2
tables = compile_references(list(words), vocabulary_size=12)
captions, pictures = torch.from_numpy(words[::-1, 0].copy()), torch.arange(60)
compiled = torch.compile(cider_d, fullgraph=True, backend="aot_eager")
plain = cider_d(captions, pictures, tables)
torch.testing.assert_close(compiled(captions, pictures, tables), plain)
"""


def test_it_compiles_into_one_graph():
    """In a process of its own: the shape checks that tests add do not compile."""
    done = subprocess.run([sys.executable, "-c", COMPILED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_vocabulary_too_large_for_the_keys_is_refused():
    assert (LARGEST_VOCABULARY + 1) ** 4 < 2**63 <= (LARGEST_VOCABULARY + 3) ** 4
    with pytest.raises(ValueError, match="at most 55,107 words"):
        compile_references([rows([[4]])], vocabulary_size=LARGEST_VOCABULARY + 1)


def test_references_with_ids_beyond_the_vocabulary_are_refused():
    """Their keys would be those of other n-grams."""
    with pytest.raises(ValueError, match="beyond the 12 words"):
        compile_references([rows([[4, VOCABULARY]])], vocabulary_size=VOCABULARY)
