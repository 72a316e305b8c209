"""The eight places, painted behind the things in soft colours so that the things stand out.

Reads   an empty canvas and a random stream for what no caption speaks of
Writes  onto the canvas
"""

import math
from collections.abc import Callable
from random import Random

from PIL import Image, ImageDraw

from tellapart.data.scenes.pens import Colour, Point, mix

HORIZON = 0.58
PALE: Colour = (255, 255, 255)


class Backdrop:
    """A canvas to paint a place on, in shares of its side."""

    def __init__(self, canvas: Image.Image, random: Random) -> None:
        self.canvas, self.random = canvas, random
        self.side = canvas.width
        self.draw = ImageDraw.Draw(canvas)

    def fade(self, top: float, bottom: float, upper: Colour, lower: Colour) -> None:
        """Fill a band of the picture from one colour to another."""
        first, last = round(top * self.side), round(bottom * self.side)
        ramp = Image.linear_gradient("L").resize((1, last - first))
        strip = Image.new("RGB", ramp.size, upper)
        strip.paste(lower, (0, 0), ramp)
        wide = strip.resize((self.side, last - first), Image.Resampling.NEAREST)
        self.canvas.paste(wide, (0, first))

    def hills(self, height: float, swing: float, waves: float, colour: Colour) -> None:
        """Fill all below a wavy line."""
        phase = self.random.uniform(0, 2 * math.pi)
        line = [
            (x / 24, height + swing * math.sin(phase + waves * x / 24 * 2 * math.pi))
            for x in range(25)
        ]
        self.polygon([(0.0, 1.0), *line, (1.0, 1.0)], colour)

    def polygon(self, points: list[Point], colour: Colour) -> None:
        """Fill a polygon."""
        self.draw.polygon([(x * self.side, y * self.side) for x, y in points], colour)

    def rectangle(
        self, left: float, top: float, right: float, bottom: float, colour: Colour
    ) -> None:
        """Fill a rectangle."""
        side = self.side
        self.draw.rectangle((left * side, top * side, right * side, bottom * side), colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour, *, flat: float = 1.0) -> None:
        """Fill a circle, or a flattened one."""
        across, down = radius * self.side, radius * flat * self.side
        x, y = x * self.side, y * self.side
        self.draw.ellipse((x - across, y - down, x + across, y + down), colour)

    def scatter(self, count: int, top: float, bottom: float) -> list[Point]:
        """Random points of a band."""
        return [(self.random.random(), self.random.uniform(top, bottom)) for _ in range(count)]

    def sky(self, upper: Colour, lower: Colour, *, clouds: int = 2) -> None:
        """A sky down to the horizon, with a few pale clouds."""
        self.fade(0.0, HORIZON + 0.02, upper, lower)
        for x, y in self.scatter(clouds, 0.06, 0.3):
            colour = mix(upper, PALE, 0.55)
            self.disc(x - 0.06, y + 0.01, 0.05, colour, flat=0.5)
            self.disc(x + 0.06, y + 0.01, 0.06, colour, flat=0.45)
            self.disc(x, y, 0.07, colour, flat=0.6)


def paint_beach(backdrop: Backdrop) -> None:
    """Sand before a strip of sea."""
    backdrop.sky((170, 222, 244), (226, 244, 248))
    backdrop.fade(0.48, 0.62, (84, 176, 208), (136, 210, 220))
    backdrop.hills(0.61, 0.008, 2.5, (250, 250, 244))
    backdrop.hills(0.63, 0.008, 2.5, (244, 226, 178))
    for x, y in backdrop.scatter(14, 0.68, 0.98):
        backdrop.disc(x, y, 0.006, (226, 202, 148), flat=0.6)


def paint_meadow(backdrop: Backdrop) -> None:
    """Grass before round hills."""
    backdrop.sky((184, 226, 246), (232, 246, 250))
    backdrop.hills(0.52, 0.04, 1.2, (168, 212, 140))
    backdrop.hills(HORIZON, 0.02, 0.8, (146, 204, 112))
    for x, y in backdrop.scatter(16, 0.66, 0.98):
        blades = [(x - 0.012, y), (x - 0.016, y - 0.026), (x, y - 0.006), (x + 0.014, y - 0.03)]
        backdrop.polygon([*blades, (x + 0.01, y)], (112, 176, 84))


def paint_sea(backdrop: Backdrop) -> None:
    """Open water to the horizon, with crests."""
    backdrop.sky((206, 232, 246), (246, 250, 250))
    backdrop.fade(0.5, 1.0, (112, 190, 220), (50, 132, 184))
    for x, y in backdrop.scatter(16, 0.55, 0.97):
        wide = 0.03 + 0.05 * y
        crest = [(x - wide, y), (x, y - 0.012), (x + wide, y), (x, y - 0.004)]
        backdrop.polygon(crest, (196, 230, 242))


def paint_snow(backdrop: Backdrop) -> None:
    """White ground, pale mountains, falling flakes."""
    backdrop.sky((176, 198, 222), (222, 232, 242), clouds=0)
    for x, y in backdrop.scatter(3, 0.28, 0.4):
        backdrop.polygon([(x - 0.34, 0.64), (x, y), (x + 0.34, 0.64)], (152, 174, 202))
        backdrop.polygon([(x - 0.08, y + 0.07), (x, y), (x + 0.08, y + 0.07)], (248, 250, 255))
    backdrop.hills(HORIZON, 0.02, 1.0, (240, 245, 252))
    for x, y in backdrop.scatter(30, 0.0, 1.0):
        backdrop.disc(x, y, 0.007, PALE if y < HORIZON else (218, 228, 242))


def paint_desert(backdrop: Backdrop) -> None:
    """Dunes under a hot sky."""
    backdrop.sky((252, 226, 178), (255, 244, 222), clouds=0)
    backdrop.disc(backdrop.random.uniform(0.15, 0.85), 0.16, 0.075, (255, 250, 226))
    backdrop.hills(0.5, 0.05, 1.1, (232, 178, 122))
    backdrop.hills(0.6, 0.03, 0.9, (222, 160, 100))
    backdrop.hills(0.8, 0.03, 1.4, (212, 148, 90))


def paint_street(backdrop: Backdrop) -> None:
    """A road with a dashed line before a pale row of towers."""
    backdrop.sky((204, 214, 226), (232, 236, 242), clouds=1)
    left = -0.05 * backdrop.random.random()
    while left < 1.0:
        width = backdrop.random.uniform(0.14, 0.22)
        top = backdrop.random.uniform(0.16, 0.36)
        paint_tower(backdrop, left, top, left + width)
        left += width + 0.008
    backdrop.rectangle(0.0, HORIZON, 1.0, 0.65, (206, 204, 204))
    backdrop.fade(0.65, 1.0, (140, 142, 150), (118, 120, 130))
    shift = backdrop.random.uniform(0.0, 0.3)
    for number in range(-1, 4):
        start = number * 0.32 + shift
        backdrop.rectangle(start, 0.79, start + 0.16, 0.808, (236, 234, 220))


def paint_tower(backdrop: Backdrop, left: float, top: float, right: float) -> None:
    """One tower with dim windows."""
    shade = backdrop.random.uniform(0.0, 0.25)
    wall = mix((184, 192, 206), PALE, shade)
    backdrop.rectangle(left, top, right, HORIZON, wall)
    window = mix(wall, (120, 130, 152), 0.3)
    for row in range(int((HORIZON - top - 0.04) / 0.07)):
        for column in range(int((right - left - 0.03) / 0.05)):
            x, y = left + 0.025 + 0.05 * column, top + 0.03 + 0.07 * row
            backdrop.rectangle(x, y, x + 0.025, y + 0.035, window)


def paint_room(backdrop: Backdrop) -> None:
    """A papered wall above floorboards."""
    wall = mix((238, 224, 206), (222, 228, 222), backdrop.random.random())
    backdrop.fade(0.0, 0.64, mix(wall, PALE, 0.2), wall)
    shift = backdrop.random.uniform(0.0, 0.1)
    for number in range(11):
        x = number * 0.1 + shift
        backdrop.rectangle(x, 0.0, x + 0.035, 0.62, mix(wall, (190, 168, 146), 0.16))
    backdrop.rectangle(0.0, 0.61, 1.0, 0.66, (250, 246, 240))
    backdrop.fade(0.66, 1.0, (196, 150, 108), (178, 130, 90))
    for number in range(-2, 12):
        x = number * 0.13 + shift
        middle = 0.5 + (x - 0.5) * 1.7
        backdrop.draw.line(
            (x * backdrop.side, 0.66 * backdrop.side, middle * backdrop.side, backdrop.side),
            (158, 112, 74),
            max(1, backdrop.side // 160),
        )


def paint_night(backdrop: Backdrop) -> None:
    """A starry sky with a crescent moon over dark hills."""
    upper, lower = (24, 30, 72), (70, 82, 140)
    backdrop.fade(0.0, HORIZON + 0.1, upper, lower)
    for x, y in backdrop.scatter(26, 0.02, 0.5):
        backdrop.disc(x, y, backdrop.random.uniform(0.003, 0.006), (226, 230, 250))
    x = backdrop.random.choice((0.08, 0.92))
    backdrop.disc(x, 0.1, 0.05, (250, 240, 200))
    backdrop.disc(x + 0.025, 0.09, 0.042, mix(upper, lower, 0.12))
    backdrop.hills(HORIZON, 0.03, 0.9, (62, 84, 108))
    backdrop.hills(0.7, 0.02, 1.3, (76, 100, 116))


BACKDROPS: dict[str, Callable[[Backdrop], None]] = {
    "beach": paint_beach,
    "meadow": paint_meadow,
    "sea": paint_sea,
    "snow": paint_snow,
    "desert": paint_desert,
    "street": paint_street,
    "room": paint_room,
    "night": paint_night,
}
