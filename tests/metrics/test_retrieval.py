"""Ranks and recall against the naive reading; a distractor never helps."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import normalize

from tellapart.metrics.retrieval import (
    find_look_alikes,
    rank_among_look_alikes,
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
    assert summarise_ranks(after).at_1 <= summarise_ranks(before).at_1


def test_permuting_pictures_permutes_ranks():
    captions, pictures = vectors(20, 0), vectors(20, 1)
    order = torch.randperm(20, generator=torch.Generator().manual_seed(2))
    ranks = rank_own_pictures(captions, pictures, torch.arange(20))
    permuted = rank_own_pictures(captions[order], pictures, order)
    assert torch.equal(permuted, ranks[order])


def test_a_space_that_cannot_tell_anything_apart_has_the_last_rank():
    same = normalize(torch.ones(8, 5), dim=1)
    assert rank_own_pictures(same, same, torch.arange(8)).tolist() == [8] * 8


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
