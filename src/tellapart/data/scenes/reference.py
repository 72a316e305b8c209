"""Whom the noun phrases of a caption speak of: each of them of things of its own.

Reads   mentions (reading.py) and the things of a scene
Writes  every way to hand the things out to the mentions; truth.py takes the one that fits best

- What one mention speaks of is taken: "a dog and a dog" asks for two dogs.
- A group is made of its members: "a boat and a boat" may be two of three.
- Only "the" may speak of something again: "a dog and a ball , the dog is red" asks for one dog,
  and so does "the dog and the dog". It need not: "the red cup and the blue cup" are two. The
  earlier mention must have the same noun, and both must ask for as many.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from tellapart.data.scenes.reading import Mention
from tellapart.data.scenes.world import Thing

MOST_MENTIONS = 6
"""Longer captions are malformed: their further mentions speak of nothing."""
MOST_WAYS = 5000
"""Ways to hand out a crowd that are tried; a scene of ours has far fewer."""

Referents = tuple[int, ...]
"""The members a mention speaks of, each given by the number of its thing in the scene."""


@dataclass(frozen=True)
class Assignment:
    """Whom the mentions so far speak of."""

    referents: tuple[Referents, ...]
    """One for each mention, empty if it speaks of nothing."""
    free: Counter[int]
    """How many members of each thing no mention speaks of."""


def list_assignments(mentions: Sequence[Mention], things: Sequence[Thing]) -> Iterator[Assignment]:
    """Ways to hand out the things, mention by mention; all of them in any scene we draw."""
    free = Counter({number: thing.count for number, thing in enumerate(things)})
    nothing: tuple[Referents, ...] = ((),) * len(mentions[MOST_MENTIONS:])
    ways = complete(Assignment((), free), mentions[:MOST_MENTIONS], things)
    for assignment in islice(ways, MOST_WAYS):
        yield Assignment(assignment.referents + nothing, assignment.free)


def complete(
    begun: Assignment, mentions: Sequence[Mention], things: Sequence[Thing]
) -> Iterator[Assignment]:
    """Every way to go on from the mentions that are settled."""
    if len(begun.referents) == len(mentions):
        yield begun
        return
    for longer in settle_next(begun, mentions, things):
        yield from complete(longer, mentions, things)


def settle_next(
    begun: Assignment, mentions: Sequence[Mention], things: Sequence[Thing]
) -> Iterator[Assignment]:
    """The next mention speaks of something again, of something new, or of nothing."""
    settled = begun.referents
    mention = mentions[len(settled)]
    again = {
        referents
        for earlier, referents in zip(mentions, settled, strict=False)
        if referents and means_again(mention, earlier)
    }
    for referents in sorted(again):
        yield Assignment((*settled, referents), begun.free)
    for referents in list_choices(mention, things, begun.free):
        if referents not in again:
            yield Assignment((*settled, referents), begun.free - Counter(referents))
    yield Assignment((*settled, ()), begun.free)


def means_again(mention: Mention, earlier: Mention) -> bool:
    """Whether the mention may speak of the same as an earlier one."""
    same = mention.name.noun == earlier.name.noun
    return mention.definite and same and how_many(mention) == how_many(earlier)


def how_many(mention: Mention) -> int:
    """How many members a mention asks for; without a number a plural asks for two."""
    if mention.number is not None:
        return mention.number
    return 2 if mention.name.plural else 1


def list_choices(mention: Mention, things: Sequence[Thing], free: Counter[int]) -> list[Referents]:
    """The free members that a mention may speak of, up to as many as it asks for."""
    members = [
        number
        for number, thing in enumerate(things)
        if thing.noun == mention.name.noun
        for _ in range(free[number])
    ]
    sizes = range(1, how_many(mention) + 1)
    return [choice for size in sizes for choice in sorted(set(combinations(members, size)))]
