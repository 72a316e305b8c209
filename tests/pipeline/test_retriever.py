"""The retriever stage: it learns, it is chosen by validation, and a killed run goes on exactly."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tellapart.config import Common, Data, TrainRetriever
from tellapart.data.batches import CaptionedPictures
from tellapart.data.readers import read_dataset
from tellapart.data.vocabulary import Vocabulary
from tellapart.errors import UserError
from tellapart.features.store import FeatureStore, StoreDescription, StoreWriter
from tellapart.models.folders import load_model
from tellapart.pipeline.retriever import both_directions, choose_loss, make_retriever, mean_features

COLOURS = ["red", "green", "blue", "white", "black", "pink"]
NOUNS = ["dog", "cat", "ball", "car", "tree", "boat"]


def build_world(folder: Path) -> TrainRetriever:
    """Pictures of one colour and one noun, whose features say both; captions say them as well."""
    images, features = [], []
    random = np.random.default_rng(0)
    for number in range(180):
        colour, noun = number % 6, (number // 6) % 6
        split = "val" if number >= 144 else "train"
        caption = f"a {COLOURS[colour]} {NOUNS[noun]}"
        sentences = [{"raw": caption}, {"raw": f"the {NOUNS[noun]} is {COLOURS[colour]}"}]
        images.append({"filename": f"{number}.jpg", "imgid": number, "split": split,
                       "sentences": sentences})  # fmt: skip
        seen = np.zeros((4, 12), dtype=np.float32)
        seen[:, colour] = seen[:, 6 + noun] = 1.0
        features.append(seen + 0.1 * random.standard_normal((4, 12)))
    (folder / "dataset.json").write_text(json.dumps({"images": images}))
    records = read_dataset([folder / "dataset.json"]).records
    description = StoreDescription(
        {"name": "toy", "fingerprint": "e" * 16}, "source", len(records), 4, 12
    )
    writer = StoreWriter(folder / "features", description, records)
    writer.write(np.stack(features).astype(np.float16), {})
    writer.finish()
    captions = [caption for record in records for caption in record.captions]
    Vocabulary.build(captions).save(folder / "vocabulary")
    return TrainRetriever(
        source=Data(data=(folder / "dataset.json",)),
        features=folder / "features",
        vocabulary=folder / "vocabulary",
        out=folder / "retriever",
        common=Common(quiet=True, device="cpu"),
        loss="softmax",
        word_size=16,
        state_size=32,
        space_size=16,
        epochs=6,
        decay_epoch=4,
        batch_size=24,
        learning_rate=1e-2,
        dropout=0.1,
    )


@pytest.fixture
def settings(tmp_path) -> TrainRetriever:
    return build_world(tmp_path)


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


@pytest.mark.parametrize("loss", ["softmax", "vse++", "vse0"])
def test_it_learns_to_find_pictures(loss, settings):
    make_retriever(replace(settings, loss=loss, epochs=12, dropout=0.0))
    history = json.loads((settings.out / "history.json").read_text())
    recalls = [entry["caption to picture"]["at_10"] for entry in history]
    assert max(recalls) > 0.9  # six of the 36 pictures fit a caption
    assert sorted(path.name for path in settings.out.iterdir()) == [
        "config.json", "history.json", "model.safetensors", "recall.json", "vocabulary",
    ]  # fmt: skip


def test_the_best_epoch_by_validation_is_kept(settings):
    make_retriever(settings)
    history = json.loads((settings.out / "history.json").read_text())
    best = max(history, key=lambda entry: entry["recall sum"])
    shorter = replace(settings, out=settings.out.with_name("shorter"), epochs=best["epoch"] + 1)
    make_retriever(shorter)
    assert weights(shorter.out) == weights(settings.out)


def test_the_judge_is_another_retriever(settings):
    make_retriever(replace(settings, epochs=1))
    judge = replace(settings, epochs=1, judge=True, out=settings.out.with_name("judge"))
    make_retriever(judge)
    sizes = load_model(judge.out, "retriever").sizes
    assert (sizes["state_size"], sizes["space_size"]) == (24, 12)
    config = json.loads((judge.out / "config.json").read_text())
    assert config["training"]["judge"]
    assert config["training"]["seed"] != 0


def test_folds_have_the_same_number_of_pictures_and_all_their_captions():
    rows = torch.arange(50) // 2  # 25 pictures with two captions each
    captioned = CaptionedPictures(torch.zeros(50, 3, dtype=torch.long), rows)
    folds = list(captioned.in_folds(10))
    assert [len(fold) for fold in folds] == [20, 20]
    assert folds[1].rows.unique().tolist() == list(range(10, 20))
    assert list(captioned.in_folds(100)) == []


def test_a_finished_one_is_left_alone(settings, capsys):
    make_retriever(settings)
    before = weights(settings.out)
    make_retriever(replace(settings, common=replace(settings.common, quiet=False)))
    assert weights(settings.out) == before
    assert "is finished already" in capsys.readouterr().err
    with pytest.raises(UserError, match=r"margin is 0\.2 there but 0\.4 here"):
        make_retriever(replace(settings, margin=0.4))
    assert weights(settings.out) == before


def test_captioned_pictures_without_features_are_counted(settings, tmp_path, capsys):
    content = json.loads((tmp_path / "dataset.json").read_text())
    content["images"].append({**content["images"][0], "imgid": 999, "filename": "new.jpg"})
    (tmp_path / "more.json").write_text(json.dumps(content))
    make_retriever(replace(settings, source=Data(data=(tmp_path / "more.json",)), epochs=1))
    assert "1 captioned picture without features, left out" in capsys.readouterr().err


def test_stopped_after_any_epoch_it_ends_with_the_same_weights(settings, monkeypatch):
    """Stop right after an epoch's state is written, as a kill would, and run again."""
    from tellapart.pipeline import retriever as stage

    make_retriever(settings)
    cut = replace(settings, out=settings.out.with_name("cut"))
    save = stage.save_state

    def save_and_die(*arguments, **named):
        save(*arguments, **named)
        raise KeyboardInterrupt

    monkeypatch.setattr(stage, "save_state", save_and_die)
    for _ in range(settings.epochs):
        torch.manual_seed(99)  # whatever else drew random numbers in between
        with pytest.raises(KeyboardInterrupt):
            make_retriever(cut)
    monkeypatch.setattr(stage, "save_state", save)
    make_retriever(cut)
    assert weights(cut.out) == weights(settings.out)


def test_killed_by_the_system_it_ends_with_the_same_weights(settings, tmp_path):
    make_retriever(settings)
    out = tmp_path / "killed"
    command = [
        sys.executable, "-m", "tellapart.cli", "train-retriever", str(tmp_path / "dataset.json"),
        "--features", str(settings.features), "--vocabulary", str(settings.vocabulary),
        "--out", str(out), "--device", "cpu", "--loss", "softmax", "--word-size", "16",
        "--state-size", "32", "--space-size", "16", "--epochs", "6", "--decay-epoch", "4",
        "--batch-size", "24", "--learning-rate", "1e-2", "--dropout", "0.1", "--quiet",
    ]  # fmt: skip
    run = subprocess.Popen(command)
    while run.poll() is None and not (out / "state.safetensors").exists():
        time.sleep(0.002)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert subprocess.run(command).returncode == 0
    assert weights(out) == weights(settings.out)


def test_other_settings_do_not_go_on_with_an_unfinished_run(settings, monkeypatch):
    from tellapart.pipeline import retriever as stage

    save = stage.save_state

    def save_and_die(*arguments, **named):
        save(*arguments, **named)
        raise KeyboardInterrupt

    monkeypatch.setattr(stage, "save_state", save_and_die)
    with pytest.raises(KeyboardInterrupt):
        make_retriever(settings)
    monkeypatch.setattr(stage, "save_state", save)
    with pytest.raises(
        UserError, match=r"margin is 0\.2 there but 0\.5 here.*Give the same settings"
    ):
        make_retriever(replace(settings, margin=0.5))


def test_a_plateau_is_reported_with_advice(settings, capsys):
    """Nothing is learned at a rate of zero: one picture is as close to a caption as another."""
    stuck = replace(settings, loss="vse++", learning_rate=0.0, warm_up_epochs=0, epochs=3)
    make_retriever(stuck)
    assert "cannot tell pictures apart" in capsys.readouterr().err
    make_retriever(replace(stuck, learning_rate=1e-2, out=settings.out.with_name("learning")))
    assert "cannot tell pictures apart" not in capsys.readouterr().err


def test_what_is_missing_is_said(settings, tmp_path):
    with pytest.raises(UserError, match="does not exist"):
        make_retriever(replace(settings, vocabulary=tmp_path / "nowhere"))
    (tmp_path / "bare.csv").write_text("image,caption,split\n0.jpg,a red dog,train\n")
    with pytest.raises(UserError, match="no captioned `val` pictures"):
        make_retriever(replace(settings, source=Data(data=(tmp_path / "bare.csv",))))


def test_the_model_folder_names_its_vocabulary_and_encoder(settings):
    make_retriever(settings)
    loaded = load_model(settings.out, "retriever")
    assert loaded.encoder["fingerprint"] == "e" * 16
    assert loaded.vocabulary.fingerprint == Vocabulary.load(settings.vocabulary).fingerprint


def test_global_features_are_the_means_of_regions(settings):
    store = FeatureStore.open(settings.features)
    expected = torch.from_numpy(np.asarray(store.regions).astype(np.float32)).mean(dim=1)
    torch.testing.assert_close(mean_features(store, block=50), expected)


def test_pairs_of_the_same_picture_are_masked(settings):
    similarity = torch.eye(3)
    similarity[0, 1] = similarity[1, 0] = 0.95
    loss = choose_loss(replace(settings, loss="vse++", warm_up_epochs=0), epoch=0)
    different = both_directions(similarity, torch.tensor([4, 5, 6]), loss)
    same = both_directions(similarity, torch.tensor([4, 4, 6]), loss)
    assert float(different) > float(same) == 0.0
