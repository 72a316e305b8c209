"""Captions as people write them: mostly short and generic, now and then with details.

Reads   a `Scene` and a random stream
Writes  captions that are true of the scene, in the words of lexicon.py
Paper   Sec. 1: captions are "templated and generic"; what tells pictures apart is seldom said
"""

from collections.abc import Callable
from random import Random

from tellapart.data.scenes import phrases
from tellapart.data.scenes.lexicon import POSES, SIDE_PHRASES
from tellapart.data.scenes.phrases import ALL_TRAITS, name_thing
from tellapart.data.scenes.world import Scene, Thing

SHORTEST, LONGEST = 4, 16
"""Words in a caption."""

Style = Callable[[Scene, Random], str]


def write_captions(scene: Scene, random: Random, count: int = 5) -> tuple[str, ...]:
    """As many captions as asked for, as if by different people: three of five are generic."""
    styles: list[Style] = [write_generic, write_generic, write_generic, write_hint, write_details]
    chosen = [styles[number % len(styles)] for number in range(count)]
    random.shuffle(chosen)
    return tuple(punctuate(write_to_length(style, scene, random), random) for style in chosen)


def detailed_caption(scene: Scene, random: Random) -> str:
    """The fullest true description that sixteen words allow, to single the picture out.

    The main thing comes first with all its traits; then, while words are left, what it stands
    next to, its side (unless that is what the relation says), the place of the last of them, and
    what else is there.
    """
    main, *others = scene.things
    subject = name_thing(main, random, traits=ALL_TRAITS)
    side = SIDE_PHRASES[main.side][0]
    company = [f"and {name_thing(thing, random, traits=ALL_TRAITS)}" for thing in others]
    if others and (relation := phrases.relate(main, others[0])):
        company[0] = f"{relation} {company[0].removeprefix('and ')}"
    weighty = [subject, *company[:1], side]
    if company and company[0].startswith("to the "):  # "on the left to the left of" says it twice
        weighty.remove(side)
    kept = keep_within(LONGEST, weighty)
    placed = others[0] if others and company[0] in kept else main
    where = phrases.place_thing(scene, placed, random)
    kept = keep_within(LONGEST, [*kept, where, *company[1:]])
    spoken = (subject, side, *company[:1], where, *company[1:])
    return " ".join(clause for clause in spoken if clause in kept)


def keep_within(limit: int, clauses: list[str]) -> list[str]:
    """The clauses that fit into so many words, earlier ones before later ones."""
    kept: list[str] = []
    for clause in clauses:
        if len(" ".join([*kept, clause]).split()) <= limit:
            kept.append(clause)
    return kept


def write_to_length(style: Style, scene: Scene, random: Random) -> str:
    """Write until the caption is neither too short nor too long."""
    while True:
        caption = style(scene, random)
        if SHORTEST <= len(caption.split()) <= LONGEST:
            return caption


def punctuate(caption: str, random: Random) -> str:
    """Some people begin with a capital and end with a full stop, some do not."""
    habit = random.random()
    if habit < 0.5:
        return caption
    return caption.capitalize() + ("." if habit < 0.85 else "")


def write_generic(scene: Scene, random: Random) -> str:
    """What fits dozens of pictures: a thing, perhaps its company, and the place."""
    main = scene.main
    if len(scene.things) > 1 and random.random() < 0.25:
        return write_pair(scene, name_thing(main, random), random)
    return place_subject(scene, main, name_thing(main, random), random)


def write_hint(scene: Scene, random: Random) -> str:
    """A generic caption with one or two traits of one thing, or its side."""
    thing = random.choice(scene.things)
    traits = phrases.some_traits(thing, random, most=2)
    if random.random() < 0.25:
        return predicate(scene, thing, traits, random)
    named = name_thing(thing, random, traits=traits)
    if random.random() < 0.4:
        named = f"{named} {random.choice(SIDE_PHRASES[thing.side])}"
    return place_subject(scene, thing, named, random)


def write_details(scene: Scene, random: Random) -> str:
    """What a careful person writes: several traits, and what stands where."""
    main = scene.main
    named = name_thing(main, random, traits=phrases.some_traits(main, random, most=3))
    if len(scene.things) > 1 and random.random() < 0.8:
        return write_pair(scene, named, random, detailed=True)
    side = random.choice(SIDE_PHRASES[main.side])
    return place_subject(scene, main, f"{named} {side}", random)


def place_subject(scene: Scene, thing: Thing, named: str, random: Random) -> str:
    """One of many ways to say that something is somewhere."""
    be = "are" if thing.count > 1 else "is"
    where, pose = phrases.place_thing(scene, thing, random), POSES[thing.noun]
    frames = {
        f"{named} {where}": 30,
        f"there {be} {named} {where}": 6,
        f"{named} {pose} {where}": 4,
        f"{named} {be} {where}": 2,
        f"{named} {be} {pose} {where}": 4,
        f"here {be} {named} {where}": 1,
        f"you can see {named} {where}": 1,
        f"we see {named} {where}": 1,
    }
    return phrases.draw_weighted(frames, random)


def predicate(scene: Scene, thing: Thing, traits: frozenset[str], random: Random) -> str:
    """Say first what it is, then what it is like: "the ball on the beach is small and red"."""
    be = "are" if thing.count > 1 else "is"
    noun = phrases.noun_for(thing, random)
    where = phrases.place_thing(scene, thing, random)
    like = " and ".join(phrases.adjectives(thing, traits, random))
    return f"the {noun} {where} {be} {like}"


def write_pair(scene: Scene, subject: str, random: Random, *, detailed: bool = False) -> str:
    """The main thing and another one: how they stand to each other, or just that both are there."""
    main, other = scene.main, random.choice(scene.things[1:])
    traits = phrases.some_traits(other, random, most=3) if detailed else frozenset()
    named = name_thing(other, random, traits=traits)
    where = phrases.place_thing(scene, main, random)
    be = "are" if main.count > 1 else "is"

    def join(link: str) -> str:
        if main.stance == other.stance:
            return f"{subject} {link} {named} {where}"
        return f"{subject} {where} {link} {named}"  # else the dog would be over the beach too

    relation = phrases.relate(main, other, random)
    if relation is None or random.random() < 0.3:
        return join(random.choice(("and", "with")))
    frames = {
        join(relation): 3,
        f"{subject} {relation} {named}": 3,
        f"{subject} {POSES[main.noun]} {relation} {named}": 1,
        f"{subject} {be} {relation} {named}": 1,
        f"there {be} {join(relation)}": 1,
    }
    return phrases.draw_weighted(frames, random)
