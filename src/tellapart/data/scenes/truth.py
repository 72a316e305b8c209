"""Whether a caption is true of its scene, claim by claim.

Reads   a caption (reading.py) and the scene of its picture
Writes  a `Truth`: how much was asserted, how much of it is borne out, what made no sense
Paper   Sec. 4: self-retrieval must make captions telling without making them false

How words are understood:
- Each noun phrase speaks of things of its own (reference.py). Of all ways to hand out the things
  the one counts that bears out most claims, so a true caption is true of one world as a whole.
- "a", "an", "the" and a bare singular mean at least one; a bare plural means at least two; a number
  means exactly so many, counted among the things the phrase fits and no other phrase speaks of.
- A relation holds between things that fit the two phrases entirely. The members of a group stand
  in no relation to each other.
- A place is claimed with its preposition: a kite is over the beach, a dog on it, a fish in the sea.
- A medium size goes without saying: such a thing is neither small nor large.
- A word that is not known might say anything: "no dog", "a purple dog" are not true.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from tellapart.data.scenes.lexicon import POSES
from tellapart.data.scenes.meanings import STANCES, Trait
from tellapart.data.scenes.reading import Link, Location, Mention, Reading, read_caption
from tellapart.data.scenes.reference import Assignment, list_assignments
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
        """Something is claimed, all of it is borne out, and every word is understood."""
        return self.share == 1.0 and not self.dangling and not self.unparsed


def judge_caption(caption: str, scene: Scene) -> Truth:
    """Check every claim of a caption against the scene of its picture."""
    return judge_reading(read_caption(caption), scene)


def judge_reading(reading: Reading, scene: Scene) -> Truth:
    """The same for a caption that was read before: one caption, many scenes."""
    assignments = list_assignments(reading.mentions, scene.things)
    verdicts = (list(judge_claims(reading, scene, assignment)) for assignment in assignments)
    claims = max(verdicts, key=lambda claims: sum(is_true for _, is_true in claims))
    return Truth(
        Counter(kind for kind, _ in claims),
        Counter(kind for kind, is_true in claims if is_true),
        reading.dangling,
        reading.unparsed,
    )


def judge_claims(
    reading: Reading, scene: Scene, assignment: Assignment
) -> Iterator[tuple[Kind, bool]]:
    """Every claim of a reading with its verdict, if the mentions speak of these things."""
    referents = [[scene.things[number] for number in taken] for taken in assignment.referents]
    free = [thing for number, thing in enumerate(scene.things) if assignment.free[number]]
    for mention, things in zip(reading.mentions, referents, strict=True):
        yield from judge_mention(mention, things, free)
    for link in reading.links:
        yield "relation", judge_link(link, reading.mentions, referents)
    for location in reading.locations:
        things = referents[location.mention] if referents else []
        yield "background", judge_location(location, things, scene)


def judge_mention(
    mention: Mention, things: Sequence[Thing], free: Sequence[Thing]
) -> Iterator[tuple[Kind, bool]]:
    """The noun, each of its adjectives, and the number if one is claimed."""
    yield "object", bool(things)
    for trait in mention.traits:
        yield "attribute", bool(things) and all(bears(thing, trait) for thing in things)
    if mention.number is not None:
        more = any(fits(thing, mention) for thing in free)
        yield "count", len(things) == mention.number and not more
    elif mention.name.plural:
        yield "count", len(things) >= 2


def judge_link(
    link: Link, mentions: Sequence[Mention], referents: Sequence[Sequence[Thing]]
) -> bool:
    """Whether what the first mention speaks of stands so to what the second one does."""
    pairs = list(product(referents[link.first], referents[link.second]))
    return bool(pairs) and all(
        first is not second
        and fits(first, mentions[link.first])
        and fits(second, mentions[link.second])
        and link.relation in RELATIONS
        and holds(link.relation, first, second)
        for first, second in pairs
    )


def judge_location(location: Location, things: Sequence[Thing], scene: Scene) -> bool:
    """Whether the scene is there, and one says it so of these things."""
    if scene.background not in location.place.backgrounds:
        return False
    if location.relation is None:
        return True
    stances = STANCES.get((location.relation, location.place.word), set())
    return bool(stances) and all(thing.stance in stances for thing in things)


def fits(thing: Thing, mention: Mention) -> bool:
    """Whether all that the mention says is true of the thing."""
    is_one = thing.noun == mention.name.noun
    return is_one and all(bears(thing, trait) for trait in mention.traits)


def bears(thing: Thing, trait: Trait) -> bool:
    """Whether the trait is true of the thing."""
    actual = {
        "colour": thing.colour,
        "pattern": thing.pattern,
        "size": thing.size,
        "side": thing.side,
        "pose": POSES[thing.noun],
    }
    return actual[trait.attribute] == trait.value
