"""Reading any caption, however garbled: left to right, once, into what it claims of a scene.

Reads   a caption; meanings.py
Writes  a `Reading`: the things it mentions, how they stand to each other, where it places them,
        the words it leaves hanging and the words it does not know

The grammar is small. A noun phrase gathers determiners, numbers and adjectives up to its noun.
What comes after ("on the left", "with stripes", "flying", "is red and small", "on the beach")
belongs to the last noun phrase, and so does a relation, which then waits for the next noun phrase
or place. What comes before any noun phrase ("on the left is a dog") belongs to the first one.

Not understood, so that words hang: "a red and a blue boat", "a ball with blue stripes". Taken for
false: "a dog and on the right is a ball", where the dog is said to be on the right.
"""

import re
from dataclasses import dataclass, field, replace

from tellapart.data.scenes.lexicon import SIDES_OF_PLACES
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
INTRODUCTIONS = ("there", "here")
"""After these "is" brings in something new."""


@dataclass(frozen=True)
class Mention:
    """A noun phrase, with all that is said of its thing."""

    name: Name
    number: int | None = None
    traits: tuple[Trait, ...] = ()
    definite: bool = False
    """With "the", so that it may speak of something again."""


@dataclass(frozen=True)
class Link:
    """A relation between two mentions, given by their places in the reading."""

    first: int
    relation: str
    second: int


@dataclass(frozen=True)
class Location:
    """A place, and the mention that is said to be there."""

    mention: int
    """Its place in the reading; there is none if the caption mentions nothing."""
    relation: str | None
    """As in "on the beach" or "above the beach"; none in "indoors" or "a beach with a dog"."""
    place: Place


@dataclass(frozen=True)
class Reading:
    """What a caption claims."""

    mentions: tuple[Mention, ...]
    links: tuple[Link, ...]
    locations: tuple[Location, ...]
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
    locations: list[Location] = field(default_factory=list)
    dangling: list[str] = field(default_factory=list)
    unparsed: list[str] = field(default_factory=list)
    leading: list[tuple[str, Trait]] = field(default_factory=list)
    """What was said before anything was mentioned."""
    pending: list[tuple[str, Determiner | Number | Trait]] = field(default_factory=list)
    """What waits for its noun."""
    predicative: str | None = None
    """The "is" after which adjectives without a noun belong to the last mention."""
    opened: tuple[str, Relation] | None = None
    """A relation that waits for its second half."""
    last: str = ""
    """The phrase before."""

    def take(self, phrase: str, meaning: Meaning | None) -> None:
        """Take in the next phrase."""
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
                self.opened, self.predicative = (phrase, meaning), None
            case Place():
                self.take_place(meaning)
            case Copula():
                self.settle_pending()
                introduces = self.last in INTRODUCTIONS or not self.mentions
                self.predicative = None if introduces else phrase
            case Filler():
                self.settle_pending()
            case Connective():
                pass
            case None:
                self.unparsed.append(phrase)
        self.last = phrase

    def take_name(self, name: Name) -> None:
        """Complete a noun phrase, and the relation that waits for it."""
        if self.predicative:  # "a dog is ball"
            self.dangling.append(self.predicative)
        meanings = [meaning for _, meaning in (*self.leading, *self.pending)]
        numbers = [meaning.count for meaning in meanings if isinstance(meaning, Number)]
        traits = tuple(meaning for meaning in meanings if isinstance(meaning, Trait))
        definite = Determiner(definite=True) in meanings
        self.leading.clear()
        self.pending.clear()
        self.predicative = None
        self.mentions.append(Mention(name, numbers[-1] if numbers else None, traits, definite))
        if self.opened and len(self.mentions) > 1:
            last = len(self.mentions) - 1
            self.links.append(Link(last - 1, self.opened[1].name, last))
            self.opened = None
        self.drop_relation()

    def take_opening(self, phrase: str, meaning: Determiner | Number) -> None:
        """Begin a noun phrase; one that had begun already ("a the") is left hanging."""
        if self.last == self.predicative:  # "a dog is a ball"
            self.dangling.append(self.last)
        repeated = any(type(waiting) is type(meaning) for _, waiting in self.pending)
        if repeated or self.predicative:
            self.settle_pending()
        self.predicative = None
        self.pending.append((phrase, meaning))

    def take_trait(self, phrase: str, trait: Trait) -> None:
        """Keep an adjective for its noun, or give it to the last mention if it follows that."""
        follows = trait.trailing or (trait.attribute == "pose" and not self.pending)
        if not follows:
            self.pending.append((phrase, trait))
            return
        self.settle_pending()
        self.drop_relation()
        self.add_traits([(phrase, trait)])

    def take_place(self, place: Place) -> None:
        """Note where the last mention is; a place has neither number nor colour."""
        self.pending = [entry for entry in self.pending if not isinstance(entry[1], Determiner)]
        self.predicative = None
        self.settle_pending()
        phrase, relation = (self.opened[0], self.opened[1].name) if self.opened else ("", None)
        if relation in SIDES_OF_PLACES:
            self.add_traits([(phrase, Trait("side", SIDES_OF_PLACES[relation], trailing=True))])
            relation = None
        self.opened = None
        self.locations.append(Location(max(len(self.mentions) - 1, 0), relation, place))

    def settle_pending(self) -> None:
        """No noun comes: after "is" the adjectives are the last mention's, else they hang."""
        traits = [(word, meaning) for word, meaning in self.pending if isinstance(meaning, Trait)]
        if self.predicative and len(traits) == len(self.pending):
            self.add_traits(traits)
        else:
            self.dangling += [phrase for phrase, _ in self.pending]
        self.pending.clear()

    def add_traits(self, traits: list[tuple[str, Trait]]) -> None:
        """Say more of the last mention, or of the first one if it is still to come."""
        if not self.mentions:
            self.leading += traits
            return
        last = self.mentions[-1]
        more = (trait for _, trait in traits)
        self.mentions[-1] = replace(last, traits=(*last.traits, *more))

    def drop_relation(self) -> None:
        """A relation without its second half hangs."""
        if self.opened:
            self.dangling.append(self.opened[0])
        self.opened = None

    def finish(self) -> Reading:
        """Whatever still waits is left hanging."""
        self.settle_pending()
        self.drop_relation()
        self.dangling += [phrase for phrase, _ in self.leading]
        if isinstance(MEANINGS.get(self.last), Connective | Copula):
            self.dangling.append(self.last)
        return Reading(
            tuple(self.mentions),
            tuple(self.links),
            tuple(self.locations),
            tuple(self.dangling),
            tuple(self.unparsed),
        )
