"""What a scene is: a place and the few things in it, as plain values.

Reads   nothing
Writes  `Scene`, which drawing turns into a picture, wording into captions, truth into verdicts
Paper   Sec. 1: pictures that share a caption and differ in their details

Coordinates are those of the picture: x runs to the right and y downwards, both from 0 to 1.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

Home = Literal["ground", "air", "water"]
Side = Literal["left", "middle", "right"]
Stance = Literal["standing", "aloft", "swimming"]

BACKGROUNDS = ("beach", "meadow", "sea", "snow", "desert", "street", "room", "night")
COLOURS = ("red", "orange", "yellow", "green", "blue", "pink", "white", "black")
PATTERNS = ("plain", "striped", "dotted", "checked")
EXTENTS = {"small": 0.24, "medium": 0.33, "large": 0.45}
"""Side of the square that has the same area as a thing of this size."""

MEMBER_GAP = 0.015
"""Between two members side by side."""
FLIGHT_GAP = 0.035
"""Between a third member in the air and the two below it."""
REAR_GAP, REAR_RISE = 0.2, 0.55
"""How a third member on the ground looks out from behind the other two: through a gap of this share
of its width, and higher by this share of its height, so that it can be counted and stands."""
LEFT_ENDS, RIGHT_BEGINS = 0.4, 0.6


@dataclass(frozen=True)
class Form:
    """How a kind of thing looks and where it lives."""

    aspect: float
    """Width over height."""
    home: Home = "ground"
    patterned: bool = True
    """Whether its body is large enough to carry stripes, dots or checks."""
    grouped: bool = True
    """Whether two or three of them may come together."""


NOUNS = {
    "ball": Form(1.0),
    "balloon": Form(0.58, home="air"),
    "bird": Form(1.3, home="air"),
    "boat": Form(1.0, home="water"),
    "box": Form(1.1),
    "car": Form(1.9, patterned=False),
    "cat": Form(0.85),
    "chair": Form(0.68, patterned=False),
    "cup": Form(1.15),
    "dog": Form(1.2),
    "fish": Form(1.6, home="water"),
    "flower": Form(0.6, patterned=False),
    "house": Form(1.0, patterned=False, grouped=False),
    "kite": Form(0.62, home="air"),
    "lamp": Form(0.7),
    "mushroom": Form(0.95),
    "table": Form(1.6, patterned=False, grouped=False),
    "tree": Form(0.8, patterned=False),
    "umbrella": Form(1.0),
    "vase": Form(0.64),
}


@dataclass(frozen=True)
class Box:
    """An upright rectangle of the picture."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From the left edge to the right one."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From the top edge to the bottom one."""
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """The x halfway between the two sides."""
        return (self.left + self.right) / 2


@dataclass(frozen=True)
class Thing:
    """One thing, or a group of identical ones, that stands at a point of the picture."""

    noun: str
    colour: str
    pattern: str
    size: str
    count: int
    x: float
    """The middle of the thing, or of its group."""
    y: float
    """Where it touches the ground, or its lowest point in the air."""

    @property
    def form(self) -> Form:
        """How things of this noun look."""
        return NOUNS[self.noun]

    @property
    def width(self) -> float:
        """Width of one member."""
        return EXTENTS[self.size] * math.sqrt(self.form.aspect)

    @property
    def height(self) -> float:
        """Height of one member."""
        return EXTENTS[self.size] / math.sqrt(self.form.aspect)

    @property
    def members(self) -> tuple[Box, ...]:
        """The box of every member, those farthest away first."""
        if self.count == 1:
            return (self._member(0.0, 0.0),)
        if self.count == 2:
            return self._pair(MEMBER_GAP)
        if self.form.home == "air":
            return self._member(0.0, self.height + FLIGHT_GAP), *self._pair(MEMBER_GAP)
        return self._member(0.0, REAR_RISE * self.height), *self._pair(REAR_GAP * self.width)

    @property
    def box(self) -> Box:
        """The smallest box around all members."""
        boxes = self.members
        return Box(
            min(box.left for box in boxes),
            min(box.top for box in boxes),
            max(box.right for box in boxes),
            max(box.bottom for box in boxes),
        )

    @property
    def side(self) -> Side:
        """In which third of the picture its middle is drawn."""
        if self.x < LEFT_ENDS:
            return "left"
        return "right" if self.x > RIGHT_BEGINS else "middle"

    @property
    def stance(self) -> Stance:
        """How it is where it is; a boat stands on the water as a dog does on the ground."""
        if self.noun == "fish":
            return "swimming"
        return "aloft" if self.form.home == "air" else "standing"

    def _pair(self, gap: float) -> tuple[Box, Box]:
        stride = self.width + gap
        return self._member(-stride / 2, 0.0), self._member(stride / 2, 0.0)

    def _member(self, across: float, up: float) -> Box:
        middle, bottom = self.x + across, self.y - up
        half = self.width / 2
        return Box(middle - half, bottom - self.height, middle + half, bottom)


@dataclass(frozen=True)
class Scene:
    """A place and its things, the main one first."""

    background: str
    things: tuple[Thing, ...]
    variation: int = 0
    """Seeds what no caption speaks of: light, shade and grain of the drawing."""

    @property
    def main(self) -> Thing:
        """What the picture is about."""
        return self.things[0]

    def describe(self) -> str:
        """All that words can say of the place and of each thing by itself, in one fixed spelling.

        Two scenes with the same description can differ in words only by how their things stand
        to each other: next to or apart, in front or behind.
        """
        facts = (
            f"{thing.count} {thing.size} {thing.colour} {thing.pattern} {thing.noun} {thing.side}"
            for thing in self.things
        )
        return f"{self.background}: {', '.join(sorted(facts))}"

    def to_json(self) -> dict[str, Any]:
        """A JSON object from which `from_json` rebuilds an equal scene."""
        return {**asdict(self), "things": [asdict(thing) for thing in self.things]}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Scene":
        """Rebuild a scene from what `to_json` wrote."""
        things = tuple(Thing(**thing) for thing in value["things"])
        return cls(value["background"], things, value["variation"])
