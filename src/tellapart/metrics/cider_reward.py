"""CIDEr-D as a reward: word ids in, one score per caption out, all on the device.

Reads   generated captions as ids (data/vocabulary.py), and references compiled once into tables
Writes  one score per caption, equal to the standard scorer's on the same words
Paper   Sec. 3.1, r_cider of Eq. (9); Vedantam et al. 2015 for CIDEr-D

EOS is a word here, in captions, references and document frequencies alike: without it, a third of
the captions learn to end in "with a".

The standard scorer hashes n-grams, one caption at a time. Here none is built where two sentences
meet: word equality is a matrix, and two n-grams agree where n of its entries along a diagonal do.
Only the document frequencies need a look-up, by binary search in a sorted table of the n-grams
that more than one picture has; all others weigh the same, log N, whether they were seen or not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import pad

from tellapart.data.vocabulary import EOS, PAD
from tellapart.metrics.cider import SCALE, SIGMA
from tellapart.metrics.ngrams import ORDERS

LARGEST_VOCABULARY = 55_107
"""Four words of a larger one do not fit into one 64-bit key."""

CPU_CAPTIONS_AT_ONCE = 512
"""Beyond that the matrices no longer fit into a core's cache, and speed halves."""

NO_WORD, NO_REFERENCE_WORD = 0, -1
"""What stands after the end of a caption and of a reference: two values that never agree."""


@dataclass(frozen=True)
class CiderTables:
    """References and document frequencies as integer tables: built once, then only read."""

    words: Int[Tensor, "pictures references words"]
    """Codes of the reference words, EOS among them; a missing reference is an empty row."""

    lengths: Float[Tensor, "pictures references"]
    """Bigrams of each reference, which is what CIDEr-D compares lengths by."""

    norms: Float[Tensor, "pictures references orders"]
    """Length of each reference's tf-idf vector for n = 1 … 4."""

    reference_counts: Float[Tensor, " pictures"]

    keys: Int[Tensor, " ngrams"]
    """Sorted keys of the n-grams that two pictures or more have."""

    rarities: Float[Tensor, " ngrams"]
    """Their inverse document frequencies, log N - log df."""

    rarest: Float[Tensor, ""]
    """log N: the inverse document frequency of every other n-gram."""

    vocabulary_size: int

    def to(self, device: torch.device | str) -> "CiderTables":
        """The same tables on another device."""
        moved = {name: v.to(device) for name, v in vars(self).items() if isinstance(v, Tensor)}
        return replace(self, **moved)


def cider_d(
    captions: Int[Tensor, "captions words"],
    pictures: Int[Tensor, " captions"],
    tables: CiderTables,
) -> Float[Tensor, " captions"]:
    """CIDEr-D of each caption against the references of its picture; NaN where there are none.

    `captions` are word ids up to and including EOS; what follows EOS is ignored. A caption that the
    length limit cut off has no EOS, and is scored without one. Ids beyond the vocabulary are not
    looked for: that would make the device wait for the host.
    """
    at_once = CPU_CAPTIONS_AT_ONCE if captions.device.type == "cpu" else max(len(captions), 1)
    parts = zip(captions.split(at_once), pictures.split(at_once), strict=True)
    return torch.cat([_score(part, of_pictures, tables) for part, of_pictures in parts])


def _score(
    captions: Int[Tensor, "captions words"],
    pictures: Int[Tensor, " captions"],
    tables: CiderTables,
) -> Float[Tensor, " captions"]:
    words = _codes(captions)
    rarity = _rarities(words, tables)
    own_counts = _shared_ngrams(words[:, None], words[:, None]).squeeze(1).clamp(min=1)
    norms = (own_counts * rarity.square()).sum(dim=-1).sqrt()

    counts = _shared_ngrams(words[:, None], tables.words[pictures])
    clipped = torch.minimum(own_counts[:, None], counts) * counts / own_counts[:, None]
    overlap = (clipped * rarity.square()[:, None]).sum(dim=-1)
    cosine = overlap / (norms[:, None] * tables.norms[pictures]).clamp(min=1e-12)

    longer_by = _bigram_counts(words)[:, None] - tables.lengths[pictures]
    alike_in_length = torch.exp(-longer_by.square() / (2 * SIGMA**2))
    similarity = cosine.mean(dim=-1) * alike_in_length
    return SCALE * similarity.sum(dim=-1) / tables.reference_counts[pictures]


def compile_references(
    references: Sequence[Int[np.ndarray, "_captions _words"]], *, vocabulary_size: int
) -> CiderTables:
    """Compile each picture's references, as `Vocabulary.encode_batch` gives them.

    Document frequencies are those of these references: give the whole training set, never a batch.
    Pictures without references may be among them; they count for nothing.
    """
    if vocabulary_size > LARGEST_VOCABULARY:
        raise ValueError(f"at most {LARGEST_VOCABULARY:,} words, not {vocabulary_size:,}")
    ids = _stack(references)
    if ids.size and not 0 <= ids.min() <= ids.max() < vocabulary_size:
        raise ValueError(f"the references have ids beyond the {vocabulary_size:,} words")
    words = _codes(torch.from_numpy(ids))
    labelled = sum(len(captions) > 0 for captions in references)
    log_pictures = torch.tensor(float(max(labelled, 1))).log()
    keys, frequencies = _document_frequencies(words, vocabulary_size)
    tables = CiderTables(
        words=torch.where(words == NO_WORD, NO_REFERENCE_WORD, words),
        lengths=_bigram_counts(words),
        norms=torch.zeros(*words.shape[:2], ORDERS),
        reference_counts=torch.tensor([float(len(c)) or torch.nan for c in references]),
        keys=keys,
        rarities=log_pictures - frequencies.log(),
        rarest=log_pictures,
        vocabulary_size=vocabulary_size,
    )
    norms = [_norms(part, tables) for part in words.split(4096)]
    return replace(tables, norms=torch.cat(norms))


def _stack(
    references: Sequence[Int[np.ndarray, "_captions _words"]],
) -> Int[np.ndarray, "pictures references words"]:
    most = max((len(captions) for captions in references), default=0)
    longest = max((captions.shape[1] for captions in references), default=0)
    stacked = np.full((len(references), max(most, 1), max(longest, 1)), PAD, dtype=np.int32)
    for picture, captions in enumerate(references):
        stacked[picture, : len(captions), : captions.shape[1]] = captions
    return stacked


def _codes(ids: Int[Tensor, "... words"]) -> Int[Tensor, "... words"]:
    """Word ids plus one, up to and including EOS; `NO_WORD` after it."""
    is_end = ids == EOS
    before_or_at_end = is_end.cumsum(dim=-1) - is_end.long() == 0
    return torch.where(before_or_at_end & (ids != PAD), ids + 1, NO_WORD)


def _bigram_counts(words: Int[Tensor, "... words"]) -> Float[Tensor, "..."]:
    return ((words != NO_WORD).sum(dim=-1) - 1).clamp(min=0).float()


def _shared_ngrams(
    captions: Int[Tensor, "batch one words"], others: Int[Tensor, "batch references others"]
) -> Float[Tensor, "batch references orders words"]:
    """How often the other sentence has the n-gram that starts at each word of the caption."""
    is_word = (captions != NO_WORD)[..., None]
    same_word = (captions[..., :, None] == others[..., None, :]) & is_word
    same_ngram = same_word
    counts = [same_ngram.sum(dim=-1)]
    for _ in range(ORDERS - 1):
        same_ngram = same_word & pad(same_ngram[..., 1:, 1:], (0, 1, 0, 1))
        counts.append(same_ngram.sum(dim=-1))
    return torch.stack(counts, dim=-2).float()


def _ngram_keys(
    words: Int[Tensor, "... words"], vocabulary_size: int
) -> Int[Tensor, "... orders words"]:
    """One number for the n-gram that starts at each word; 0 where the sentence ends before it."""
    base = vocabulary_size + 1
    key = following = words.long()
    keys = [key]
    for order in range(1, ORDERS):
        following = pad(following[..., 1:], (0, 1))
        key = torch.where((following != NO_WORD) & (key != 0), key + following * base**order, 0)
        keys.append(key)
    return torch.stack(keys, dim=-2)


def _rarities(
    words: Int[Tensor, "... words"], tables: CiderTables
) -> Float[Tensor, "... orders words"]:
    """Inverse document frequency of the n-gram that starts at each word; 0 where there is none."""
    keys = _ngram_keys(words, tables.vocabulary_size)
    place = torch.searchsorted(tables.keys, keys).clamp(max=len(tables.keys) - 1)
    rarity = torch.where(tables.keys[place] == keys, tables.rarities[place], tables.rarest)
    return torch.where(keys != 0, rarity, 0.0)


def _norms(
    words: Int[Tensor, "pictures references words"], tables: CiderTables
) -> Float[Tensor, "pictures references orders"]:
    flat = words.flatten(0, 1)
    counts = _shared_ngrams(flat[:, None], flat[:, None]).squeeze(1)
    squares = counts * _rarities(flat, tables).square()
    return squares.sum(dim=-1).sqrt().unflatten(0, words.shape[:2])


def _document_frequencies(
    words: Int[Tensor, "pictures references words"], vocabulary_size: int
) -> tuple[Int[Tensor, " ngrams"], Float[Tensor, " ngrams"]]:
    """The n-grams of two pictures or more, sorted by key, and how many pictures have each."""
    keys = _ngram_keys(words, vocabulary_size)
    found = []
    for order in range(ORDERS):  # one order at a time, since all four of COCO take gigabytes
        of_picture = keys[:, :, order].flatten(1).sort(dim=1).values
        first_in_picture = pad(of_picture[:, 1:] != of_picture[:, :-1], (1, 0), value=True)
        found.append(of_picture[first_in_picture & (of_picture != 0)].unique(return_counts=True))
    common = [(keys[counts > 1], counts[counts > 1]) for keys, counts in found]
    all_keys = torch.cat([torch.tensor([0]), *(keys for keys, _ in common)])
    frequencies = torch.cat([torch.tensor([1]), *(counts for _, counts in common)])
    order_of_keys = all_keys.argsort()
    return all_keys[order_of_keys], frequencies[order_of_keys].float()
