"""`tellapart train-retriever` and `tellapart search`, from scenes to a page of pictures."""

import json
from pathlib import Path

import pytest

from tellapart.cli import main
from tellapart.features.store import FeatureStore

QUICK = ["--word-size", "32", "--state-size", "64", "--space-size", "32", "--loss", "softmax",
         "--epochs", "3", "--batch-size", "32", "--learning-rate", "3e-3", "--quiet"]  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scenes, features, vocabulary and a retriever, all tiny."""
    folder = tmp_path_factory.mktemp("run")
    scenes = ["scenes", str(folder / "scenes"), "--labelled", "60", "--unlabelled", "0"]
    assert main([*scenes, "--val", "20", "--test", "20", "--size", "64", "--quiet"]) == 0
    data = str(folder / "scenes")
    encoder = ["--encoder", "efficientnet-lite0", "--size", "64", "--quiet"]
    assert main(["features", data, "--out", str(folder / "features"), *encoder]) == 0
    words = ["--out", str(folder / "vocabulary"), "--min-count", "2", "--quiet"]
    assert main(["vocabulary", data, *words]) == 0
    stores = ["--features", str(folder / "features"), "--vocabulary", str(folder / "vocabulary")]
    assert main(["train-retriever", data, *stores, "--out", str(folder / "r"), *QUICK]) == 0
    return folder


def test_a_sentence_finds_pictures_and_the_index_is_made_once(run, tmp_path, capsys):
    arguments = [str(run / "scenes" / "images"), "a dog on the beach", "--model", str(run / "r")]
    index = ["--index", str(tmp_path / "index")]
    assert main(["search", *arguments, *index, "--top", "5", "--json"]) == 0
    hits = json.loads(capsys.readouterr().out)
    assert [hit["rank"] for hit in hits] == [1, 2, 3, 4, 5]
    assert sorted((hit["score"] for hit in hits), reverse=True) == [hit["score"] for hit in hits]
    assert all(Path(hit["picture"]).is_file() for hit in hits)
    store = FeatureStore.open(tmp_path / "index")
    assert store.regions.shape == (100, 1, 32)
    again = [str(tmp_path / "index"), "a dog on the beach", "--model", str(run / "r")]
    assert main(["search", *again, "--top", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == hits


def test_the_page_holds_its_pictures(run, tmp_path):
    page = tmp_path / "page.html"
    arguments = [str(run / "scenes" / "images"), "a <b>dog</b>", "--model", str(run / "r")]
    index = ["--index", str(tmp_path / "index"), "--quiet"]
    assert main(["search", *arguments, *index, "--html", str(page), "--top", "3"]) == 0
    text = page.read_text()
    assert text.count("data:image/jpeg;base64,") == 3
    assert "a &lt;b&gt;dog&lt;/b&gt;" in text
    assert "<script" not in text


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("", "The sentence has no words"),
        ("?!", "The sentence has no words"),
        ("xylophone quetzalcoatl", "knows none of the words of 'xylophone quetzalcoatl'"),
    ],
)
def test_a_sentence_that_says_nothing_is_refused(sentence, reason, run, capsys):
    arguments = [str(run / "scenes" / "images"), sentence, "--model", str(run / "r")]
    assert main(["search", *arguments]) == 2
    assert reason in capsys.readouterr().err


def test_a_sentence_of_ten_thousand_words_is_cut(run, tmp_path, capsys):
    arguments = [str(run / "scenes" / "images"), "a dog " * 5000, "--model", str(run / "r")]
    assert main(["search", *arguments, "--index", str(tmp_path / "i"), "--top", "1"]) == 0
    assert "Only the first 16 words count" in capsys.readouterr().err


def test_wrong_uses_have_their_sentences(run, tmp_path, capsys):
    images = str(run / "scenes" / "images")
    for arguments, reason in [
        ([images, "a dog", "--model", str(tmp_path)], "holds no finished retriever"),
        ([str(tmp_path / "no"), "a dog", "--model", str(run / "r")], "no does not exist"),
        ([images, "a dog", "--model", str(run / "r"), "--top", "0"], "--top must be at least 1"),
        ([images, "a dog", "--model", str(run / "r"), "--html", "no/x.html"], "does not exist"),
    ]:
        assert main(["search", *arguments]) == 2
        assert reason in capsys.readouterr().err


def test_an_index_of_another_retriever_is_refused(run, tmp_path, capsys):
    arguments = [str(run / "scenes" / "images"), "a dog", "--model", str(run / "r"), "--quiet"]
    assert main(["search", *arguments, "--index", str(tmp_path / "index"), "--top", "1"]) == 0
    stores = ["--features", str(run / "features"), "--vocabulary", str(run / "vocabulary")]
    other = ["train-retriever", str(run / "scenes"), *stores, "--out", str(tmp_path / "r2")]
    assert main([*other, *QUICK, "--seed", "1"]) == 0
    assert main(["search", str(tmp_path / "index"), "a dog", "--model", str(tmp_path / "r2")]) == 2
    assert "This retriever needs features of its own encoder" in capsys.readouterr().err
