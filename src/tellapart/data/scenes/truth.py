"""Whether a caption is true of its scene, claim by claim.

Reads   a caption (reading.py) and the scene of its picture
Writes  a `Truth`: how much was asserted, how much of it is borne out, what made no sense
Paper   Sec. 4: self-retrieval must make captions telling without making them false

How words are understood:
- A noun phrase speaks of *some* thing: the one of that noun of which most of its adjectives are
  true. All are borne out only if one thing bears them jointly.
- "a", "an", "the" and a bare singular mean at least one; a bare plural means at least two; a number
  means exactly so many, counted among all things the phrase fits best.
- A relation holds if some pair of things that fit the two phrases entirely stands in it.
- A medium size goes without saying: such a thing is neither small nor large.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from tellapart.data.scenes.lexicon import POSES
from tellapart.data.scenes.meanings import Trait
from tellapart.data.scenes.reading import Link, Mention, Reading, read_caption
from tellapart.data.scenes.relations import RELATIONS, holds
from tellapart.data.scenes.world import Scene, Thing

Kind = Literal["object", "attribute", "count", "relation", "background"]


@dataclass(frozen=True)
class Truth:
    """The verdict on one caption."""

    asserted: Mapping[Kind, int]
    """How many claims of each kind the caption makes."""
    borne_out: Mapping[Kind, int]
    """How many of them are true of the scene."""
    dangling: tuple[str, ...] = ()
    """Known words that belong to nothing."""
    unparsed: tuple[str, ...] = ()
    """Words that are not known."""

    @property
    def share(self) -> float:
        """True claims over all claims; 0 for a caption that claims nothing."""
        asserted = sum(self.asserted.values())
        return sum(self.borne_out.values()) / asserted if asserted else 0.0

    @property
    def is_true(self) -> bool:
        """Something is claimed, all of it is borne out, and no word is left hanging."""
        return self.share == 1.0 and not self.dangling


def judge_caption(caption: str, scene: Scene) -> Truth:
    """Check every claim of a caption against the scene of its picture."""
    return judge_reading(read_caption(caption), scene)


def judge_reading(reading: Reading, scene: Scene) -> Truth:
    """The same for a caption that was read before: one caption, many scenes."""
    claims = list(judge_claims(reading, scene))
    return Truth(
        Counter(kind for kind, _ in claims),
        Counter(kind for kind, is_true in claims if is_true),
        reading.dangling,
        reading.unparsed,
    )


def judge_claims(reading: Reading, scene: Scene) -> Iterator[tuple[Kind, bool]]:
    """Every claim of a reading with its verdict."""
    for mention in reading.mentions:
        yield from judge_mention(mention, scene)
    for link in reading.links:
        yield "relation", judge_link(link, reading.mentions, scene)
    for place in reading.places:
        yield "background", scene.background in place.backgrounds


def judge_mention(mention: Mention, scene: Scene) -> Iterator[tuple[Kind, bool]]:
    """The noun, each of its adjectives, and the number if one is claimed."""
    referents = find_referents(mention, scene)
    yield "object", bool(referents)
    for trait in mention.traits:
        yield "attribute", bool(referents) and bears(referents[0], trait)
    count = sum(thing.count for thing in referents)
    if mention.number is not None:
        yield "count", count == mention.number
    elif mention.name.plural:
        yield "count", count >= 2


def find_referents(mention: Mention, scene: Scene) -> list[Thing]:
    """The things of the mention's noun of which as many of its adjectives as possible are true."""
    scores = {
        thing: sum(bears(thing, trait) for trait in mention.traits)
        for thing in scene.things
        if thing.noun == mention.name.noun
    }
    best = max(scores.values(), default=0)
    return [thing for thing, score in scores.items() if score == best]


def bears(thing: Thing, trait: Trait) -> bool:
    """Whether the trait is true of the thing."""
    actual = {
        "colour": thing.colour,
        "pattern": thing.pattern,
        "size": thing.size,
        "side": thing.side,
        "pose": POSES[thing.noun],
        "home": thing.form.home,
    }
    return actual[trait.attribute] == trait.value


def judge_link(link: Link, mentions: tuple[Mention, ...], scene: Scene) -> bool:
    """Whether some pair of things that fit both mentions stands in the relation."""
    firsts = find_fitting(mentions[link.first], scene)
    seconds = find_fitting(mentions[link.second], scene)
    return link.relation in RELATIONS and any(
        first is not second and holds(link.relation, first, second)
        for first in firsts
        for second in seconds
    )


def find_fitting(mention: Mention, scene: Scene) -> list[Thing]:
    """The things of which the whole mention is true; all, some or none of its referents."""
    return [
        thing
        for thing in find_referents(mention, scene)
        if all(bears(thing, trait) for trait in mention.traits)
    ]
