"""CIDErBtw: how well a caption would fit the pictures most like its own. Lower tells more apart.

Reads   captions, references, and which pictures look alike (metrics/retrieval.py)
Writes  one score per caption and their mean
Paper   not in it; Wang et al. 2020, "Compare and Reweight"
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Int

from tellapart.metrics.cider import DocumentFrequencies, cider, count_documents
from tellapart.metrics.ngrams import CorpusScore, Words


def cider_between(
    candidates: Sequence[Words],
    references: Sequence[Sequence[Words]],
    look_alikes: Int[np.ndarray, "pictures count"],
    *,
    document_frequencies: DocumentFrequencies | None = None,
) -> CorpusScore:
    """Mean CIDEr of each candidate against the references of its look-alikes.

    `look_alikes[i]` are the pictures most like picture i, itself left out.
    """
    frequencies = document_frequencies or count_documents(references)
    neighbours: list[list[int]] = look_alikes.T.tolist()
    columns = [
        cider(
            candidates,
            [references[neighbour] for neighbour in column],
            document_frequencies=frequencies,
        ).per_caption
        for column in neighbours
    ]
    per_caption = np.mean(columns, axis=0)
    return CorpusScore(corpus=float(per_caption.mean()), per_caption=per_caption)
