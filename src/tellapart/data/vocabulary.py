"""The words a model may use, shared by captioner, retriever and reward.

Reads   training captions
Writes  `vocabulary/`: `tokenizer.json`, a word-level tokenizer, and `vocabulary.json`, its settings
Paper   Sec. 4.1: lower case, punctuation removed, words under 6 occurrences → UNK, 16-word cut

Words are cut as the standard scorer cuts them: `t-shirt` is one word, `man's` is `man 's` and
`don't` is `do n't`. So a caption means the same to the model, to the reward and to the metric.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Int
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from tellapart.artefacts import fingerprint, read_json, require_same, write_atomically, write_json
from tellapart.errors import UserError

PAD, BOS, EOS, UNK = range(4)
"""Ids of the special words, the same in every vocabulary."""

SPECIAL_WORDS = ("<pad>", "<bos>", "<eos>", "<unk>")

WORD = (
    r"o'clock(?!\w)"
    r"|[^\W_]+?(?=n't(?!\w))|n't(?!\w)"  # do n't
    r"|'(?:s|re|ve|ll|d|m)(?!\w)"  # man 's, they 're
    r"|[^\W_]+(?:-[^\W_]+)*"  # man, t-shirt
)


class Vocabulary:
    """Words and their ids. Build one from captions, or load the one a model was trained with."""

    def __init__(self, tokenizer: Tokenizer, *, max_words: int = 16) -> None:
        self._tokenizer = tokenizer
        self.max_words = max_words

    @classmethod
    def build(
        cls, captions: Iterable[str], *, min_count: int = 6, max_words: int = 16
    ) -> "Vocabulary":
        """Keep the words that occur often enough in these captions, the most frequent first."""
        if min_count < 1 or max_words < 1:
            raise UserError("A vocabulary needs min_count and max_words of at least 1.")
        counts = Counter(word for caption in captions for word in cut_words(caption))
        kept = [word for word, count in counts.items() if count >= min_count]
        if not kept:
            raise UserError(
                f"No word occurs {min_count} times in the training captions; "
                "give more captions or lower --min-count."
            )
        ordered = [*SPECIAL_WORDS, *sorted(kept, key=lambda word: (-counts[word], word))]
        ids = {word: id for id, word in enumerate(ordered)}
        cutter = _word_cutter()
        cutter.model = models.WordLevel(ids, unk_token=SPECIAL_WORDS[UNK])
        return cls(cutter, max_words=max_words)

    @classmethod
    def load(cls, folder: Path) -> "Vocabulary":
        """Read a vocabulary folder and check that it is the one it says it is."""
        settings = read_json(folder / "vocabulary.json")
        try:
            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            vocabulary = cls(tokenizer, max_words=int(settings["max_words"]))
        except Exception as error:  # tokenizers raises plain Exception
            raise UserError(f"{folder} does not hold a vocabulary: {error}.") from None
        vocabulary.require(settings.get("fingerprint"), artefact=str(folder / "vocabulary.json"))
        if _cutting(tokenizer) != _cutting(CUTTER):
            raise UserError(f"{folder} cuts text into words in another way; build it again.")
        return vocabulary

    def save(self, folder: Path) -> None:
        """Write the folder that `load` reads."""
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / "tokenizer.json", self._tokenizer.to_str(pretty=True) + "\n")
        settings = {
            "words": len(self),
            "max_words": self.max_words,
            "fingerprint": self.fingerprint,
        }
        write_json(folder / "vocabulary.json", settings)

    def __len__(self) -> int:
        return self._tokenizer.get_vocab_size()

    def __contains__(self, word: str) -> bool:
        return self._tokenizer.token_to_id(word) is not None

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the words, their ids, how text is cut into them, or where it is cut off."""
        ids = self._tokenizer.get_vocab()
        return fingerprint([WORD, sorted(ids, key=ids.__getitem__), self.max_words])

    def require(self, found: str | None, *, artefact: str) -> None:
        """Refuse an artefact made with another vocabulary than this one."""
        require_same(
            {"vocabulary": self.fingerprint},
            {"vocabulary": found},
            artefact=artefact,
            advice="Word ids mean other words there; make it again with this vocabulary.",
        )

    def encode(self, caption: str) -> list[int]:
        """Ids of a caption's first `max_words` words; unknown words are UNK."""
        return self._tokenizer.encode(caption).ids[: self.max_words]

    def encode_batch(self, captions: Sequence[str]) -> Int[np.ndarray, "captions words"]:
        """Ids as one array `max_words + 1` wide: each caption, one EOS, then PAD."""
        ids = np.full((len(captions), self.max_words + 1), PAD, dtype=np.int64)
        for row, encoding in enumerate(self._tokenizer.encode_batch(list(captions))):
            words = encoding.ids[: self.max_words]
            ids[row, : len(words)] = words
            ids[row, len(words)] = EOS
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The caption that ids spell, up to EOS, with `'s` and `n't` joined to their word."""
        words: list[str] = []
        for id in ids:
            if id == EOS:
                break
            word = self._tokenizer.id_to_token(int(id))
            if word is None:
                raise ValueError(f"the id {id} is not in this vocabulary of {len(self)} words")
            if id not in (PAD, BOS):
                words.append(word)
        return " ".join(words).replace(" '", "'").replace(" n't", "n't")


def _word_cutter() -> Tokenizer:
    """A tokenizer that cuts text into words and knows none of them yet."""
    cutter = Tokenizer(models.WordLevel({}, unk_token=SPECIAL_WORDS[UNK]))
    cutter.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Lowercase(), normalizers.Replace("’", "'")]
    )
    cutter.pre_tokenizer = pre_tokenizers.Split(Regex(WORD), behavior="removed", invert=True)
    return cutter


def _cutting(tokenizer: Tokenizer) -> tuple[Any, Any]:
    """How a tokenizer prepares text and where it cuts, as its file spells it."""
    content = json.loads(tokenizer.to_str())
    return content["normalizer"], content["pre_tokenizer"]


CUTTER = _word_cutter()


def cut_words(caption: str) -> list[str]:
    """Cut a caption into words: lower case, no punctuation, whether anybody knows them or not."""
    normal = CUTTER.normalizer.normalize_str(caption)
    return [word for word, _ in CUTTER.pre_tokenizer.pre_tokenize_str(normal)]
