"""Each format is recognised and read; sources combine into one partially labelled data set."""

import json
from pathlib import Path

import pytest

from tellapart.data.readers import read_dataset, recognise_text
from tellapart.data.records import Dataset, Record, count_splits
from tellapart.errors import UserError


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"")


def write(path: Path, content: object) -> Path:
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def by_id(dataset: Dataset) -> dict[str, Record]:
    return {record.id: record for record in dataset.records}


def karpathy(*images: tuple[str, str, list[str]]) -> dict[str, object]:
    return {
        "images": [
            {
                "filename": name,
                "imgid": n,
                "split": split,
                "sentences": [{"raw": c} for c in captions],
            }
            for n, (name, split, captions) in enumerate(images)
        ]
    }


def test_karpathy_with_coco_folders_and_restval(tmp_path):
    touch(tmp_path, "val2014/a.jpg", "train2014/b.jpg")
    content = karpathy(("a.jpg", "restval", ["One.", " "]), ("b.jpg", "train", []))
    content["images"][0] |= {"filepath": "val2014", "cocoid": 391895}  # type: ignore[index]
    content["images"][1] |= {"filepath": "train2014"}  # type: ignore[index]
    dataset = read_dataset([write(tmp_path / "dataset_coco.json", content)])
    first, second = dataset.records
    assert first == Record("391895", tmp_path / "val2014" / "a.jpg", ("One.",), "restval")
    assert second == Record("1", tmp_path / "train2014" / "b.jpg", (), "train")
    assert dataset.notes == ("dataset_coco.json: 1 empty caption dropped.",)
    assert dataset.training() == (first, second)
    assert dataset.training(restval=False) == (second,)


def test_coco_captions_with_unlabelled_images_and_strays(tmp_path):
    touch(tmp_path, "val2014/x.jpg", "val2014/COCO_val2014_000000000007.jpg")
    content = {
        "images": [{"id": 3, "file_name": "x.jpg"}, {"id": 7}],
        "annotations": [
            {"image_id": 3, "caption": "A dog."},
            {"image_id": 3, "caption": "The\ndog "},
            {"image_id": 99, "caption": "Nobody's."},
        ],
    }
    dataset = read_dataset(
        [write(tmp_path / "captions_val2014.json", content)], images=[tmp_path / "val2014"]
    )
    records = by_id(dataset)
    assert records["3"].captions == ("A dog.", "The dog")
    assert records["3"].split == "val"
    assert records["7"].picture.name == "COCO_val2014_000000000007.jpg"
    assert not records["7"].labelled
    assert "1 caption of pictures that the file does not list" in dataset.notes[0]


def test_flickr8k_tokens_with_their_split_lists(tmp_path):
    touch(tmp_path, *(f"Flicker8k_Dataset/{n}.jpg" for n in range(4)))
    lines = [f"{n}.jpg#{k}\tCaption {k} of {n} ." for n in range(4) for k in range(5)]
    tokens = write(tmp_path / "Flickr8k.token.txt", "\n".join(lines) + "\n")
    write(tmp_path / "Flickr_8k.trainImages.txt", "0.jpg\n1.jpg\n")
    write(tmp_path / "Flickr_8k.devImages.txt", "2.jpg\n")
    dataset = read_dataset([tokens])
    assert count_splits(dataset) == {"train": 2, "val": 1}
    assert all(len(record.captions) == 5 for record in dataset.records)
    assert dataset.records[0].picture == tmp_path / "Flicker8k_Dataset" / "0.jpg"
    assert dataset.notes == ("1 picture on no split list, left out.",)


def test_image_folder_with_metadata_per_split(tmp_path):
    touch(tmp_path, "train/1.jpg", "train/2.jpg", "validation/1.jpg")
    write(
        tmp_path / "train" / "metadata.jsonl", '{"file_name": "1.jpg", "text": "A cat\u2028here"}\n'
    )
    write(tmp_path / "validation" / "metadata.csv", "file_name,caption\n1.jpg,A hen\n")
    records = by_id(read_dataset([tmp_path]))
    assert records["train/1.jpg"].captions == ("A cat\u2028here",)
    assert not records["train/2.jpg"].labelled
    assert records["validation/1.jpg"].split == "val"
    assert len(records) == 3


def test_sidecars(tmp_path):
    touch(tmp_path, "a.jpg", "b.png", "test/c.jpg")
    write(tmp_path / "a.txt", "A dog.\n\n  A brown  dog.\r\n")
    write(tmp_path / "test" / "c.caption", "A cat")
    records = by_id(read_dataset([tmp_path]))
    assert records["a.jpg"].captions == ("A dog.", "A brown dog.")
    assert records["test/c.jpg"].split == "test"
    assert not records["b.png"].labelled


@pytest.mark.parametrize(
    "text",
    [
        "image,caption\na.jpg,A dog\na.jpg,One dog\nb.jpg,A cat\n",
        "a.jpg;A dog\na.jpg;One dog\nb.jpg;A cat\n",
        "\ufeffFile_Name\tText\r\na.jpg\tA dog\r\na.jpg\tOne dog\r\nb.jpg\tA cat\r\n",
        "image_name| comment_number| comment\na.jpg| 0| A dog\na.jpg| 1| One dog\nb.jpg| 0| A cat",
    ],
    ids=["comma", "no header, semicolon", "tab, byte order mark", "Flickr30k"],
)
def test_csv_and_its_cousins(text, tmp_path):
    records = by_id(read_dataset([write(tmp_path / "captions.csv", text)]))
    assert records["a.jpg"].captions == ("A dog", "One dog")
    assert records["b.jpg"].captions == ("A cat",)


def test_delimiters_and_quotes_that_nobody_escaped_stay_in_the_caption(tmp_path):
    text = "image,caption\na.jpg,A dog, running, wet\n"
    [record] = read_dataset([write(tmp_path / "a.csv", text)]).records
    assert record.captions == ("A dog, running, wet",)
    tabs = 'image\tcaption\na.jpg\tA "big dog\nb.jpg\tA cat\n'
    first, second = read_dataset([write(tmp_path / "a.tsv", tabs)]).records
    assert (first.captions, second.captions) == (('A "big dog',), ("A cat",))


def test_a_missing_picture_is_not_replaced_by_a_namesake_next_door(tmp_path):
    touch(tmp_path, "mine/images/1.jpg", "other/2.jpg", "other/1.jpg")
    content = karpathy(("1.jpg", "train", ["A dog"]), ("2.jpg", "train", ["A cat"]))
    records = read_dataset([write(tmp_path / "mine" / "dataset.json", content)]).records
    assert [r.picture.parent.name for r in records] == ["images", "images"]


def test_odd_characters_in_names_and_captions_do_no_harm(tmp_path):
    rows = '{"image": "a\\u0000.jpg", "text": "A dog"}\n{"image": "b.jpg", "text": "A \\ud800 cat"}'
    first, second = read_dataset([write(tmp_path / "a.jsonl", rows)]).records
    assert first.captions == ("A dog",)
    assert second.captions == ("A ? cat",)


def test_csv_with_splits_and_quoted_line_breaks(tmp_path):
    text = 'file_name,caption,split\na.jpg,"A dog,\nsitting",dev\nb.jpg,,train\n'
    records = by_id(read_dataset([write(tmp_path / "captions.csv", text)]))
    assert records["a.jpg"].captions == ("A dog, sitting",)
    assert records["a.jpg"].split == "val"
    assert not records["b.jpg"].labelled


def test_a_bare_folder_and_a_single_picture_are_unlabelled(tmp_path):
    touch(tmp_path, "a.jpg", "deep/er/b.jpg")
    assert [record.id for record in read_dataset([tmp_path]).records] == ["a.jpg", "deep/er/b.jpg"]
    assert read_dataset([tmp_path / "a.jpg"]).records == (Record("a.jpg", tmp_path / "a.jpg"),)


def test_a_folder_with_its_dataset_file_is_read_through_it(tmp_path):
    touch(tmp_path, "images/a.jpg", "images/b.jpg")
    write(tmp_path / "dataset.json", karpathy(("a.jpg", "test", ["A dog"])))
    assert len(read_dataset([tmp_path])) == 1


def test_sources_combine_and_every_picture_counts_once(tmp_path):
    touch(tmp_path, "images/a.jpg", "images/b.jpg", "more/0.jpg")
    labelled = write(tmp_path / "dataset.json", karpathy(("a.jpg", "test", ["A dog"])))
    for order in ([labelled, tmp_path / "images"], [tmp_path / "images", labelled]):
        dataset = read_dataset([*order, tmp_path / "more"])
        records = by_id(dataset)
        assert records["0"] == Record("0", tmp_path / "images" / "a.jpg", ("A dog",), "test")
        assert len(dataset) == 3
        assert "1 picture named more than once: each counts once." in dataset.notes


def test_ids_stay_unique_when_sources_use_the_same(tmp_path):
    touch(tmp_path, "one/a.jpg", "two/a.jpg")
    dataset = read_dataset([tmp_path / "one", tmp_path / "two"])
    assert [record.id for record in dataset.records] == ["a.jpg", "2/a.jpg"]


def test_a_picture_in_two_splits_is_refused(tmp_path):
    touch(tmp_path, "a.jpg")
    one = write(tmp_path / "one.json", karpathy(("a.jpg", "train", ["A dog"])))
    two = write(tmp_path / "two.json", karpathy(("a.jpg", "test", ["A dog"])))
    with pytest.raises(
        UserError, match=r"a\.jpg is in the train split and in the test split; take"
    ):
        read_dataset([one, two])


def test_split_lists_by_id_leave_the_others_in_place(tmp_path):
    images = [{"id": n, "file_name": f"{n}.jpg"} for n in range(4)]
    coco = write(tmp_path / "captions_train2014.json", {"images": images, "annotations": []})
    lists = {"val": write(tmp_path / "v.txt", "1\n"), "test": write(tmp_path / "t.txt", "2.jpg\n")}
    dataset = read_dataset([coco], split_lists=lists)
    assert [record.split for record in dataset.records] == ["train", "val", "test", "train"]


def test_real_flickr8k(shared_data):
    dataset = read_dataset([shared_data / "flickr8k", shared_data / "coco-unlabeled"])
    assert count_splits(dataset) == {"train": 12_000, "val": 1_000, "test": 500}
    assert sum(len(record.captions) for record in dataset.records) == 37_500
    assert sum(not record.labelled for record in dataset.records) == 6_000


def test_real_coco_captions(shared_data):
    dataset = read_dataset([shared_data / "coco-captions" / "captions_karpathy_test5k.json"])
    assert len(dataset) == 5_000
    assert sum(len(record.captions) for record in dataset.records) == 25_000


BROKEN: dict[str, tuple[str, str | bytes, str]] = {
    "not JSON": ("a.json", "{", r"a\.json is not valid JSON: Expecting property name"),
    "empty JSON": ("a.json", "", r"a\.json is not valid JSON"),
    "JSON list": ("a.json", "[1, 2]", r"is neither Karpathy's nor COCO's JSON"),
    "JSON without images": ("a.json", '{"images": []}', r"is neither Karpathy's nor COCO's JSON"),
    "deeply nested JSON": ("a.json", "[" * 100_000, r"a\.json is not valid JSON"),
    "JSON in UTF-16": ("a.json", "{}".encode("utf-16"), r"a\.json is not UTF-8 text"),
    "no file name": ("a.json", '{"images": [{"sentences": []}]}', r'an entry without "filename"'),
    "no split": (
        "a.json",
        '{"images": [{"filename": "a.jpg", "sentences": []}]}',
        r'an entry without "split"',
    ),
    "unknown split": (
        "a.json",
        '{"images": [{"filename": "a.jpg", "split": "holdout", "sentences": []}]}',
        r"a\.json names the split 'holdout'; it must be one of train, restval, val, test",
    ),
    "number as caption": (
        "a.json",
        '{"images": [{"filename": "a.jpg", "split": "val", "sentences": [{"raw": 7}]}]}',
        r"has '7' where a text should be",
    ),
    "bare string as sentence": (
        "a.json",
        '{"images": [{"filename": "a.jpg", "split": "val", "sentences": ["A dog"]}]}',
        r'an entry without "raw": A dog',
    ),
    "annotation without image": (
        "a.json",
        '{"images": [{"id": 1}], "annotations": [{"caption": "A dog"}]}',
        r'an entry without "image_id"',
    ),
    "sentences missing": (
        "a.json",
        '{"images": [{"filename": "a.jpg", "split": "val", "sentences": null}]}',
        r'has no list "sentences" where one is needed',
    ),
    "tokens missing": (
        "a.json",
        '{"images": [{"filename": "a.jpg", "split": "val", "sentences": [{"tokens": null}]}]}',
        r'has no list "tokens" where one is needed',
    ),
    "number of 5,000 digits": ("a.json", "9" * 5000, r"a\.json is not valid JSON"),
    "CSV row with too many cells": (
        "a.csv",
        "image,caption,split\na.jpg,A dog, running,train\n",
        r"line 2: 4 cells for 3 columns; put quotes around captions",
    ),
    "annotations not a list": (
        "a.json",
        '{"images": [{"id": 1}], "annotations": 5}',
        r'no list "ann',
    ),
    "token file with spaces": (
        "a.txt",
        "a.jpg#0\tA dog\nb.jpg#0 A cat\n",
        r"a\.txt, line 2: expect",
    ),
    "prose": ("a.txt", "Call me Ishmael\n", r"a\.txt is in no format known here"),
    "empty CSV": ("a.csv", "\n", r"a\.csv is empty; it needs a header row"),
    "CSV of other things": (
        "a.csv",
        "x,y\n1,2\n",
        r"has the columns x, y; one must be called 'file",
    ),
    "CSV row without picture": (
        "a.csv",
        "image,text\n,A dog\n",
        r"line 2: no picture; name it in a",
    ),
    "CSV with a foreign split": (
        "a.csv",
        "image,split\na.jpg,all\n",
        r"line 2 names the split 'all'",
    ),
    "CSV in Latin-1": (
        "a.csv",
        "image,text\na.jpg,Köln\n".encode("latin-1"),
        r"not UTF-8 text \(byte 18",
    ),
    "JSON line cut short": ("a.jsonl", '{"file_name": "a.jpg"}\n{"file', r"line 2: not valid JSON"),
    "JSON line not an object": ("a.jsonl", "3\n", r"line 1: expected a JSON object per line"),
    "JSON line without picture": ("a.jsonl", '{"text": "A dog"}\n', r"line 1: no picture; name it"),
    "JSON line with odd caption": (
        "a.jsonl",
        '{"file_name": "a.jpg", "text": {"en": "A dog"}}\n',
        r"line 1: the caption is not a text but",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_annotation_file_has_its_sentence(kind, tmp_path):
    name, content, sentence = BROKEN[kind]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UserError, match=sentence):
        read_dataset([path])


def test_wrong_uses_have_their_sentences(tmp_path):
    touch(tmp_path, "pictures/a.jpg", "empty/readme.md")
    csv = write(tmp_path / "a.csv", "image,text\na.jpg,A dog\n")
    other = write(tmp_path / "other.txt", "z.jpg\n")
    for sources, options, sentence in [
        ([], {}, "No data: name an annotation file or a folder"),
        ([tmp_path / "nowhere"], {}, "nowhere does not exist"),
        ([tmp_path / "empty"], {}, "There is no picture in"),
        ([csv], {"images": [csv]}, "is not a folder of pictures"),
        ([csv], {"format": "folder"}, "is a file; the format 'folder' needs a folder"),
        ([tmp_path / "pictures"], {"format": "csv"}, "is a folder; the format 'csv' needs a file"),
        ([csv], {"split_lists": {"val": other}}, "None of the pictures is on the split lists"),
        ([csv], {"split_lists": {"some": other}}, "--splits names the split 'some'"),
        (
            [csv],
            {"split_lists": {"val": other, "test": other}},
            "lists z.jpg, which is in val alre",
        ),
    ]:
        with pytest.raises(UserError, match=sentence):
            read_dataset(sources, **options)


def test_formats_are_recognised_by_content(tmp_path):
    tokens = write(tmp_path / "results_20130124.token", "a.jpg#0\tA dog\n")
    assert recognise_text(tokens) == "flickr8k"
    assert recognise_text(write(tmp_path / "captions.txt", "image,caption\na.jpg,A dog\n")) == "csv"
