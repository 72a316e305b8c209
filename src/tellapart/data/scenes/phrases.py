"""The parts of a caption: noun phrases, adjectives, places, relations.

Reads   a thing or a scene, lexicon.py, a random stream
Writes  phrases that wording.py sets into sentences
"""

from collections.abc import Mapping
from random import Random

from tellapart.data.scenes.lexicon import (
    NUMBER_WORDS,
    PATTERN_NOUNS,
    PATTERN_WORDS,
    PLACES,
    PLACES_ALOFT,
    PLACES_OF_FISH,
    PLURALS,
    RELATION_PHRASES,
    SIZE_WORDS,
    SKY_PHRASES,
    SYNONYMS,
)
from tellapart.data.scenes.relations import relations_between
from tellapart.data.scenes.world import Scene, Thing

ALL_TRAITS = frozenset({"size", "colour", "pattern"})


def draw_weighted(options: Mapping[str, int], random: Random) -> str:
    """One of the options, each as likely as its weight says."""
    return random.choices(list(options), list(options.values()))[0]


def draw_usual(options: tuple[str, ...], random: Random) -> str:
    """Mostly the first option: people agree on the usual word more often than not."""
    return options[0] if random.random() < 0.75 else random.choice(options)


def name_thing(thing: Thing, random: Random, *, traits: frozenset[str] = frozenset()) -> str:
    """A noun phrase that tells these traits: "a small red ball with stripes", "two cats"."""
    after = "pattern" in traits and thing.pattern != "plain" and random.random() < 0.25
    before = traits - {"pattern"} if after else traits
    words = [*adjectives(thing, before, random), noun_for(thing, random)]
    if after:
        words += ["with", random.choice(PATTERN_NOUNS[thing.pattern])]
    phrase = " ".join(words)
    if thing.count > 1:
        return f"{draw_usual(NUMBER_WORDS[thing.count], random)} {phrase}"
    return f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}"


def noun_for(thing: Thing, random: Random) -> str:
    """What people call it."""
    if thing.count > 1:
        return PLURALS[thing.noun]
    return draw_usual(SYNONYMS.get(thing.noun, (thing.noun,)), random)


def adjectives(thing: Thing, traits: frozenset[str], random: Random) -> list[str]:
    """The traits as adjectives in their usual order; medium and plain go without saying."""
    words = []
    if "size" in traits and thing.size in SIZE_WORDS:
        words.append(draw_usual(SIZE_WORDS[thing.size], random))
    if "colour" in traits:
        words.append(thing.colour)
    if "pattern" in traits and thing.pattern in PATTERN_WORDS:
        words.append(draw_usual(PATTERN_WORDS[thing.pattern], random))
    return words


def some_traits(thing: Thing, random: Random, *, most: int) -> frozenset[str]:
    """One to so many of the traits that are worth telling of this thing."""
    telling = ["colour"]
    telling += ["size"] * (thing.size in SIZE_WORDS) + ["pattern"] * (thing.pattern != "plain")
    return frozenset(random.sample(telling, random.randint(1, min(most, len(telling)))))


def place_thing(scene: Scene, thing: Thing, random: Random) -> str:
    """Where this thing is, as one says it of swimming, standing or flying things."""
    if thing.stance == "swimming":
        return draw_usual(PLACES_OF_FISH, random)
    if thing.stance == "standing":
        return draw_usual(PLACES[scene.background], random)
    if scene.background != "room" and random.random() < 0.25:
        return random.choice(SKY_PHRASES)
    return draw_usual(PLACES_ALOFT[scene.background], random)


def relate(first: Thing, second: Thing, random: Random | None = None) -> str | None:
    """How the first thing stands to the second, in words; the most telling way by default."""
    relations = relations_between(first, second)
    if not relations:
        return None
    if random is None:
        return RELATION_PHRASES[relations[0]][0]
    relation = relations[0] if random.random() < 0.7 else random.choice(relations)
    return random.choice(RELATION_PHRASES[relation])
