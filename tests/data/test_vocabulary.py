"""The paper's preprocessing, and the fingerprint that keeps word ids from meaning other words."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart.data.vocabulary import BOS, EOS, PAD, UNK, Vocabulary, cut_words
from tellapart.errors import UserError


@pytest.fixture
def vocabulary() -> Vocabulary:
    captions = (
        ["A dog runs."] * 6 + ["A man's dog isn't red, it's black!"] * 6 + ["A rare bird"] * 5
    )
    return Vocabulary.build(captions)


def test_words_under_six_occurrences_are_unknown(vocabulary):
    assert "dog" in vocabulary
    assert "bird" not in vocabulary
    assert vocabulary.encode("a bird") == [4, UNK]


def test_ids_go_from_frequent_to_rare_and_then_by_the_alphabet(vocabulary):
    ordered = sorted(["a", "dog", "'s", "black", "runs"], key=lambda w: vocabulary.encode(w)[0])
    assert ordered == ["a", "'s", "dog", "black", "runs"]


def test_special_words_have_the_same_ids_everywhere(vocabulary):
    assert (PAD, BOS, EOS, UNK) == (0, 1, 2, 3)
    assert min(vocabulary.encode("a dog runs")) > UNK


@pytest.mark.parametrize(
    ("caption", "words"),
    [
        ("A Dog, running FAST!", "a dog running fast"),
        ('"Wet" (red) T-shirt; well-known...', "wet red t-shirt well-known"),
        ("The man’s hat; men's hats", "the man 's hat men 's hats"),
        ("It isn't, they're, I'd", "it is n't they 're i 'd"),
        ("five o'clock 'til two_dogs", "five o'clock til two dogs"),
        ("children 's toys", "children 's toys"),
        ("dash -- dash—dash - end-", "dash dash dash end"),
        ("Café CAFE\u0301", "café café"),
        ("<unk> <eos>", "unk eos"),
        (" \t\n", ""),
        ("?!…", ""),
    ],
)
def test_lower_case_without_punctuation(caption, words):
    assert cut_words(caption) == words.split()


def test_a_caption_is_cut_at_sixteen_words(vocabulary):
    assert len(vocabulary.encode("dog " * 40)) == 16


def test_a_batch_is_words_then_one_end_then_padding(vocabulary):
    batch = vocabulary.encode_batch(["a dog", "", "dog " * 40])
    assert batch.shape == (3, 17)
    assert batch[0].tolist() == [*vocabulary.encode("a dog"), EOS] + [PAD] * 14
    assert batch[1].tolist() == [EOS] + [PAD] * 16
    assert (batch[2, :16] == vocabulary.encode("dog")[0]).all()
    assert batch[2, 16] == EOS


def test_decoding_stops_at_the_end_and_joins_contractions(vocabulary):
    ids = vocabulary.encode("a man's dog isn't black")
    assert vocabulary.decode([BOS, *ids, EOS, 4, 4]) == "a man's dog isn't black"
    with pytest.raises(ValueError, match="not in this vocabulary"):
        vocabulary.decode([10_000])


PHRASES = ["a", "dog", "man 's", "runs", "red", "black", "is n't", "it 's"]


@given(st.lists(st.sampled_from(PHRASES), max_size=8))
def test_what_is_decoded_encodes_to_the_same_ids(phrases):
    captions = ["A dog runs."] * 6 + ["A man's dog isn't red, it's black!"] * 6
    vocabulary = Vocabulary.build(captions)
    ids = vocabulary.encode(" ".join(phrases))
    assert len(ids) == len(" ".join(phrases).split())
    assert vocabulary.encode(vocabulary.decode(ids)) == ids


def test_save_and_load(vocabulary, tmp_path):
    vocabulary.save(tmp_path)
    loaded = Vocabulary.load(tmp_path)
    assert loaded.fingerprint == vocabulary.fingerprint
    assert loaded.encode("A man's DOG.") == vocabulary.encode("A man's DOG.")
    assert (
        json.loads((tmp_path / "vocabulary.json").read_text())["fingerprint"] == loaded.fingerprint
    )


def test_the_fingerprint_changes_with_the_words_and_the_cut():
    captions = ["a dog"] * 6
    prints = {
        Vocabulary.build(captions).fingerprint,
        Vocabulary.build(captions * 2).fingerprint,
        Vocabulary.build(captions, max_words=12).fingerprint,
        Vocabulary.build([*captions, *["cat"] * 6]).fingerprint,
    }
    assert len(prints) == 3


def test_a_vocabulary_that_is_not_the_one_it_says_is_refused(vocabulary, tmp_path):
    vocabulary.save(tmp_path)
    Vocabulary.build(["another thing"] * 6).save(tmp_path / "other")
    (tmp_path / "other" / "tokenizer.json").replace(tmp_path / "tokenizer.json")
    with pytest.raises(UserError, match="Word ids mean other words there"):
        Vocabulary.load(tmp_path)


def test_a_vocabulary_that_cuts_text_otherwise_is_refused(vocabulary, tmp_path):
    vocabulary.save(tmp_path)
    content = json.loads((tmp_path / "tokenizer.json").read_text())
    content["pre_tokenizer"] = {"type": "WhitespaceSplit"}
    (tmp_path / "tokenizer.json").write_text(json.dumps(content))
    with pytest.raises(UserError, match="cuts text into words in another way"):
        Vocabulary.load(tmp_path)


@pytest.mark.parametrize("content", ["", "{}", "not json"])
def test_a_damaged_vocabulary_is_refused(content, vocabulary, tmp_path):
    vocabulary.save(tmp_path)
    (tmp_path / "tokenizer.json").write_text(content)
    with pytest.raises(UserError, match="does not hold a vocabulary"):
        Vocabulary.load(tmp_path)
    with pytest.raises(UserError, match="does not exist"):
        Vocabulary.load(tmp_path / "nowhere")


def test_captions_without_a_frequent_word_are_refused():
    with pytest.raises(UserError, match="No word occurs 6 times"):
        Vocabulary.build(["a dog"] * 5)


def test_real_captions_are_nearly_all_known(shared_data):
    """Flickr8k: what the literature calls a vocabulary of about 2,500 words covers 97 %."""
    images = json.loads((shared_data / "flickr8k" / "dataset_flickr8k.json").read_text())["images"]
    captions = [s["raw"] for i in images if i["split"] == "train" for s in i["sentences"]]
    vocabulary = Vocabulary.build(captions)
    ids = vocabulary.encode_batch(captions)
    assert 2_200 < len(vocabulary) < 2_600
    assert np.mean(ids[ids > EOS] == UNK) < 0.04
