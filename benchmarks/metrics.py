"""How fast captions are scored, beside the scorer everybody uses, in the same run.

    python benchmarks/metrics.py [--predictions P.json --references R.json] [--device auto]

Two comparisons. The scores of a whole evaluation (tokenise, BLEU, ROUGE-L, CIDEr) against
pycocoevalcap, whose tokeniser runs in Java. And CIDEr-D as a training reward, captions per second
at several batch sizes, against the usual way: the Python scorer with cached document frequencies.
Without files it generates captions of scenes, 5,000 pictures with five references each.
"""

import contextlib
import gc
import io
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

import numpy as np
import torch
import tyro
from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.cider.cider_scorer import CiderScorer
from pycocoevalcap.rouge.rouge import Rouge
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
from rich.console import Console
from rich.table import Table

from tellapart.data.readers.predictions import Pairs, read_pairs
from tellapart.data.scenes import sample_scene, write_captions
from tellapart.data.vocabulary import EOS, Vocabulary
from tellapart.devices import choose_device
from tellapart.metrics.cider_reward import CiderTables, cider_d, compile_references
from tellapart.metrics.ptb_tokeniser import tokenise_all
from tellapart.metrics.scores import score_captions, tokenise_references

Result = TypeVar("Result")
BATCHES = (50, 512, 4096)


def main(
    predictions: Path | None = None, references: Path | None = None, device: str = "auto"
) -> None:
    """Run both comparisons and print a table each."""
    if (predictions is None) != (references is None):
        raise SystemExit("Give both --predictions and --references, or neither.")
    if predictions and references:
        pairs = read_pairs(predictions, references)
    else:
        pairs = generate_pairs(5000)
    torch.set_num_threads(1)  # one core against one core
    if shutil.which("java"):
        compare_evaluations(pairs)
    else:
        print("No Java here, so pycocoevalcap cannot tokenise; comparing rewards alone.")
    compare_rewards(pairs, choose_device(device))


def generate_pairs(count: int) -> Pairs:
    """Captions of generated scenes: six of each, one to be scored, five to score it against."""
    random = Random(0)
    written = [write_captions(sample_scene(random), random, count=6) for _ in range(count)]
    return Pairs(
        ids=tuple(map(str, range(count))),
        captions=tuple(captions[0] for captions in written),
        references=tuple(tuple(captions[1:]) for captions in written),
        notes=(),
    )


def compare_evaluations(pairs: Pairs) -> None:
    """Tokenise + BLEU + ROUGE-L + CIDEr, ours and theirs."""
    ours, our_seconds = best_of_three(lambda: evaluate_ours(pairs))
    with contextlib.redirect_stdout(io.StringIO()):
        theirs, their_seconds = best_of_three(lambda: evaluate_theirs(pairs))
    table = Table(title=f"Evaluation of {len(pairs.ids):,} captions, one process, best of three")
    for column in ("", "seconds", "BLEU-4", "ROUGE-L", "CIDEr"):
        table.add_column(column, justify="right" if column else "left")
    for name, seconds, scores in (
        ("pycocoevalcap", their_seconds, theirs),
        ("tellapart", our_seconds, ours),
    ):
        table.add_row(name, f"{seconds:.2f}", *(f"{score:.6f}" for score in scores))
    Console().print(table)
    print(f"{their_seconds / our_seconds:.1f} times as fast\n")


def evaluate_ours(pairs: Pairs) -> list[float]:
    scores = score_captions(
        tokenise_all(pairs.captions),
        tokenise_references(pairs.references),
        metrics=("BLEU", "ROUGE-L", "CIDEr"),
    ).values
    return [scores[name] or 0.0 for name in ("BLEU-4", "ROUGE-L", "CIDEr")]


def evaluate_theirs(pairs: Pairs) -> list[float]:
    tokenizer = PTBTokenizer()
    captions = {i: [{"caption": c}] for i, c in enumerate(pairs.captions)}
    references = {i: [{"caption": c} for c in refs] for i, refs in enumerate(pairs.references)}
    words, reference_words = tokenizer.tokenize(captions), tokenizer.tokenize(references)
    bleu = Bleu(4).compute_score(reference_words, words, verbose=0)[0]
    rouge = Rouge().compute_score(reference_words, words)[0]
    cider = Cider().compute_score(reference_words, words)[0]
    return [float(bleu[3]), float(rouge), float(cider)]


def compare_rewards(pairs: Pairs, device: torch.device) -> None:
    """CIDEr-D of a batch of word ids, ours and the usual one's, on the same captions."""
    vocabulary = Vocabulary.build([c for refs in pairs.references for c in refs], min_count=2)
    references = [vocabulary.encode_batch(refs) for refs in pairs.references]
    captions = torch.from_numpy(vocabulary.encode_batch(pairs.captions))
    tables = compile_references(references, vocabulary_size=len(vocabulary))
    on_device = tables.to(device)
    usual = UsualReward(references)
    name = torch.cuda.get_device_name() if device.type == "cuda" else "one CPU core"
    table = Table(title=f"CIDEr-D as a reward: captions/s, ours on {name}, the usual on one core")
    for column in ("batch", "usual", "tellapart", "ratio", "largest difference"):
        table.add_column(column, justify="right")
    for batch in BATCHES:
        rows = torch.arange(batch) % len(captions)
        batch_captions = captions[rows]
        expected, their_seconds = time_usual_reward(usual, batch_captions, rows)
        found, our_seconds = time_reward(batch_captions.to(device), rows.to(device), on_device)
        difference = np.abs(found.cpu().numpy() - expected).max()
        rates = batch / their_seconds, batch / our_seconds
        ratio = rates[1] / rates[0]
        table.add_row(
            f"{batch:,}",
            f"{rates[0]:,.0f}",
            f"{rates[1]:,.0f}",
            f"{ratio:,.0f}×",
            f"{difference:.1e}",
        )
    Console().print(table)


def time_reward(
    captions: torch.Tensor, pictures: torch.Tensor, tables: CiderTables
) -> tuple[torch.Tensor, float]:
    """Seconds per call: compiled, in a CUDA graph, on a GPU; as it stands on a CPU."""
    found = cider_d(captions, pictures, tables)  # the first call warms up
    if captions.device.type == "cuda":
        compiled = torch.compile(cider_d, fullgraph=True)
        compiled(captions, pictures, tables)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            found = compiled(captions, pictures, tables)
        _, seconds = timed(lambda: [graph.replay() for _ in range(200)])
        return found, seconds / 200
    _, seconds = timed(lambda: [cider_d(captions, pictures, tables) for _ in range(10)])
    return found, seconds / 10


def time_usual_reward(
    usual: "UsualReward", captions: torch.Tensor, pictures: torch.Tensor
) -> tuple[np.ndarray, float]:
    """Seconds per call, after one that warms up, as ours are."""
    found = usual.score(captions, pictures)
    _, seconds = timed(lambda: [usual.score(captions, pictures) for _ in range(3)])
    return found, seconds / 3


class CachedScorer(CiderScorer):
    """pycocoevalcap's scorer with document frequencies, and a corpus size, of its own choosing."""

    corpus_size = 1.0

    @property
    def ref_len(self) -> float:
        """Log of the number of pictures; the original insists on that of the batch."""
        return float(np.log(self.corpus_size))

    @ref_len.setter
    def ref_len(self, value: float | None) -> None:
        del value


class UsualReward:
    """CIDEr-D as captioning codes use it: cached frequencies, ids spelt as words."""

    def __init__(self, references: Sequence[np.ndarray]) -> None:
        self.references = [[spell(row) for row in rows] for rows in references]
        whole = CiderScorer()
        for spelt in self.references:
            whole += (spelt[0], spelt)
        whole.compute_doc_freq()
        self.frequencies = whole.document_frequency

    def score(self, captions: torch.Tensor, pictures: torch.Tensor) -> np.ndarray:
        """Score a batch."""
        scorer = CachedScorer()
        scorer.corpus_size = float(len(self.references))
        for caption, picture in zip(captions, pictures.tolist(), strict=True):
            scorer += (spell(caption), self.references[picture])
        scorer.document_frequency = self.frequencies
        return np.asarray(scorer.compute_cider())


def spell(ids: Sequence[int] | np.ndarray | torch.Tensor) -> str:
    """Ids as words, EOS among them."""
    words = [str(int(id)) for id in ids]
    return " ".join(words[: words.index(str(EOS)) + 1])


def best_of_three(work: Callable[[], Result]) -> tuple[Result, float]:
    """The quickest of three runs, so that neither side pays for what else the machine does."""
    gc.collect()
    gc.freeze()
    return min((timed(work) for _ in range(3)), key=lambda run: run[1])


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """What the work gives, and its seconds."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    started = time.perf_counter()
    result = work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return result, time.perf_counter() - started


if __name__ == "__main__":
    tyro.cli(main)
