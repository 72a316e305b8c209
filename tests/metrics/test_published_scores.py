"""Captions of three published systems score what the COCO evaluation gives them."""

import json
from collections import defaultdict
from itertools import islice
from pathlib import Path

import pytest

from tellapart.metrics.bleu import bleu
from tellapart.metrics.cider import cider
from tellapart.metrics.ptb_tokeniser import tokenise_all
from tellapart.metrics.rouge import rouge_l


@pytest.mark.parametrize("system", ["Liu-et-al-2017", "Shetty-et-al-2016", "Shetty-et-al-2017"])
def test_three_systems_on_coco(shared_data: Path, system: str):
    folder = shared_data / "coco-captions"
    expected = json.loads((folder / "reference_scores.json").read_text())[system]
    by_picture = defaultdict(list)
    for row in json.loads((folder / "captions_karpathy_test5k.json").read_text())["annotations"]:
        by_picture[row["image_id"]].append(row["caption"])
    results = json.loads((folder / "results" / f"{system}.json").read_text())
    captions = {row["image_id"]: row["caption"] for row in results}

    candidates = tokenise_all([captions[picture] for picture in by_picture])
    words = iter(tokenise_all([text for texts in by_picture.values() for text in texts]))
    references = [list(islice(words, len(texts))) for texts in by_picture.values()]

    scores = {f"BLEU-{n}": score.corpus for n, score in enumerate(bleu(candidates, references), 1)}
    scores["ROUGE-L"] = rouge_l(candidates, references).corpus
    scores["CIDEr"] = cider(candidates, references).corpus
    for name, score in scores.items():
        assert score == pytest.approx(expected[name], abs=1e-6), name
