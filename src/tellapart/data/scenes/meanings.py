"""From words to meanings: the tables of the lexicon, turned round for a reader.

Reads   lexicon.py
Writes  `MEANINGS`, every known word or phrase with what it contributes to a caption
        · `STANCES`, which prepositions go with which places, and of what things
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from tellapart.data.scenes import lexicon
from tellapart.data.scenes.world import COLOURS, NOUNS, PATTERNS, Stance


@dataclass(frozen=True)
class Name:
    """A word for a kind of thing."""

    noun: str
    plural: bool = False


@dataclass(frozen=True)
class Trait:
    """Something said of one thing: its colour, pattern, size, side or pose."""

    attribute: str
    value: str
    trailing: bool = False
    """Whether it can only follow its noun: "on the left", "with stripes"."""


@dataclass(frozen=True)
class Number:
    """How many there are."""

    count: int


@dataclass(frozen=True)
class Relation:
    """How the thing before stands to the thing after; a place may come after as well."""

    name: str


@dataclass(frozen=True)
class Place:
    """A word for a place, and the backgrounds of which it is true."""

    word: str
    backgrounds: frozenset[str]


@dataclass(frozen=True)
class Determiner:
    """Announces a noun: a, the, some."""

    definite: bool
    """Whether it may announce something that was spoken of before."""


@dataclass(frozen=True)
class Connective:
    """Asks for more without saying what: and, with."""


@dataclass(frozen=True)
class Copula:
    """Makes the adjectives that follow belong to the thing before: is, are."""


@dataclass(frozen=True)
class Filler:
    """Says nothing that could be false."""


Key = TypeVar("Key")
Meaning = Name | Trait | Number | Relation | Place | Determiner | Connective | Copula | Filler


def list_meanings() -> Iterator[tuple[str, Meaning]]:
    """Every known word or phrase with its meaning; a later one replaces an earlier one."""
    for words, meaning in (
        (lexicon.FILLERS, Filler()),
        (lexicon.INDEFINITES, Determiner(definite=False)),
        (lexicon.DEFINITES, Determiner(definite=True)),
        (lexicon.CONNECTIVES, Connective()),
        (lexicon.COPULAS, Copula()),
    ):
        yield from ((word, meaning) for word in words)
    yield from ((plural, Name(noun, plural=True)) for noun, plural in lexicon.PLURALS.items())
    yield from ((noun, Name(noun)) for noun in NOUNS)
    yield from ((word, Name(noun)) for word, noun in turned_round(lexicon.SYNONYMS))
    yield from ((word, Place(word, places)) for word, places in lexicon.PLACE_WORDS.items())
    yield from ((word, Number(count)) for word, count in turned_round(lexicon.NUMBER_WORDS))
    yield from list_relations()
    yield from list_traits()


def list_relations() -> Iterator[tuple[str, Relation]]:
    """Relations between things; "in" and "at" lead to places and are true of no two things."""
    for table in (lexicon.RELATION_PHRASES, lexicon.FURTHER_RELATION_PHRASES):
        yield from ((phrase, Relation(relation)) for phrase, relation in turned_round(table))
    for preposition in ("in", "at"):
        yield preposition, Relation(preposition)


def list_traits() -> Iterator[tuple[str, Trait]]:
    """All that can be said of one thing."""
    yield from ((colour, Trait("colour", colour)) for colour in COLOURS)
    yield from ((pattern, Trait("pattern", pattern)) for pattern in PATTERNS)
    yield from ((pose, Trait("pose", pose)) for pose in lexicon.POSES.values())
    for attribute, table, trailing in (
        ("size", lexicon.SIZE_WORDS, False),
        ("pattern", lexicon.PATTERN_WORDS, False),
        ("pattern", lexicon.PATTERN_NOUNS, True),
        ("side", lexicon.SIDE_PHRASES, True),
    ):
        for word, value in turned_round(table):
            yield word, Trait(attribute, value, trailing)


def list_stances() -> Iterator[tuple[tuple[str, str], Stance]]:
    """A relation and a place word that go together, with a kind of thing one says it of.

    "Over the beach" is said of what is aloft: (("above", "beach"), "aloft").
    """
    relations = dict(list_relations())
    grounded = (*chain(*lexicon.PLACES.values()), *lexicon.FURTHER_PLACES, *lexicon.PLACES_OF_FISH)
    aloft = (*chain(*lexicon.PLACES_ALOFT.values()), *lexicon.FURTHER_PLACES_ALOFT)
    tables: dict[Stance, tuple[str, ...]] = {
        "standing": grounded,
        "aloft": (*aloft, *lexicon.SKY_PHRASES),
        "swimming": lexicon.PLACES_OF_FISH,
    }
    for stance, phrases in tables.items():
        for preposition, *words in map(str.split, phrases):
            if words:  # "indoors" needs no preposition
                place = " ".join(word for word in words if word not in ("a", "the"))
                yield (relations[preposition].name, place), stance


def turned_round(table: Mapping[Key, tuple[str, ...]]) -> Iterator[tuple[str, Key]]:
    """Every word of a table with the key it stands under."""
    for key, words in table.items():
        yield from ((word, key) for word in words)


MEANINGS: dict[str, Meaning] = dict(list_meanings())
STANCES: dict[tuple[str, str], set[Stance]] = {
    key: {stance for other, stance in list_stances() if other == key} for key, _ in list_stances()
}
