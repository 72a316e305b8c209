"""From words to meanings: the tables of the lexicon, turned round for a reader.

Reads   lexicon.py
Writes  `MEANINGS`, every known word or phrase with what it contributes to a caption
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from tellapart.data.scenes import lexicon
from tellapart.data.scenes.world import COLOURS, NOUNS, PATTERNS


@dataclass(frozen=True)
class Name:
    """A word for a kind of thing."""

    noun: str
    plural: bool = False


@dataclass(frozen=True)
class Trait:
    """Something said of one thing: its colour, pattern, size, side, pose or home."""

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
    """The backgrounds of which a word is true."""

    backgrounds: frozenset[str]


@dataclass(frozen=True)
class Determiner:
    """Announces a noun: a, the, some."""


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
        (lexicon.DETERMINERS, Determiner()),
        (lexicon.CONNECTIVES, Connective()),
        (lexicon.COPULAS, Copula()),
    ):
        yield from ((word, meaning) for word in words)
    yield from ((plural, Name(noun, plural=True)) for noun, plural in lexicon.PLURALS.items())
    yield from ((noun, Name(noun)) for noun in NOUNS)
    yield from ((word, Name(noun)) for word, noun in turned_round(lexicon.SYNONYMS))
    yield from ((word, Place(places)) for word, places in lexicon.PLACE_WORDS.items())
    yield from ((word, Number(count)) for word, count in turned_round(lexicon.NUMBER_WORDS))
    yield from list_relations()
    yield from list_traits()


def list_relations() -> Iterator[tuple[str, Relation]]:
    """Relations between things; "in" and "at" lead to places and are true of no two things."""
    for phrase, relation in turned_round(lexicon.RELATION_PHRASES):
        yield phrase, Relation(relation)
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
    yield from ((phrase, Trait("home", "air", trailing=True)) for phrase in lexicon.SKY_PHRASES)


def turned_round(table: Mapping[Key, tuple[str, ...]]) -> Iterator[tuple[str, Key]]:
    """Every word of a table with the key it stands under."""
    for key, words in table.items():
        yield from ((word, key) for word in words)


MEANINGS: dict[str, Meaning] = dict(list_meanings())
