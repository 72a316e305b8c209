"""A scene as a picture: backdrop, shadows, things, and a light of its own.

Reads   a `Scene`
Writes  an RGB picture, the same for the same scene

Drawn larger and shrunk, so that edges are smooth.
"""

from random import Random

from PIL import Image

from tellapart.data.scenes.backdrops import BACKDROPS, Backdrop
from tellapart.data.scenes.pens import Pen
from tellapart.data.scenes.relations import holds
from tellapart.data.scenes.shapes import SHAPES
from tellapart.data.scenes.world import Box, Scene, Thing

OVERSIZE = 3
LEVELS = range(256)
SHADOW = Image.radial_gradient("L").point([0.6 * max(0, 180 - 1.4 * level) for level in LEVELS])
"""A soft spot: dark in the middle, clear at the rim."""
SHADOW_COLOUR = (40, 34, 52)
FOAM_COLOUR = (236, 248, 252)
WARM, COLD, GREY = (255, 236, 200), (40, 50, 90), (128, 128, 128)


def draw_scene(scene: Scene, *, size: int = 224) -> Image.Image:
    """Draw a scene as a square RGB picture."""
    random = Random(scene.variation)
    canvas = Image.new("RGB", (OVERSIZE * size, OVERSIZE * size))
    BACKDROPS[scene.background](Backdrop(canvas, random))
    for thing in order_by_depth(scene.things):
        for member in thing.members:
            draw_footing(canvas, thing, member)
            pen = Pen(canvas, to_pixels(member, canvas.width), thing.colour, thing.pattern)
            SHAPES[thing.noun](pen)
    return light(canvas.reduce(OVERSIZE), random)


def order_by_depth(things: tuple[Thing, ...]) -> list[Thing]:
    """Farthest first: higher in the picture is farther away, unless something carries it."""

    def nearness(thing: Thing) -> float:
        carriers = [other.y for other in things if holds("on", thing, other)]
        return max(carriers, default=thing.y)

    # A carried thing and its carrier are equally near; the carrier comes first, being lower.
    return sorted(things, key=lambda thing: (nearness(thing), -thing.y))


def draw_footing(canvas: Image.Image, thing: Thing, member: Box) -> None:
    """What ties a thing to its place: a shadow on the ground, foam round a boat."""
    if thing.form.home == "air" or thing.noun == "fish":
        return
    flat = 0.16 * member.width
    spot = Box(
        member.left - 0.1 * member.width,
        member.bottom - flat,
        member.right + 0.1 * member.width,
        member.bottom + flat,
    )
    left, top, right, bottom = to_pixels(spot, canvas.width)
    colour = SHADOW_COLOUR if thing.form.home == "ground" else FOAM_COLOUR
    canvas.paste(colour, (left, top), SHADOW.resize((right - left, bottom - top)))


def to_pixels(box: Box, side: int) -> tuple[int, int, int, int]:
    """The box in pixels of a square picture."""
    edges = (box.left, box.top, box.right, box.bottom)
    left, top, right, bottom = (round(edge * side) for edge in edges)
    return left, top, right, bottom


def light(picture: Image.Image, random: Random) -> Image.Image:
    """Give the picture its own brightness, passing shades and a fine grain."""
    brightness = random.uniform(0.93, 1.05)
    picture = picture.point([min(255, round(level * brightness)) for level in LEVELS] * 3)
    shades = draw_noise(5, 0.07, random).resize(picture.size)
    picture.paste(random.choice((WARM, COLD)), (0, 0), shades)
    grain = draw_noise((picture.width + 1) // 2, 0.05, random)
    picture.paste(GREY, (0, 0), grain.resize(picture.size, Image.Resampling.NEAREST))
    return picture


def draw_noise(side: int, strength: float, random: Random) -> Image.Image:
    """A square mask of random levels, none above this strength."""
    noise = Image.frombytes("L", (side, side), random.randbytes(side * side))
    return noise.point([round(strength * level) for level in LEVELS])
