"""Ranks and recall against the naive reading; a distractor never helps."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import normalize

from tellapart.metrics import retrieval
from tellapart.metrics.retrieval import (
    find_look_alikes,
    rank_among_look_alikes,
    rank_own_captions,
    rank_own_pictures,
    summarise_ranks,
)


def vectors(count: int, seed: int) -> Tensor:
    random = torch.Generator().manual_seed(seed)
    return normalize(torch.randn(count, 5, generator=random), dim=1)


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 10_000), st.integers(1, 12))
def test_ranks_agree_with_sorting(count, picture_count, seed, block):
    """Sort the pictures of each caption; a tie counts against it."""
    captions, pictures = vectors(count, seed), vectors(picture_count, seed + 1)
    own = torch.arange(count) % picture_count
    for rank, caption, mine in zip(
        rank_own_pictures(captions, pictures, own, block=block), captions, own, strict=True
    ):
        others = [float(caption @ p) for j, p in enumerate(pictures) if j != mine]
        at_least_as_good = sum(other >= float(caption @ pictures[mine]) - 1e-7 for other in others)
        assert abs(int(rank) - 1 - at_least_as_good) <= 1e-6


@given(st.integers(0, 10_000))
def test_adding_a_distractor_never_raises_recall(seed):
    captions, pictures, distractor = vectors(20, seed), vectors(20, seed + 1), vectors(1, seed + 2)
    own = torch.arange(20)
    before = rank_own_pictures(captions, pictures, own)
    after = rank_own_pictures(captions, torch.cat([pictures, distractor]), own)
    assert (after >= before).all()
    alone, with_it = summarise_ranks(before), summarise_ranks(after)
    assert with_it.at_1 <= alone.at_1
    assert with_it.at_5 <= alone.at_5
    assert with_it.at_10 <= alone.at_10
    assert with_it.median_rank >= alone.median_rank


def test_permuting_pictures_permutes_ranks():
    captions, pictures = vectors(20, 0), vectors(20, 1)
    order = torch.randperm(20, generator=torch.Generator().manual_seed(2))
    ranks = rank_own_pictures(captions, pictures, torch.arange(20))
    permuted = rank_own_pictures(captions[order], pictures, order)
    assert torch.equal(permuted, ranks[order])


def test_a_space_that_cannot_tell_anything_apart_has_the_last_rank():
    same = normalize(torch.ones(8, 5), dim=1)
    assert rank_own_pictures(same, same, torch.arange(8)).tolist() == [8] * 8


def test_what_is_not_a_number_never_counts_as_a_hit():
    """A retriever that diverged gives NaN everywhere, and must come last, not first."""
    captions, pictures, own = vectors(6, 0), vectors(6, 1), torch.arange(6)
    broken = torch.full_like(captions, torch.nan)
    assert rank_own_pictures(broken, pictures, own).tolist() == [6] * 6
    assert rank_own_captions(broken, pictures, own).tolist() == [6] * 6
    bags = find_look_alikes(pictures, count=3)
    assert rank_among_look_alikes(broken, pictures, own, bags).tolist() == [4] * 6
    spoilt = torch.cat([pictures, torch.full((1, 5), torch.nan)])
    ranks = rank_own_pictures(captions, pictures, own)
    assert torch.equal(rank_own_pictures(captions, spoilt, own), ranks + 1)


def test_blocks_shrink_where_there_are_many_pictures(monkeypatch):
    """As few as one caption at a time, and the ranks stay the same."""
    captions, pictures, own = vectors(20, 0), vectors(20, 1), torch.arange(20)

    def ranks() -> list[Tensor]:
        bags = find_look_alikes(pictures, count=4)
        return [
            bags,
            rank_own_pictures(captions, pictures, own),
            rank_own_captions(captions, pictures, own),
            rank_among_look_alikes(captions, pictures, own, bags),
        ]

    whole = ranks()
    for largest in (1, 90):
        monkeypatch.setattr(retrieval, "LARGEST_BLOCK", largest)
        assert all(map(torch.equal, ranks(), whole))
    assert retrieval._fit(1024, width=20) == 90 // 20


def test_the_median_of_more_ranks_than_quantile_can_take():
    ranks = torch.ones(2**24 + 2, dtype=torch.int8)
    ranks[: 2**23 + 1] = 4
    assert summarise_ranks(ranks).median_rank == 2.5


@given(st.integers(1, 12), st.integers(0, 10_000), st.integers(1, 5))
def test_the_best_own_caption_of_a_picture_counts(picture_count, seed, block):
    """Sort all captions of each picture; its other own captions are left out."""
    pictures, captions = vectors(picture_count, seed), vectors(3 * picture_count, seed + 1)
    own = torch.arange(3 * picture_count) % picture_count
    ranks = rank_own_captions(captions, pictures, own, block=block)
    for picture, rank in enumerate(ranks.tolist()):
        scores = (captions @ pictures[picture]).tolist()
        best = max(
            score for score, mine in zip(scores, own.tolist(), strict=True) if mine == picture
        )
        others = [s for s, mine in zip(scores, own.tolist(), strict=True) if mine != picture]
        assert rank == 1 + sum(other >= best for other in others)


def test_summary_by_hand():
    found = summarise_ranks(torch.tensor([1, 1, 3, 6, 11, 40]))
    assert (found.at_1, found.at_5, found.at_10) == pytest.approx((2 / 6, 3 / 6, 4 / 6))
    assert found.median_rank == 4.5
    with pytest.raises(ValueError, match="no ranks"):
        summarise_ranks(torch.tensor([], dtype=torch.long))


def test_bags_hold_the_most_similar_pictures_and_not_the_picture_itself():
    pictures = vectors(40, 3)
    bags = find_look_alikes(pictures, count=5, block=7)
    for picture, bag in enumerate(bags):
        similar = (pictures @ pictures[picture]).tolist()
        expected = sorted((j for j in range(40) if j != picture), key=lambda j: -similar[j])[:5]
        assert bag.tolist() == expected
    with pytest.raises(ValueError, match="no 40 look-alikes"):
        find_look_alikes(pictures, count=40)


def test_rank_in_a_bag_is_the_rank_among_those_pictures():
    captions, pictures = vectors(40, 4), vectors(40, 5)
    bags = find_look_alikes(pictures, count=6)
    own = torch.arange(40)
    ranks = rank_among_look_alikes(captions, pictures, own, bags, block=9)
    for caption in range(40):
        members = torch.cat([own[caption : caption + 1], bags[caption]])
        alone = rank_own_pictures(
            captions[caption : caption + 1], pictures[members], torch.tensor([0])
        )
        assert ranks[caption] == alone[0]
    assert (ranks <= rank_own_pictures(captions, pictures, own)).all()
