"""Reading any caption, however garbled: left to right, once, into what it claims of a scene.

Reads   a caption; meanings.py
Writes  a `Reading`: the things it mentions, how they stand to each other, where it places them,
        the words it leaves hanging and the words it does not know

The grammar is small. A noun phrase gathers determiners, numbers and adjectives up to its noun.
What comes after ("on the left", "with stripes", "flying", "is red and small") belongs to the last
noun phrase, and so does a relation, which then waits for the next noun phrase or place.
"""

import re
from dataclasses import dataclass, field

from tellapart.data.scenes.meanings import (
    MEANINGS,
    Connective,
    Copula,
    Determiner,
    Filler,
    Meaning,
    Name,
    Number,
    Place,
    Relation,
    Trait,
)

LONGEST_PHRASE = max(len(phrase.split()) for phrase in MEANINGS)


@dataclass(frozen=True)
class Mention:
    """A noun phrase, with all that is said of its thing."""

    name: Name
    number: int | None = None
    traits: tuple[Trait, ...] = ()


@dataclass(frozen=True)
class Link:
    """A relation between two mentions, given by their places in the reading."""

    first: int
    relation: str
    second: int


@dataclass(frozen=True)
class Reading:
    """What a caption claims."""

    mentions: tuple[Mention, ...]
    links: tuple[Link, ...]
    places: tuple[Place, ...]
    dangling: tuple[str, ...]
    """Known words that belong to nothing: an adjective without its noun, half a relation."""
    unparsed: tuple[str, ...]
    """Words that are not known."""


def read_caption(caption: str) -> Reading:
    """Read a caption phrase by phrase."""
    reader = Reader()
    words = re.findall(r"[^\W_]+", caption.lower())
    while words:
        phrase = next_phrase(words)
        words = words[len(phrase.split()) :]
        reader.take(phrase, MEANINGS.get(phrase))
    return reader.finish()


def next_phrase(words: list[str]) -> str:
    """The longest known phrase that the words begin with, else the first word alone."""
    for length in range(min(LONGEST_PHRASE, len(words)), 1, -1):
        phrase = " ".join(words[:length])
        if phrase in MEANINGS:
            return phrase
    return words[0]


@dataclass
class Reader:
    """The state between two phrases of a caption."""

    mentions: list[Mention] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    dangling: list[str] = field(default_factory=list)
    unparsed: list[str] = field(default_factory=list)
    pending: list[tuple[str, Determiner | Number | Trait]] = field(default_factory=list)
    """What waits for its noun."""
    predicative: bool = False
    """After "is": adjectives without a noun belong to the last mention."""
    opened: tuple[str, Relation] | None = None
    """A relation that waits for its second half."""
    connective: str | None = None
    """An "and" or "is" that was the last phrase."""

    def take(self, phrase: str, meaning: Meaning | None) -> None:
        """Take in the next phrase."""
        self.connective = phrase if isinstance(meaning, Connective | Copula) else None
        match meaning:
            case Name():
                self.take_name(meaning)
            case Determiner() | Number():
                self.take_opening(phrase, meaning)
            case Trait():
                self.take_trait(phrase, meaning)
            case Relation():
                self.settle_pending()
                self.drop_relation()
                self.opened, self.predicative = (phrase, meaning), False
            case Place():
                self.take_place(meaning)
            case Copula():
                self.settle_pending()
                self.predicative = bool(self.mentions)
            case Filler():
                self.settle_pending()
            case None:
                self.unparsed.append(phrase)

    def take_name(self, name: Name) -> None:
        """Complete a noun phrase, and the relation that waits for it."""
        numbers = [meaning.count for _, meaning in self.pending if isinstance(meaning, Number)]
        traits = tuple(meaning for _, meaning in self.pending if isinstance(meaning, Trait))
        self.pending.clear()
        self.predicative = False
        self.mentions.append(Mention(name, numbers[-1] if numbers else None, traits))
        if self.opened and len(self.mentions) > 1:
            last = len(self.mentions) - 1
            self.links.append(Link(last - 1, self.opened[1].name, last))
            self.opened = None
        self.drop_relation()

    def take_opening(self, phrase: str, meaning: Determiner | Number) -> None:
        """Begin a noun phrase; one that had begun already ("a the") is left hanging."""
        repeated = any(type(waiting) is type(meaning) for _, waiting in self.pending)
        if repeated or self.predicative:
            self.settle_pending()
        self.pending.append((phrase, meaning))

    def take_trait(self, phrase: str, trait: Trait) -> None:
        """Keep an adjective for its noun, or give it to the last mention if it follows that."""
        follows = trait.trailing or (trait.attribute == "pose" and not self.pending)
        if not follows:
            self.pending.append((phrase, trait))
            return
        self.settle_pending()
        self.drop_relation()
        if self.mentions:
            self.add_traits([trait])
        else:
            self.dangling.append(phrase)

    def take_place(self, place: Place) -> None:
        """Note where the scene is; a place has neither number nor colour."""
        self.pending = [entry for entry in self.pending if not isinstance(entry[1], Determiner)]
        self.predicative = False
        self.settle_pending()
        self.opened = None
        self.places.append(place)

    def settle_pending(self) -> None:
        """No noun comes: after "is" the adjectives are the last mention's, else they hang."""
        traits = [meaning for _, meaning in self.pending if isinstance(meaning, Trait)]
        if self.predicative and len(traits) == len(self.pending):
            self.add_traits(traits)
        else:
            self.dangling += [phrase for phrase, _ in self.pending]
        self.pending.clear()

    def add_traits(self, traits: list[Trait]) -> None:
        """Say more of the last mention."""
        last = self.mentions[-1]
        self.mentions[-1] = Mention(last.name, last.number, (*last.traits, *traits))

    def drop_relation(self) -> None:
        """A relation without its second half hangs."""
        if self.opened:
            self.dangling.append(self.opened[0])
        self.opened = None

    def finish(self) -> Reading:
        """Whatever still waits is left hanging."""
        self.settle_pending()
        self.drop_relation()
        if self.connective:
            self.dangling.append(self.connective)
        return Reading(
            tuple(self.mentions),
            tuple(self.links),
            tuple(self.places),
            tuple(self.dangling),
            tuple(self.unparsed),
        )
