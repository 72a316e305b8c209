"""`tellapart evaluate`: exact on real systems, and nothing decided silently."""

import json
import os
from pathlib import Path

import pytest

from tellapart.cli import main

REFERENCES = {
    "1": ["A dog runs over the grass.", "A brown dog is running."],
    "2": ["Two men sit on a bench.", "Men on a bench in the park."],
    "3": ["A red car."],
}
CAPTIONS = {1: "a dog runs over the grass", 2: "two men on a bench", 3: "a red car"}


def write(path: Path, content: object) -> str:
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


def results(captions: dict[int, str]) -> list[dict[str, object]]:
    return [{"image_id": id, "caption": caption} for id, caption in captions.items()]


@pytest.fixture
def references(tmp_path) -> str:
    return write(tmp_path / "references.json", REFERENCES)


def scores(predictions: str, references: str, *more: str) -> dict[str, float | None]:
    """What `--json` writes."""
    out = Path(predictions).with_name("scores.json")
    arguments = ["--predictions", predictions, "--references", references, "--json", str(out)]
    assert main(["evaluate", *arguments, *more]) == 0
    return json.loads(out.read_text())


NO_JAVA = ("--metrics", "BLEU", "ROUGE-L", "CIDEr")


def test_the_json_has_exactly_the_keys_that_were_asked_for(references, tmp_path):
    predictions = write(tmp_path / "p.json", results(CAPTIONS))
    found = scores(predictions, references, *NO_JAVA)
    assert list(found) == ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "ROUGE-L", "CIDEr"]
    assert found["CIDEr"] is not None
    assert found["CIDEr"] > 3
    assert list(scores(predictions, references, "--metrics", "CIDEr")) == ["CIDEr"]


def test_without_java_everything_but_meteor_and_spice_is_there(
    references, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    found = scores(write(tmp_path / "p.json", results(CAPTIONS)), references)
    missing = [name for name, value in found.items() if value is None]
    assert missing == ["METEOR", "SPICE"]
    said = capsys.readouterr().err
    assert "METEOR could not be computed:" in said
    assert "SPICE could not be computed:" in said


def test_novelty_with_training_captions(references, tmp_path):
    training = write(tmp_path / "t.csv", "image,caption\nx.jpg,A red car!\ny.jpg,A cat\n")
    predictions = write(tmp_path / "p.json", results({**CAPTIONS, 2: "a dog runs over the grass"}))
    found = scores(predictions, references, *NO_JAVA, "--training", training)
    assert found["unique"] == pytest.approx(1 / 3)
    assert found["distinct"] == pytest.approx(2 / 3)
    assert found["novel"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("p.json", results(CAPTIONS)),
        ("p.json", {str(id): [caption] for id, caption in CAPTIONS.items()}),
        ("p.jsonl", "\n".join(json.dumps(row) for row in results(CAPTIONS))),
        (
            "p.csv",
            "id,caption\n" + "".join(f"{id},{caption}\n" for id, caption in CAPTIONS.items()),
        ),
    ],
    ids=["COCO results", "dictionary", "JSON lines", "CSV"],
)
def test_predictions_in_any_format_score_the_same(name, content, references, tmp_path):
    plain = scores(write(tmp_path / "plain.json", results(CAPTIONS)), references, *NO_JAVA)
    assert scores(write(tmp_path / name, content), references, *NO_JAVA) == plain


def test_references_in_any_format_score_the_same(references, tmp_path):
    predictions = write(tmp_path / "p.json", results(CAPTIONS))
    karpathy = {
        "images": [
            {"filename": f"{id}.jpg", "cocoid": int(id), "split": "test",
             "sentences": [{"raw": caption} for caption in captions]}
            for id, captions in REFERENCES.items()
        ]
    }  # fmt: skip
    coco = {
        "images": [{"id": int(id)} for id in REFERENCES],
        "annotations": [
            {"image_id": int(id), "caption": caption}
            for id, captions in REFERENCES.items()
            for caption in captions
        ],
    }
    plain = scores(predictions, references, *NO_JAVA)
    for number, other in enumerate((karpathy, coco)):
        path = write(tmp_path / f"{number}.json", other)
        assert scores(predictions, path, *NO_JAVA) == plain


def test_what_does_not_match_is_counted_and_named(references, tmp_path, capsys):
    rows = [
        *results({1: "a dog runs over the grass", 2: ""}),
        {"image_id": 1, "caption": "another"},
        {"image_id": 77, "caption": "nobody's"},
    ]
    scores(write(tmp_path / "p.json", rows), references, *NO_JAVA)
    said = capsys.readouterr().err
    assert "1 pictures have more than one caption; the first counts: 1." in said
    assert "1 pictures have references but no caption, and are left out: 3." in said
    assert "1 pictures have a caption but no references, and are left out: 77." in said
    assert "1 pictures have an empty caption, which scores 0: 2." in said


def test_ids_with_zeros_and_file_names_find_their_picture(tmp_path, capsys):
    references = write(tmp_path / "r.json", {"000000000007": ["a dog"], "9": ["a cat"]})
    found = scores(write(tmp_path / "p.json", results({7: "a dog", 9: "a cat"})), references)
    assert found["BLEU-1"] == pytest.approx(1.0)
    table = write(tmp_path / "r.csv", "image,caption\npics/7.jpg,a dog\npics/9.jpg,a cat\n")
    rows = [{"image": "7.jpg", "caption": "a dog"}, {"image": "9.jpg", "caption": "a cat"}]
    found = scores(write(tmp_path / "q.json", rows), table, *NO_JAVA)
    assert found["ROUGE-L"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "is not valid JSON"),
        ("3", "holds no predictions"),
        ([{"image_id": 1}], 'expected "image_id" and a text "caption"'),
        ([{"caption": "a dog"}], 'expected "image_id" and a text "caption"'),
        ([{"image_id": 1, "caption": 5}], 'expected "image_id" and a text "caption"'),
        (["a dog"], "has the entry a dog"),
        (results({99: "a dog"}), "ids are like 99 there and like 1 here"),
        ([], "ids are like nothing there"),
    ],
)
def test_bad_predictions_have_their_sentence(content, sentence, references, tmp_path, capsys):
    predictions = write(tmp_path / "p.json", content)
    assert main(["evaluate", "--predictions", predictions, "--references", references]) == 2
    assert sentence in capsys.readouterr().err


def test_scores_of_each_caption(references, tmp_path):
    out = tmp_path / "each.jsonl"
    predictions = write(tmp_path / "p.json", results(CAPTIONS))
    scores(predictions, references, *NO_JAVA, "--per-caption", str(out))
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["image_id"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["BLEU-4"] == pytest.approx(1.0)
    assert rows[1]["ROUGE-L"] < 1.0


def test_json_to_stdout_and_a_table_for_people(references, tmp_path, capsys):
    predictions = write(tmp_path / "p.json", results(CAPTIONS))
    arguments = ["evaluate", "--predictions", predictions, "--references", references, *NO_JAVA]
    assert main([*arguments, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["BLEU-1"]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert "3 pictures" in shown
    assert "CIDEr" in shown


@pytest.mark.parametrize("system", ["Liu-et-al-2017", "Shetty-et-al-2016", "Shetty-et-al-2017"])
def test_real_systems_have_the_standard_scorer_s_scores(system, shared_data, tmp_path):
    """METEOR takes a minute each, so only one system is asked for it, and only on a quiet day."""
    folder = shared_data / "coco-captions"
    expected = json.loads((folder / "reference_scores.json").read_text())[system]
    metrics = ["BLEU", "ROUGE-L", "CIDEr", *(["METEOR"] if "TELLAPART_SLOW" in os.environ else [])]
    out = tmp_path / "scores.json"
    predictions = ["--predictions", str(folder / "results" / f"{system}.json")]
    references = ["--references", str(folder / "captions_karpathy_test5k.json")]
    arguments = [*predictions, *references, "--metrics", *metrics, "--json", str(out)]
    assert main(["evaluate", *arguments]) == 0
    for name, value in json.loads(out.read_text()).items():
        assert value == pytest.approx(expected[name], abs=1e-6), name
