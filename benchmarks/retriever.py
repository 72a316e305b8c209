"""How well, and how fast on a CPU, the retriever stage learns to find generated scenes.

    python benchmarks/retriever.py RUN

RUN is the folder of `tellapart demo`. Trains with settings for the CPU, then asks for each of the
test pictures by its detailed caption, the fullest true description in 16 words, and by what people
wrote of it.
"""

import tempfile
import time
from pathlib import Path
from random import Random

import torch
import tyro
from rich.console import Console
from rich.table import Table

from tellapart.config import Common, Data, TrainRetriever
from tellapart.data.batches import gather_captions
from tellapart.data.readers import read_dataset
from tellapart.data.records import Record
from tellapart.data.scenes import detailed_caption, read_scenes
from tellapart.features.store import FeatureStore
from tellapart.models.retriever import Retriever
from tellapart.pipeline.recall import measure_recall
from tellapart.pipeline.retriever import make_retriever, mean_features


def main(run: tyro.conf.Positional[Path], epochs: int = 16, seed: int = 0) -> None:
    """Train, measure, print."""
    with tempfile.TemporaryDirectory() as scratch:
        settings = TrainRetriever(
            source=Data(data=(run / "scenes",)),
            features=run / "features",
            vocabulary=run / "vocabulary",
            out=Path(scratch) / "retriever",
            common=Common(seed=seed, device="cpu"),
            loss="softmax",
            word_size=128,
            state_size=256,
            space_size=256,
            dropout=0.1,
            epochs=epochs,
            decay_epoch=epochs * 3 // 4,
            learning_rate=1e-3,
        )
        started = time.perf_counter()
        make_retriever(settings)
        seconds = time.perf_counter() - started
        retriever, model = Retriever.from_folder(settings.out)
    store = FeatureStore.open(run / "features")
    test = read_dataset([run / "scenes"]).in_split("test")
    scenes = read_scenes(run / "scenes")
    detailed = [
        Record(r.id, r.picture, (detailed_caption(scenes[r.picture.name], Random(1)),), "test")
        for r in test
    ]
    title = f"{len(test)} test pictures, {epochs} epochs, seed {seed}: {seconds:.0f} s"
    table = Table(title=f"{title}, {torch.get_num_threads()} threads")
    for column in ("asked by", "R@1", "R@5", "R@10", "median rank"):
        table.add_column(column, justify="left" if column == "asked by" else "right")
    for name, records in (("detailed captions", detailed), ("people's captions", test)):
        captioned = gather_captions(records, model.vocabulary, store.rows)
        recall = measure_recall(retriever, mean_features(store), captioned)["caption to picture"]
        shares = [f"{recall[key]:.3f}" for key in ("at_1", "at_5", "at_10")]
        table.add_row(name, *shares, f"{recall['median_rank']:.0f}")
    Console().print(table)


if __name__ == "__main__":
    tyro.cli(main)
