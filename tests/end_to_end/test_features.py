"""`tellapart features` with a real encoder: killed at any moment, it ends with the same bytes."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tellapart.cli import main
from tellapart.features.store import FeatureStore

PICTURES = 90
SETTINGS = ["--encoder", "efficientnet-lite0", "--size", "64", "--batch-size", "3", "--quiet"]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    noise = np.random.default_rng(0)
    for number in range(PICTURES):
        pixels = noise.integers(0, 256, (48, 64, 3), dtype=np.uint8)
        Image.fromarray(pixels).resize((320, 240)).save(folder / f"{number:03}.jpg")
    (folder / "010.jpg").write_bytes(b"")
    (folder / "071.jpg").write_text("not a picture")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def start(pictures: Path, out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tellapart.cli", "features", str(pictures), "--out", str(out)]
    return subprocess.Popen([*command, *SETTINGS], stderr=subprocess.DEVNULL)


def wait_for_batches(out: Path, count: int) -> None:
    """Wait until a run has finished so many batches, or has no journal any more."""
    journal = out / "journal.jsonl"
    for _ in range(2000):
        try:
            if journal.read_bytes().count(b"\n") >= count:
                return
        except FileNotFoundError:
            if (out / "store.json").exists():
                return
        time.sleep(0.01)


def test_killed_five_times_it_ends_with_the_same_bytes(pictures, tmp_path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert start(pictures, whole).wait() == 0
    moments = random.Random(20)
    interrupted = 0
    for kill in range(5):
        run = start(pictures, broken)
        wait_for_batches(broken, 5 * kill + 1)
        time.sleep(moments.uniform(0, 0.05))
        run.send_signal(signal.SIGKILL)
        interrupted += run.wait() == -signal.SIGKILL
    assert interrupted >= 3
    assert start(pictures, broken).wait() == 0
    assert contents(broken) == contents(whole)


def test_what_is_skipped_is_listed_and_the_rest_goes_on(pictures, tmp_path, capsys):
    out = tmp_path / "features"
    settings = [setting for setting in SETTINGS if setting != "--quiet"]
    assert main(["features", str(pictures), "--out", str(out), *settings]) == 0
    said = capsys.readouterr()
    assert f"{PICTURES - 2} pictures encoded" in said.err
    assert "2 pictures skipped" in said.err
    assert said.out == ""
    rows = [json.loads(line) for line in (out / "skipped.jsonl").read_text().splitlines()]
    assert rows == [
        {
            "id": "010.jpg",
            "picture": str(pictures / "010.jpg"),
            "reason": "the file is empty",
        },
        {
            "id": "071.jpg",
            "picture": str(pictures / "071.jpg"),
            "reason": "not a picture in a format that Pillow reads",
        },
    ]
    store = FeatureStore.open(out)
    assert store.regions.shape == (PICTURES, 4, 1280)
    assert len(store.rows) == PICTURES - 2


def test_another_encoder_or_size_is_refused_with_advice(pictures, tmp_path, capsys):
    out = str(tmp_path / "features")
    assert main(["features", str(pictures), "--out", out, *SETTINGS]) == 0
    changed = [*SETTINGS[:2], "--size", "96", *SETTINGS[4:]]
    assert main(["features", str(pictures), "--out", out, *changed]) == 2
    said = capsys.readouterr().err
    assert "efficientnet-lite0 at 64 pixels" in said
    assert "Name that encoder and size again, or choose another --out." in said
