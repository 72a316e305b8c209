"""Retrieval losses: how badly a query singles out its own target among distractors.

Reads   similarities of queries and candidates (models/retriever.py)
Writes  one loss per query, never reduced; its negative is the self-retrieval reward
Paper   Sec. 3.1 Eq. (4), Sec. 4.4 Eq. (12) and (13)

The same functions serve both ends of the paper. As a reward the queries are generated captions and
the candidates all pictures of the mini-batch. In training the retriever they are used in both
directions, captions → pictures and pictures → captions.
"""

from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


@runtime_checkable
class RetrievalLoss(Protocol):
    """What the three losses have in common, their own settings apart."""

    def __call__(
        self,
        similarity: Float[Tensor, "queries candidates"],
        own: Int[Tensor, " queries"],
        /,
        *,
        also_right: Bool[Tensor, "queries candidates"] | None = None,
    ) -> Float[Tensor, " queries"]:
        """`own[i]` is the column of query i's target; every other column is a distractor.

        Columns marked in `also_right` are neither: another caption of the same picture, say.
        """
        ...


def hardest_negative_loss(
    similarity: Float[Tensor, "queries candidates"],
    own: Int[Tensor, " queries"],
    *,
    also_right: Bool[Tensor, "queries candidates"] | None = None,
    margin: float = 0.2,
) -> Float[Tensor, " queries"]:
    """VSE++, Eq. (4):  max_{j≠i} [m - s(c_i, v_i) + s(c_i, v_j)]_+ ."""
    return _violations(similarity, own, also_right, margin).amax(dim=1)


def sum_of_negatives_loss(
    similarity: Float[Tensor, "queries candidates"],
    own: Int[Tensor, " queries"],
    *,
    also_right: Bool[Tensor, "queries candidates"] | None = None,
    margin: float = 0.2,
    mean: bool = False,
) -> Float[Tensor, " queries"]:
    """VSE0, Eq. (12):  Σ_{j≠i} [m - s(c_i, v_i) + s(c_i, v_j)]_+ .

    The sum grows with the batch, and the weight α of the reward with it; `mean` divides by the
    number of distractors, so that α keeps its meaning when the batch size changes.
    """
    violations = _violations(similarity, own, also_right, margin)
    if not mean:
        return violations.sum(dim=1)
    distractors = _distractors(similarity, own, also_right).sum(dim=1)
    return violations.sum(dim=1) / distractors.clamp(min=1)


def softmax_loss(
    similarity: Float[Tensor, "queries candidates"],
    own: Int[Tensor, " queries"],
    *,
    also_right: Bool[Tensor, "queries candidates"] | None = None,
    temperature: float = 0.05,
) -> Float[Tensor, " queries"]:
    """Softmax, Eq. (13):  -log( exp(s(c_i, v_i)/T) / Σ_j exp(s(c_i, v_j)/T) )."""
    scaled = similarity / temperature
    if also_right is not None:
        others = also_right.scatter(1, own[:, None], False)
        scaled = scaled.masked_fill(others, -torch.inf)
    return scaled.logsumexp(dim=1) - scaled.gather(1, own[:, None]).squeeze(1)


def _violations(
    similarity: Float[Tensor, "queries candidates"],
    own: Int[Tensor, " queries"],
    also_right: Bool[Tensor, "queries candidates"] | None,
    margin: float,
) -> Float[Tensor, "queries candidates"]:
    """[m - s(c_i, v_i) + s(c_i, v_j)]_+ for every distractor, 0 elsewhere."""
    positive = similarity.gather(1, own[:, None])
    violation = (margin - positive + similarity).relu()
    return violation * _distractors(similarity, own, also_right)


def _distractors(
    similarity: Float[Tensor, "queries candidates"],
    own: Int[Tensor, " queries"],
    also_right: Bool[Tensor, "queries candidates"] | None,
) -> Bool[Tensor, "queries candidates"]:
    distractors = torch.ones_like(similarity, dtype=torch.bool).scatter(1, own[:, None], False)
    return distractors if also_right is None else distractors & ~also_right
