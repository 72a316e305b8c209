"""A pen that draws one thing inside its box, and fills its body with colour and pattern.

Reads   a box of the canvas in pixels, a colour, a pattern
Writes  onto the canvas

Shapes (shapes.py) speak in the unit square of the box: (0, 0) is its top left corner and (1, 1)
its bottom right one. What carries the thing's colour is collected in a mask, the *body*, and
painted at once, so that stripes run through all its parts and one outline goes round them.
"""

from collections.abc import Sequence

from PIL import Image, ImageDraw

Colour = tuple[int, int, int]
Point = tuple[float, float]

PAINTS: dict[str, Colour] = {
    "red": (224, 30, 34),
    "orange": (250, 140, 24),
    "yellow": (255, 218, 40),
    "green": (30, 158, 60),
    "blue": (28, 84, 228),
    "pink": (255, 120, 186),
    "white": (252, 252, 250),
    "black": (40, 40, 46),
}
NEAR_WHITE: Colour = (250, 246, 236)
INK: Colour = (46, 40, 48)
SECOND_PAINTS: dict[str, Colour] = {"white": (112, 110, 112), "yellow": (96, 72, 28)}
"""Stripes, dots and checks where near-white ones would not stand out."""


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """The first colour with a share of the second stirred in."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def draw_pattern(size: tuple[int, int], pattern: str, colour: str) -> Image.Image:
    """A cloth of this size in the pattern's two paints."""
    cloth = Image.new("RGB", size, PAINTS[colour])
    if pattern != "plain":
        second = SECOND_PAINTS.get(colour, NEAR_WHITE)
        WEAVES[pattern](ImageDraw.Draw(cloth), size, second)
    return cloth


def weave_stripes(draw: ImageDraw.ImageDraw, size: tuple[int, int], paint: Colour) -> None:
    """Slanting stripes, four to five over the cloth."""
    height = size[1]
    period = max(size) / 4.2
    slant = height * 0.35
    for number in range(-3, 9):
        left = number * period
        right = left + 0.38 * period
        draw.polygon(
            [(left + slant, 0), (right + slant, 0), (right, height), (left, height)], paint
        )


def weave_dots(draw: ImageDraw.ImageDraw, size: tuple[int, int], paint: Colour) -> None:
    """Round dots, every other row set off by half a step."""
    step = max(size) / 4.0
    radius = 0.28 * step
    for row in range(6):
        y = (row + 0.3) * 0.8 * step
        for column in range(-1, 6):
            x = (column + 0.3 + 0.5 * (row % 2)) * step
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), paint)


def weave_checks(draw: ImageDraw.ImageDraw, size: tuple[int, int], paint: Colour) -> None:
    """A chessboard."""
    step = max(size) / 5.5
    for row in range(7):
        for column in range(row % 2, 7, 2):
            left, top = column * step, row * step
            draw.rectangle((left, top, left + 0.9 * step, top + 0.9 * step), paint)


WEAVES = {"striped": weave_stripes, "dotted": weave_dots, "checked": weave_checks}


def draw_shade() -> Image.Image:
    """How dark a body is, from its lit upper left to its lower right."""
    down = Image.linear_gradient("L")
    across = down.rotate(90)
    return Image.blend(down, across, 0.4).point(
        [0.42 * max(0, level - 110) for level in range(256)]
    )


SHADE = draw_shade()


class Pen:
    """Draws in the unit square of a box, straight onto the canvas or into the body's mask."""

    def __init__(
        self, canvas: Image.Image, box: tuple[int, int, int, int], colour: str, pattern: str
    ) -> None:
        self.canvas = canvas
        self.left, self.top = box[:2]
        self.width, self.height = box[2] - box[0], box[3] - box[1]
        self.colour, self.pattern = colour, pattern
        self.base = PAINTS[colour]
        self.dark = mix(self.base, INK, 0.45) if colour != "black" else (12, 12, 16)
        self.light = mix(self.base, (255, 255, 255), 0.4)
        self.mask = Image.new("1", (self.width, self.height), 0)
        self.body = Stencil(ImageDraw.Draw(self.mask), 0, 0, self.width, self.height)
        draw = ImageDraw.Draw(canvas)
        self.over = Stencil(draw, self.left, self.top, self.width, self.height)

    def paint_body(self) -> None:
        """Paint what the mask holds: outline, cloth, shade; then begin an empty mask."""
        self._paint_outline()
        cloth = draw_pattern(self.mask.size, self.pattern, self.colour)
        cloth.paste(INK, (0, 0), SHADE.resize(cloth.size, Image.Resampling.NEAREST))
        self.canvas.paste(cloth, (self.left, self.top), self.mask)
        self.mask.paste(0, (0, 0, *self.mask.size))

    def _paint_outline(self) -> None:
        reach = max(2, round(0.004 * self.canvas.width))
        slant = round(0.7 * reach)
        steps = [(reach, 0), (-reach, 0), (0, reach), (0, -reach)]
        steps += [(slant, slant), (slant, -slant), (-slant, slant), (-slant, -slant)]
        for across, down in steps:
            self.canvas.paste(self.dark, (self.left + across, self.top + down), self.mask)


class Stencil:
    """Figures of the unit square, drawn where the box lies."""

    def __init__(
        self, draw: ImageDraw.ImageDraw, left: int, top: int, width: int, height: int
    ) -> None:
        self.draw = draw
        self.left, self.top, self.width, self.height = left, top, width, height

    def polygon(self, points: Sequence[Point], fill: Colour | int = 255) -> None:
        """A filled polygon."""
        self.draw.polygon(self._place(points), fill)

    def ellipse(
        self, left: float, top: float, right: float, bottom: float, fill: Colour | int = 255
    ) -> None:
        """A filled ellipse in a box."""
        self.draw.ellipse(self._place([(left, top), (right, bottom)]), fill)

    def rectangle(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        fill: Colour | int = 255,
        *,
        round_by: float = 0.0,
    ) -> None:
        """A filled rectangle whose corners are rounded by a share of the box's width."""
        corners = self._place([(left, top), (right, bottom)])
        self.draw.rounded_rectangle(corners, round_by * self.width, fill)

    def line(self, points: Sequence[Point], fill: Colour | int = 255, *, width: float) -> None:
        """A line whose width is a share of the box's width."""
        pixels = max(1, round(width * self.width))
        self.draw.line(self._place(points), fill, pixels, joint="curve")

    def circle(self, x: float, y: float, radius: float, fill: Colour | int = 255) -> None:
        """A true circle whatever the box's shape; the radius is a share of its width."""
        reach = radius * self.width
        ((x, y),) = self._place([(x, y)])
        self.draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill)

    def ring(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        fill: Colour | int = 255,
        *,
        width: float,
        start: int = 0,
        end: int = 360,
    ) -> None:
        """An arc from one angle to another, clockwise from three o'clock."""
        corners = self._place([(left, top), (right, bottom)])
        self.draw.arc(corners, start, end, fill, max(1, round(width * self.width)))

    def half_ellipse(
        self, left: float, top: float, right: float, bottom: float, fill: Colour | int = 255
    ) -> None:
        """The upper half of the ellipse in a box."""
        self.draw.pieslice(self._place([(left, top), (right, bottom)]), 180, 360, fill)

    def _place(self, points: Sequence[Point]) -> list[Point]:
        return [(self.left + x * self.width, self.top + y * self.height) for x, y in points]
