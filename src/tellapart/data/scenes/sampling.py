"""Drawing scenes by lot: a few dozen themes, thousands of scenes that differ in their details.

Reads   a random stream
Writes  one `Scene`
Paper   Sec. 1: "a vase with flowers sitting on a table" fits many pictures

A theme is what a hasty caption says, "a ball on the beach". All else is drawn anew: colour,
pattern, size, count, side, and what else is there. Layouts are drawn until one fits: every thing
inside the picture, and none hiding another unless the theme puts it in front.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from tellapart.data.scenes.relations import overlap, shared_height, shared_width
from tellapart.data.scenes.world import (
    COLOURS,
    LEFT_ENDS,
    NOUNS,
    PATTERNS,
    RIGHT_BEGINS,
    Box,
    Scene,
    Thing,
)

COLUMNS = (0.22, 0.5, 0.78)
MARGIN = 0.025
HIDDEN_COLOURS = {"snow": "white", "night": "black"}
"""Colours that would melt into a background."""

THEMES = {
    "beach": ("ball", "umbrella", "dog", "kite", "dog beside ball", "chair beside umbrella"),
    "meadow": ("flower", "tree", "cat", "mushroom", "dog in front of tree", "bird above house"),
    "sea": ("boat", "fish", "bird", "balloon", "bird above boat", "boat beside boat"),
    "snow": ("house", "tree", "dog", "bird", "cat in front of house", "cat beside ball"),
    "desert": ("car", "umbrella", "balloon", "box", "balloon above car", "chair beside lamp"),
    "street": ("car", "dog", "umbrella", "house", "cat on box", "dog beside car"),
    "room": ("vase", "chair", "lamp", "vase on table", "cup on table", "cat beside chair"),
    "night": ("house", "tree", "kite", "car", "balloon above house", "dog beside lamp"),
}
"""What the pictures of each background are about: main noun, or main noun and its partner."""

BYSTANDERS = {
    "beach": ("ball", "kite", "cup", "box"),
    "meadow": ("flower", "mushroom", "ball", "bird"),
    "sea": ("fish", "bird", "kite", "boat"),
    "snow": ("ball", "bird", "box", "mushroom"),
    "desert": ("bird", "cup", "flower", "ball"),
    "street": ("balloon", "ball", "flower", "box"),
    "room": ("ball", "cup", "box", "balloon"),
    "night": ("mushroom", "cup", "cat", "balloon"),
}
"""What may turn up in a picture that is about something else."""


@dataclass(frozen=True)
class Theme:
    """What a hasty caption would say of a picture."""

    background: str
    noun: str
    relation: str | None = None
    partner: str | None = None


def list_themes() -> tuple[Theme, ...]:
    """The themes of all backgrounds, as written in the table above."""

    def read(background: str, text: str) -> Theme:
        noun, _, rest = text.partition(" ")
        relation, _, partner = rest.rpartition(" ")
        return Theme(background, noun, relation or None, partner or None)

    return tuple(read(place, text) for place, texts in THEMES.items() for text in texts)


ALL_THEMES = list_themes()


def sample_scene(random: Random) -> Scene:
    """Draw a theme, then a scene of it."""
    theme = random.choice(ALL_THEMES)
    things = ARRANGEMENTS[theme.relation](theme, random)
    while not fits(things, touching=theme.relation in ("on", "in front of")):
        things = ARRANGEMENTS[theme.relation](theme, random)
    things = add_bystander(theme, things, random)
    return Scene(theme.background, things, variation=random.getrandbits(32))


def fits(things: tuple[Thing, ...], *, touching: bool) -> bool:
    """Whether all things are inside the picture and apart; a touching pair may share a corner."""
    boxes = [thing.box for thing in things]
    apart = not any(overlap(*pair) for pair in combinations(boxes, 2))
    return all(map(is_well_placed, boxes)) and (apart or (touching and not hides(*boxes)))


def is_well_placed(box: Box) -> bool:
    """Whether the box lies within the picture and nobody could argue about its side."""
    inside = min(box.left, box.top) >= 0.01 and max(box.right, box.bottom) <= 0.99
    return inside and min(abs(box.middle - edge) for edge in (LEFT_ENDS, RIGHT_BEGINS)) > 0.03


def hides(nearer: Box, farther: Box) -> bool:
    """Whether one box covers more than a fifth of the other."""
    covered = shared_width(nearer, farther) * shared_height(nearer, farther)
    return covered > 0.2 * farther.width * farther.height


def sample_thing(
    noun: str,
    background: str,
    random: Random,
    *,
    sizes: tuple[str, ...] = ("small", "medium", "large"),
    counts: tuple[int, ...] = (1,),
    column: float | None = None,
    y: float | None = None,
) -> Thing:
    """Draw a thing's details, and a place for it where none is given."""
    form = NOUNS[noun]
    count = random.choice(counts) if form.grouped else 1
    size = random.choice([size for size in sizes if size in GROUP_SIZES[count]])
    colours = [colour for colour in COLOURS if colour != HIDDEN_COLOURS.get(background)]
    pattern = random.choice(PATTERNS) if form.patterned else "plain"
    thing = Thing(noun, random.choice(colours), pattern, size, count, x=0.5, y=0.5)
    half = thing.box.width / 2 + MARGIN
    x = (random.choice(COLUMNS) if column is None else column) + random.uniform(-0.05, 0.05)
    x = min(max(x, half), 1 - half)
    y = sample_height(thing, random) if y is None else y
    return replace(thing, x=round(x, 3), y=round(y, 3))


GROUP_SIZES = {1: ("small", "medium", "large"), 2: ("small", "medium"), 3: ("small",)}
"""Sizes at which so many fit into a picture."""


def sample_height(thing: Thing, random: Random) -> float:
    """Where a thing's lowest point is drawn: on the ground, afloat, or under the sky's top."""
    if thing.form.home == "air":
        return MARGIN + thing.box.height + random.uniform(0.01, 0.1)
    if thing.noun == "boat":
        return random.uniform(0.72, 0.82)
    return random.uniform(0.86, 0.95)


def arrange_alone(theme: Theme, random: Random) -> tuple[Thing, ...]:
    """One thing, or a group of two or three."""
    return (sample_thing(theme.noun, theme.background, random, counts=(1, 1, 1, 2, 3)),)


def arrange_beside(theme: Theme, random: Random) -> tuple[Thing, ...]:
    """Two things side by side, either one on the left; two of a noun differ in colour."""
    assert theme.partner is not None
    own, other = random.sample(COLUMNS, 2)
    counts = (1,) if theme.partner == theme.noun else (1, 1, 2)
    main = sample_thing(theme.noun, theme.background, random, column=own, counts=counts)
    partner = sample_thing(theme.partner, theme.background, random, column=other)
    while (partner.noun, partner.colour) == (main.noun, main.colour):
        partner = sample_thing(theme.partner, theme.background, random, column=other)
    return main, partner


def arrange_on(theme: Theme, random: Random) -> tuple[Thing, ...]:
    """A smaller thing on a support."""
    assert theme.partner is not None
    support = sample_thing(theme.partner, theme.background, random, sizes=("medium", "large"))
    column = support.x + random.uniform(-0.3, 0.3) * support.width
    carried = sample_thing(
        theme.noun,
        theme.background,
        random,
        sizes=("small", "medium"),
        column=column,
        y=support.box.top + 0.015,
    )
    return carried, support


def arrange_in_front(theme: Theme, random: Random) -> tuple[Thing, ...]:
    """A small thing that hides a corner of a large one."""
    assert theme.partner is not None
    rear = sample_thing(
        theme.partner, theme.background, random, sizes=("large",), y=random.uniform(0.76, 0.8)
    )
    column = rear.x + random.choice((-1, 1)) * random.uniform(0.3, 0.5) * rear.width
    front = sample_thing(
        theme.noun,
        theme.background,
        random,
        sizes=("small", "medium"),
        column=column,
        y=random.uniform(0.9, 0.95),
    )
    return front, rear


def arrange_above(theme: Theme, random: Random) -> tuple[Thing, ...]:
    """A flying thing over one that stands."""
    assert theme.partner is not None
    sizes = ("small", "medium")
    below = sample_thing(theme.partner, theme.background, random, sizes=sizes)
    above = sample_thing(theme.noun, theme.background, random, sizes=sizes, column=below.x)
    return above, below


ARRANGEMENTS: dict[str | None, Callable[[Theme, Random], tuple[Thing, ...]]] = {
    None: arrange_alone,
    "beside": arrange_beside,
    "on": arrange_on,
    "in front of": arrange_in_front,
    "above": arrange_above,
}


def add_bystander(theme: Theme, things: tuple[Thing, ...], random: Random) -> tuple[Thing, ...]:
    """In half of the pictures one more thing of a new noun, where there is room for it."""
    if random.random() < 0.5:
        return things
    present = {thing.noun for thing in things}
    for bystander in propose_bystanders(theme.background, random):
        clear = not any(overlap(bystander.box, thing.box) for thing in things)
        if clear and bystander.noun not in present and is_well_placed(bystander.box):
            return (*things, bystander)
    return things


def propose_bystanders(background: str, random: Random) -> Iterator[Thing]:
    """Try a few times: often a corner is free."""
    for _ in range(12):
        noun = random.choice(BYSTANDERS[background])
        yield sample_thing(noun, background, random, sizes=("small", "medium"))
