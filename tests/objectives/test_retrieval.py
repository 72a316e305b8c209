"""Each loss against the naive reading of its equation, and one example by hand."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from tellapart.objectives.retrieval import (
    hardest_negative_loss,
    softmax_loss,
    sum_of_negatives_loss,
)

Case = tuple[Tensor, Tensor, Tensor]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Similarities, the own columns, and which other columns are right as well."""
    queries, candidates = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    number = st.floats(-1, 1, width=32)
    similarity = [[draw(number) for _ in range(candidates)] for _ in range(queries)]
    own = [draw(st.integers(0, candidates - 1)) for _ in range(queries)]
    right = [[draw(st.booleans()) for _ in range(candidates)] for _ in range(queries)]
    return torch.tensor(similarity), torch.tensor(own), torch.tensor(right)


def distractors(case: Case, i: int) -> list[float]:
    similarity, own, right = case
    columns = range(similarity.shape[1])
    return [float(similarity[i, j]) for j in columns if j != own[i] and not right[i, j]]


def positive(case: Case, i: int) -> float:
    return float(case[0][i, case[1][i]])


@given(cases())
def test_hardest_negative_agrees_with_the_equation(case):
    loss = hardest_negative_loss(case[0], case[1], also_right=case[2])
    for i, found in enumerate(loss.tolist()):
        violations = [max(0.2 - positive(case, i) + s, 0.0) for s in distractors(case, i)]
        assert found == pytest.approx(max(violations, default=0.0), abs=1e-6)


@given(cases())
def test_sum_of_negatives_agrees_with_the_equation(case):
    loss = sum_of_negatives_loss(case[0], case[1], also_right=case[2], margin=0.3)
    mean = sum_of_negatives_loss(case[0], case[1], also_right=case[2], margin=0.3, mean=True)
    for i, (found, found_mean) in enumerate(zip(loss.tolist(), mean.tolist(), strict=True)):
        violations = [max(0.3 - positive(case, i) + s, 0.0) for s in distractors(case, i)]
        assert found == pytest.approx(sum(violations), abs=1e-5)
        assert found_mean == pytest.approx(sum(violations) / max(len(violations), 1), abs=1e-5)


@given(cases())
def test_softmax_agrees_with_the_equation(case):
    loss = softmax_loss(case[0], case[1], also_right=case[2], temperature=0.5)
    for i, found in enumerate(loss.tolist()):
        own = math.exp(positive(case, i) / 0.5)
        total = own + sum(math.exp(s / 0.5) for s in distractors(case, i))
        assert found == pytest.approx(-math.log(own / total), abs=1e-5)


def test_by_hand():
    similarity = torch.tensor([[0.5, 0.4, 0.1], [0.9, 0.3, 0.2]])
    own = torch.tensor([0, 1])
    # Caption 0: 0.2 - 0.5 + (0.4, 0.1) = (0.1, -0.2)
    # Caption 1: 0.2 - 0.3 + (0.9, 0.2) = (0.8, 0.1)
    assert hardest_negative_loss(similarity, own).tolist() == pytest.approx([0.1, 0.8])
    assert sum_of_negatives_loss(similarity, own).tolist() == pytest.approx([0.1, 0.9])
    assert sum_of_negatives_loss(similarity, own, mean=True).tolist() == pytest.approx([0.05, 0.45])
    # With T = 1: log(e^0.5 + e^0.4 + e^0.1) - 0.5.
    expected = math.log(math.exp(0.5) + math.exp(0.4) + math.exp(0.1)) - 0.5
    assert softmax_loss(similarity, own, temperature=1.0)[0].item() == pytest.approx(expected)


LOSSES = [hardest_negative_loss, sum_of_negatives_loss, softmax_loss]


@pytest.mark.parametrize("loss", LOSSES)
def test_a_look_alike_in_the_batch_raises_the_loss_and_a_stranger_does_not_lower_it(loss):
    similarity = torch.tensor([[0.6, 0.1]])
    own = torch.tensor([0])
    look_alike = torch.cat([similarity, torch.tensor([[0.59]])], dim=1)
    stranger = torch.cat([similarity, torch.tensor([[-0.9]])], dim=1)
    assert loss(look_alike, own) > loss(similarity, own)
    assert loss(stranger, own) >= loss(similarity, own)


@pytest.mark.parametrize("loss", LOSSES)
def test_gradients_are_finite_and_flow_to_the_own_picture(loss):
    similarity = torch.tensor([[0.1, 0.4, 0.2]], requires_grad=True)
    right = torch.tensor([[False, False, True]])
    loss(similarity, torch.tensor([0]), also_right=right).sum().backward()
    assert similarity.grad is not None
    assert torch.isfinite(similarity.grad).all()
    assert similarity.grad[0, 0] < 0 < similarity.grad[0, 1]
    assert similarity.grad[0, 2] == 0
