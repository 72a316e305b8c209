"""`tellapart evaluate`: exact on real systems, and nothing decided silently."""

import json
import os
from pathlib import Path

import pytest

from tellapart.cli import main
from tellapart.metrics.java import CannotRun, find_java

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
    karpathy_s = {
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
    for number, other in enumerate((karpathy_s, coco)):
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
    assert "1 picture has more than one caption; the first counts: 1." in said
    assert "1 picture has references but no caption (left out): 3." in said
    assert "1 picture has a caption but no references (left out): 77." in said
    assert "1 picture has a caption without words (scored all the same): 2." in said


def test_notes_that_decide_something_are_said_even_when_quiet(references, tmp_path, capsys):
    rows = results({1: "...", 2: "!?", 3: "a red car"})
    scores(write(tmp_path / "p.json", rows), references, *NO_JAVA, "--quiet")
    said = capsys.readouterr().err
    assert "2 pictures have a caption without words (scored all the same): 1, 2." in said


def test_a_caption_of_a_picture_without_annotations_does_not_vanish(tmp_path, capsys):
    coco = {
        "images": [{"id": 1, "file_name": "x/1.jpg"}, {"id": 2, "file_name": "x/2.jpg"}],
        "annotations": [{"image_id": 1, "caption": "a dog"}],
    }
    rows = [*results({1: "a dog", 2: "a cat"}), {"image_id": "y/2.jpg", "caption": "a cat"}]
    scores(write(tmp_path / "p.json", rows), write(tmp_path / "r.json", coco), *NO_JAVA)
    said = capsys.readouterr().err
    assert "2 pictures have a caption but no references (left out): 2, y/2.jpg." in said


def test_empty_references_are_dropped_in_every_format(tmp_path, capsys):
    predictions = write(tmp_path / "p.json", results({1: "a dog", 2: "a cat"}))
    texts = {1: ["", "a dog runs"], 2: [" ", "two cats"]}
    coco = {
        "images": [{"id": id} for id in texts],
        "annotations": [{"image_id": i, "caption": c} for i, each in texts.items() for c in each],
    }
    plain = scores(predictions, write(tmp_path / "r.json", texts), *NO_JAVA)
    assert "r.json: 2 empty captions dropped" in capsys.readouterr().err
    assert scores(predictions, write(tmp_path / "coco.json", coco), *NO_JAVA) == plain


def test_references_without_words_are_named(tmp_path, capsys):
    references = write(tmp_path / "r.json", {"1": ["...", "a dog"]})
    scores(write(tmp_path / "p.json", {"1": "a dog"}), references, *NO_JAVA)
    assert "1 picture has a reference without words" in capsys.readouterr().err


def test_keys_given_twice_are_not_lost(tmp_path, capsys):
    predictions = write(tmp_path / "p.json", '{"1": "a dog", "1": "a cat"}')
    references = write(tmp_path / "r.json", '{"1": ["a dog"], "1": ["a brown dog"]}')
    found = scores(predictions, references, *NO_JAVA)
    assert found["BLEU-1"] == pytest.approx(1.0)
    assert "1 picture has more than one caption; the first counts: 1." in capsys.readouterr().err
    both = write(tmp_path / "both.json", {"1": ["a dog", "a brown dog"]})
    assert scores(predictions, both, *NO_JAVA) == found


def karpathy(images: list[tuple[str, int, str]]) -> dict[str, object]:
    """File names, numbers and captions, as in Karpathy's files."""
    return {
        "images": [
            {"filename": name, "imgid": number, "split": "test", "sentences": [{"raw": caption}]}
            for name, number, caption in images
        ]
    }


def test_one_accidental_id_does_not_outvote_the_file_names(tmp_path, capsys):
    """Karpathy's numbers count from 0, so one of them is easily somebody's file name."""
    images = [(f"{n + 5}.jpg", n, f"a dog runs to tree {n}") for n in range(6)]
    references = write(tmp_path / "r.json", karpathy(images))
    rows = [{"image_id": name.removesuffix(".jpg"), "caption": text} for name, _, text in images]
    found = scores(write(tmp_path / "p.json", rows), references, *NO_JAVA)
    assert found["BLEU-4"] == pytest.approx(1.0)
    said = capsys.readouterr().err
    assert (
        "1 caption has another picture by id than by file name without its ending, "
        "which decides: 5." in said
    )


def test_it_is_said_when_ids_and_file_names_disagree(tmp_path, capsys):
    references = karpathy([("000002.jpg", 1, "a dog"), ("000001.jpg", 2, "a cat")])
    predictions = write(tmp_path / "p.json", results({1: "a dog", 2: "a cat"}))
    found = scores(predictions, write(tmp_path / "r.json", references), *NO_JAVA)
    assert found["BLEU-1"] == pytest.approx(1.0)
    said = capsys.readouterr().err
    assert "2 captions have another picture by file name without its ending than by id" in said


def test_a_name_that_two_pictures_share_decides_nothing(tmp_path, capsys):
    table = "image,caption\na/1.jpg,a dog\nb/1.jpg,a cat\nb/2.jpg,a hen\n"
    references = write(tmp_path / "r.csv", table)
    rows = [{"image": "1.jpg", "caption": "a dog"}, {"image": "2.jpg", "caption": "a hen"}]
    found = scores(write(tmp_path / "p.json", rows), references, *NO_JAVA)
    assert found["BLEU-1"] == pytest.approx(1.0)
    said = capsys.readouterr().err
    assert "1 caption has a name that several pictures share (left out): 1.jpg." in said
    assert "2 pictures have references but no caption (left out): a/1.jpg, b/1.jpg." in said


def test_seven_and_double_o_seven_are_two_pictures(tmp_path):
    texts = {"7": "a dog", "007": "two spies"}
    references = write(tmp_path / "r.json", {id: [text] for id, text in texts.items()})
    found = scores(write(tmp_path / "p.json", texts), references, *NO_JAVA)
    assert found["BLEU-1"] == pytest.approx(1.0)


def test_the_file_name_of_a_path_finds_its_picture(tmp_path):
    """`tellapart caption` names pictures by the paths it was given."""
    references = karpathy([("a.jpg", 0, "a dog"), ("b.jpg", 1, "a cat")])
    rows = [
        {"image": "pics/a.jpg", "caption": "a dog"},
        {"image": "pics/b.jpg", "caption": "a cat"},
    ]
    predictions = write(tmp_path / "p.json", rows)
    found = scores(predictions, write(tmp_path / "r.json", references), *NO_JAVA)
    assert found["BLEU-1"] == pytest.approx(1.0)


def test_odd_ids_find_their_picture(tmp_path):
    """What pandas makes of ids, and one too long to be an integer."""
    long = "9" * 5000
    references = write(tmp_path / "r.json", {"1": ["a dog"], "2": ["a cat"], long: ["a hen"]})
    rows = [
        {"image_id": 1.0, "caption": "a dog"},
        {"image_id": "002.0", "caption": "a cat"},
        {"image_id": "0" + long, "caption": "a hen"},
    ]
    found = scores(write(tmp_path / "p.json", rows), references, *NO_JAVA)
    assert found["BLEU-1"] == pytest.approx(1.0)


def test_half_a_surrogate_pair_is_no_trouble(references, tmp_path):
    predictions = write(tmp_path / "p.json", results({**CAPTIONS, 2: "a bench \ud83d é"}))
    each = tmp_path / "each.jsonl"
    scores(predictions, references, *NO_JAVA, "--per-caption", str(each))
    rows = [json.loads(line) for line in each.read_text(encoding="utf-8").splitlines()]
    assert rows[1]["caption"] == "a bench \ud83d é"
    assert "é" in each.read_text(encoding="utf-8")


def test_one_picture_has_a_meaningful_cider_with_a_corpus(references, tmp_path, capsys):
    predictions = write(tmp_path / "p.json", {"1": "a dog runs over the grass"})
    assert scores(predictions, references, "--metrics", "CIDEr") == {"CIDEr": 0.0}
    said = capsys.readouterr().err
    assert "CIDEr says little about 1 picture" in said
    assert "--document-frequencies" in said
    with_corpus = ["--metrics", "CIDEr", "--document-frequencies", references]
    found = scores(predictions, references, *with_corpus)
    assert found["CIDEr"] is not None
    assert found["CIDEr"] > 3
    assert "says little" not in capsys.readouterr().err


def test_the_corpus_of_the_references_changes_nothing(references, tmp_path):
    predictions = write(tmp_path / "p.json", results(CAPTIONS))
    plain = scores(predictions, references, "--metrics", "CIDEr")
    found = scores(
        predictions, references, "--metrics", "CIDEr", "--document-frequencies", references
    )
    assert found == pytest.approx(plain)


def test_who_watches_is_told_that_java_starts(references, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    predictions = write(tmp_path / "p.json", results(CAPTIONS))
    scores(predictions, references, "--metrics", "METEOR")
    assert "starting Java" not in capsys.readouterr().err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    scores(predictions, references, "--metrics", "METEOR", "--quiet")
    assert "starting Java" not in capsys.readouterr().err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    scores(predictions, references, "--metrics", "METEOR")
    assert "METEOR: starting Java …" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--metrics"], "name one or more after --metrics"),
        (["--per-caption", "-"], "name a file with --json"),
        (["--per-caption", "-", "--json", "-"], "name a file with --json"),
        (["--json", "no/such/folder.json"], "does not exist"),
        (["--training", "{val}"], "no training captions, so nothing can be told about novelty"),
        (["--training", "{bare}"], "no training captions"),
        (["--document-frequencies", "{bare}"], "holds no captions"),
        (["--references", "{bare}"], "has no captions for the pictures that"),
        (["--references", "{unlisted}"], 'has "annotations" but no list "images"'),
        (["--references", "{predictions}"], "are --predictions and --references swapped?"),
        (["--predictions", "{val}"], "are --predictions and --references swapped?"),
        (["--references", "{note}"], "say which with --format"),
    ],
)
def test_bad_settings_have_their_sentence(more, sentence, references, tmp_path, capsys):
    annotations = [{"image_id": 1, "caption": "a dog"}]
    images = [{"id": 1}]
    files = {
        "predictions": write(tmp_path / "p.json", results(CAPTIONS)),
        "val": write(tmp_path / "val.json", {"images": images, "annotations": annotations}),
        "bare": write(tmp_path / "image_info.json", {"images": images}),
        "unlisted": write(tmp_path / "unlisted.json", {"annotations": annotations}),
        "note": write(tmp_path / "note.txt", "nothing"),
    }
    needed = {"--predictions": files["predictions"], "--references": references}
    more = [word.format(**files) for word in more]
    for option, path in needed.items():
        more += [] if option in more else [option, path]
    assert main(["evaluate", *more]) == 2
    assert sentence in capsys.readouterr().err


def test_the_format_of_the_references_can_be_said(tmp_path):
    """A table whose name tells nothing and whose only line has no delimiter to be seen by."""
    references = write(tmp_path / "captions.data", "file_name\tcaption\n1.jpg\ta dog\n")
    predictions = write(tmp_path / "p.json", {"1": "a dog"})
    found = scores(predictions, references, *NO_JAVA, "--format", "csv")
    assert found["BLEU-1"] == pytest.approx(1.0)


def test_ids_with_zeros_and_file_names_find_their_picture(tmp_path, capsys):
    references = write(tmp_path / "r.json", {"000000000007": ["a dog"], "9": ["a cat"]})
    predictions = write(tmp_path / "p.json", results({7: "a dog", 9: "a cat"}))
    found = scores(predictions, references, *NO_JAVA)
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


def test_scores_of_each_caption_to_stdout(references, tmp_path, capsys):
    predictions = write(tmp_path / "p.json", results(CAPTIONS))
    scores(predictions, references, *NO_JAVA, "--per-caption", "-")
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["caption"] for row in rows] == list(CAPTIONS.values())


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
    """METEOR takes a minute each: TELLAPART_SLOW asks for it, and a slice of it is tested below."""
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


def test_meteor_of_real_captions_is_the_standard_scorer_s(shared_data, tmp_path):
    """Twenty pictures of each system, through the whole command and through the whole of theirs."""
    try:
        find_java()
    except CannotRun as reason:
        pytest.skip(str(reason))
    pytest.importorskip("pycocoevalcap")
    from pycocoevalcap.meteor.meteor import Meteor
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    folder = shared_data / "coco-captions"
    coco = json.loads((folder / "captions_karpathy_test5k.json").read_text())
    picked = [image["id"] for image in coco["images"][:60]]
    rows = []
    for number, file in enumerate(sorted((folder / "results").glob("*.json"))):
        mine = set(picked[20 * number : 20 * (number + 1)])
        rows += [row for row in json.loads(file.read_text()) if row["image_id"] in mine]
    references = {
        id: [row for row in coco["annotations"] if row["image_id"] == id] for id in picked
    }
    texts = {str(id): [row["caption"] for row in each] for id, each in references.items()}
    predictions, out = write(tmp_path / "p.json", rows), tmp_path / "each.jsonl"
    more = ["--metrics", "METEOR", "--per-caption", str(out)]
    found = scores(predictions, write(tmp_path / "r.json", texts), *more)

    words = PTBTokenizer().tokenize({row["image_id"]: [row] for row in rows})
    reference_words = PTBTokenizer().tokenize(references)
    oracle = Meteor()
    expected, each = oracle.compute_score(reference_words, {id: words[id] for id in picked})
    oracle.meteor_p.kill()
    oracle.meteor_p.communicate()
    assert found["METEOR"] == pytest.approx(expected, abs=1e-9)
    ours = [json.loads(line)["METEOR"] for line in out.read_text().splitlines()]
    assert ours == pytest.approx(each, abs=1e-9)
