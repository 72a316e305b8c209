"""Stage: captions and features → retriever.

Reads   a data set, `vocabulary/`, `features/`
Writes  `retriever/`: a model folder (models/folders.py), `history.json` (loss and validation recall
        by epoch), `recall.json` (val and test, at the end); while it is training also
        `state.safetensors` and `best.safetensors`
Paper   Sec. 3.3 "We first train the text-to-image self-retrieval module", Sec. 4.2; the training
        strategy is that of VSE++ (Faghri et al. 2017)
"""

from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.utils import clip_grad_norm_
from torch.optim import Adam

from tellapart.artefacts import fingerprint, hold_folder, read_json, require_same, write_json
from tellapart.config import TrainRetriever
from tellapart.data.batches import CaptionedPictures, gather_captions, shuffled_batches
from tellapart.data.vocabulary import Vocabulary
from tellapart.devices import choose_device
from tellapart.errors import UserError
from tellapart.features.store import FeatureStore
from tellapart.models.folders import read_tensors, save_model, write_tensors
from tellapart.models.retriever import Retriever
from tellapart.objectives.retrieval import (
    RetrievalLoss,
    hardest_negative_loss,
    softmax_loss,
    sum_of_negatives_loss,
)
from tellapart.pipeline.recall import measure_recall, measure_splits
from tellapart.pipeline.source import read_source
from tellapart.pipeline.training_state import load_state, save_state
from tellapart.progress import counted, progress_bar, say

JUDGE_SEED = 1_000_003
"""What is added to a judge's seed, so that no retriever of a usual seed is its twin."""

PLATEAU, PLATEAU_EPOCHS = 0.97, 3
"""The hardest-negative loss sits at its plateau if for so many epochs it has neither fallen below
this share of the margin, which says that all pictures look alike, nor by the rest of the share."""


@dataclass(frozen=True)
class RetrievalData:
    """All a retriever is trained and chosen on, on the device."""

    features: Float[Tensor, "pictures channels"]
    train: CaptionedPictures
    val: CaptionedPictures
    test: CaptionedPictures | None
    """Measured once, at the end; None if nobody captioned any."""


def as_judge(settings: TrainRetriever) -> TrainRetriever:
    """A second opinion: other random numbers and another width, so that gains it sees are real.

    A captioner can learn to please the retriever that rewards it. The judge never rewards.
    """
    return replace(
        settings,
        common=replace(settings.common, seed=settings.common.seed + JUDGE_SEED),
        state_size=settings.state_size * 3 // 4,
        space_size=settings.space_size * 3 // 4,
    )


def make_retriever(settings: TrainRetriever) -> None:
    """Train a retriever, or finish one that was cut off; a finished one is left as it is."""
    if settings.judge:
        settings = as_judge(settings)
    device = choose_device(settings.common.device)
    vocabulary = Vocabulary.load(settings.vocabulary)
    store = FeatureStore.open(settings.features)
    data = gather_data(settings, vocabulary, store, device)
    sizes = {
        "vocabulary_size": len(vocabulary),
        "channels": store.description.channels,
        "word_size": settings.word_size,
        "state_size": settings.state_size,
        "space_size": settings.space_size,
        "dropout": settings.dropout,
    }
    inputs = describe_inputs(settings, vocabulary, store)
    with hold_folder(settings.out):
        if is_finished(settings.out, inputs):
            say(f"{settings.out} is finished already.", quiet=settings.common.quiet)
            return
        torch.manual_seed(settings.common.seed)
        retriever = Retriever(**sizes).to(device)
        retriever.fit_features(data.features[data.train.rows.unique()])
        history = train(retriever, data, settings, inputs)
        retriever.load_state_dict(read_tensors(settings.out / "best.safetensors"))
        splits = {"val": data.val, "test": data.test}
        write_json(settings.out / "recall.json", measure_splits(retriever, data.features, splits))
        write_json(settings.out / "history.json", history)
        save_model(
            settings.out,
            "retriever",
            retriever,
            sizes=sizes,
            vocabulary=vocabulary,
            encoder=store.description.encoder,
            training=inputs,
        )
        remove_scaffolding(settings.out)


def is_finished(folder: Path, inputs: dict[str, Any]) -> bool:
    """Whether the folder holds a retriever made from these inputs; one of others is refused."""
    if not (folder / "config.json").exists():
        return False
    require_same(
        inputs,
        read_json(folder / "config.json").get("training", {}),
        artefact=f"The retriever in {folder}",
        advice="Give the same settings again, or choose another --out.",
    )
    remove_scaffolding(folder)  # left by a kill in the last moment
    return True


def remove_scaffolding(folder: Path) -> None:
    """Remove what only an unfinished training needs."""
    for name in ("state.safetensors", "best.safetensors"):
        (folder / name).unlink(missing_ok=True)


def gather_data(
    settings: TrainRetriever, vocabulary: Vocabulary, store: FeatureStore, device: torch.device
) -> RetrievalData:
    """Captions as ids and the pictures' mean features, all of them on the device."""
    dataset = read_source(settings.source)
    held_back = dataset.in_split("val")
    if not any(record.labelled for record in held_back):
        raise UserError("There are no captioned `val` pictures to choose the best epoch by.")
    training = dataset.training(restval=settings.restval)
    exam = [record for record in dataset.in_split("test") if record.labelled]
    unseen = sum(record.labelled and record.id not in store.rows for record in dataset.records)
    if unseen:
        say(f"note: {counted(unseen, 'captioned picture')} without features, left out.")
    return RetrievalData(
        features=mean_features(store).to(device),
        train=gather_captions(training, vocabulary, store.rows).to(device),
        val=gather_captions(held_back, vocabulary, store.rows).to(device),
        test=gather_captions(exam, vocabulary, store.rows).to(device) if exam else None,
    )


def mean_features(store: FeatureStore, *, block: int = 4096) -> Float[Tensor, "pictures channels"]:
    """The global feature of every picture: the mean of its regions."""
    blocks = range(0, len(store.regions), block)
    means = [store.regions[start : start + block].mean(axis=1, dtype="float32") for start in blocks]
    return torch.cat([torch.from_numpy(mean) for mean in means])


def describe_inputs(
    settings: TrainRetriever, vocabulary: Vocabulary, store: FeatureStore
) -> dict[str, Any]:
    """What the weights follow from; resuming with anything else would mix two runs."""
    chosen = asdict(settings)
    for name in ("source", "features", "vocabulary", "out", "common"):
        chosen.pop(name)
    return {
        **chosen,
        "seed": settings.common.seed,
        "vocabulary": vocabulary.fingerprint,
        "features": fingerprint(
            [store.description.source, store.description.encoder["fingerprint"]]
        ),
    }


def train(
    retriever: Retriever, data: RetrievalData, settings: TrainRetriever, inputs: dict[str, Any]
) -> list[dict[str, Any]]:
    """Train epoch by epoch; the weights with the best validation recall end in best.safetensors."""
    optimizer = Adam(retriever.parameters(), lr=settings.learning_rate)
    state = settings.out / "state.safetensors"
    progress = load_state(state, retriever, optimizer, inputs=inputs) or {"history": []}
    history: list[dict[str, Any]] = progress["history"]
    quiet = settings.common.quiet
    with progress_bar("retriever", settings.epochs, done=len(history), quiet=quiet) as advance:
        for epoch in range(len(history), settings.epochs):
            if epoch == settings.decay_epoch:
                optimizer.param_groups[0]["lr"] = settings.learning_rate / 10
            loss = train_epoch(retriever, data, optimizer, settings, epoch)
            warn_of_plateau([*(entry["loss"] for entry in history), loss], settings)
            recall = measure_recall(retriever, data.features, data.val)
            best = max((entry["recall sum"] for entry in history), default=-1.0)
            history.append({"epoch": epoch, "loss": loss, **recall})
            if recall["recall sum"] > best:
                write_tensors(settings.out / "best.safetensors", retriever.state_dict())
            save_state(state, retriever, optimizer, progress, inputs=inputs)
            advance(1)
    return history


def train_epoch(
    retriever: Retriever,
    data: RetrievalData,
    optimizer: Adam,
    settings: TrainRetriever,
    epoch: int,
) -> float:
    """One pass over all captions; the mean loss per caption and direction."""
    retriever.train()
    loss_of = choose_loss(settings, epoch)
    total = torch.zeros((), device=data.features.device)
    batches = shuffled_batches(
        len(data.train), settings.batch_size, seed=settings.common.seed, epoch=epoch
    )
    steps = 0
    for batch in batches:
        rows = data.train.rows[batch]
        similarity = retriever(data.train.captions[batch], data.features[rows])
        loss = both_directions(similarity, rows, loss_of)
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(retriever.parameters(), settings.gradient_norm)
        optimizer.step()
        total += loss.detach()
        steps += 1
    return float(total / max(2 * steps, 1))


def choose_loss(settings: TrainRetriever, epoch: int) -> RetrievalLoss:
    """The loss of an epoch: vse++ is warmed up with vse0, the sum of all violations."""
    losses: dict[str, RetrievalLoss] = {
        "vse++": partial(hardest_negative_loss, margin=settings.margin),
        "vse0": partial(sum_of_negatives_loss, margin=settings.margin),
        "softmax": partial(softmax_loss, temperature=settings.temperature),
    }
    warming_up = settings.loss == "vse++" and epoch < settings.warm_up_epochs
    return losses["vse0" if warming_up else settings.loss]


def both_directions(
    similarity: Float[Tensor, "pairs pairs"],
    rows: Tensor,
    loss_of: RetrievalLoss,
) -> Float[Tensor, ""]:
    """Mean over pairs of the losses caption → picture and picture → caption.

    Two captions of one picture are in no other's way: such pairs are masked.
    """
    own = torch.arange(len(rows), device=rows.device)
    same_picture = rows[:, None] == rows[None, :]
    to_pictures = loss_of(similarity, own, also_right=same_picture)
    to_captions = loss_of(similarity.T, own, also_right=same_picture)
    return (to_pictures + to_captions).mean()


def warn_of_plateau(losses: list[float], settings: TrainRetriever) -> None:
    """Say so when the hardest negative stays as close as the right picture, epoch after epoch."""
    last = losses[settings.warm_up_epochs :][-PLATEAU_EPOCHS:]
    if settings.loss != "vse++" or len(last) < PLATEAU_EPOCHS:
        return
    if min(last) > PLATEAU * settings.margin and last[-1] > PLATEAU * last[0]:
        say(
            f"note: for {len(last)} epochs the loss, now {last[-1]:.3f}, has been that of a "
            f"retriever that cannot tell pictures apart (margin {settings.margin}). Try more "
            "--warm-up-epochs, a lower --learning-rate, or --loss softmax."
        )
