"""The data set at a glance: rows of look-alikes that share a caption, and what tells them apart.

Reads   scenes
Writes  one picture: a row per background, under each picture a generic and a detailed caption
Paper   Sec. 1, the figure of generic captions
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from random import Random

from PIL import Image, ImageDraw, ImageFont

from tellapart.data.scenes.drawing import draw_scene
from tellapart.data.scenes.lexicon import PLACES, PLACES_ALOFT, PLACES_OF_FISH
from tellapart.data.scenes.wording import detailed_caption
from tellapart.data.scenes.world import BACKGROUNDS, NOUNS, Scene

COLUMNS = 6
PICTURE = 224
GAP = 18
TEXT_WIDTH, TEXT_HEIGHT = PICTURE - 12, 110
"""Narrower than a picture, so that neighbouring captions do not read as one line."""
HEADING = 74
TEXT_SIZE, LINE_HEIGHT = 14, 19
PAPER, GREY, BLACK = (252, 251, 248), (140, 136, 132), (34, 32, 36)
TITLE = "What people mostly write fits the whole row; only details tell the pictures apart."


def draw_contact_sheet(scenes: Iterable[Scene]) -> Image.Image:
    """Draw the look-alikes of every background, one row each."""
    rows = choose_rows(scenes)
    width = COLUMNS * (PICTURE + GAP) + GAP
    height = HEADING + len(rows) * (PICTURE + TEXT_HEIGHT)
    sheet = Image.new("RGB", (width, height), PAPER)
    draw = ImageDraw.Draw(sheet)
    draw.text((GAP, 26), TITLE, BLACK, ImageFont.load_default(26))
    for row, look_alikes in enumerate(rows):
        for column, scene in enumerate(look_alikes):
            left, top = GAP + column * (PICTURE + GAP), HEADING + row * (PICTURE + TEXT_HEIGHT)
            sheet.paste(draw_scene(scene, size=PICTURE), (left, top))
            write_below(draw, (left, top + PICTURE + 6), scene)
    return sheet


def choose_rows(scenes: Iterable[Scene]) -> list[list[Scene]]:
    """For each background the first pictures of its commonest main noun."""
    alike: dict[str, dict[str, list[Scene]]] = defaultdict(lambda: defaultdict(list))
    for scene in scenes:
        alike[scene.background][scene.main.noun].append(scene)
    commonest = [max(alike[place].values(), key=len) for place in BACKGROUNDS if place in alike]
    return [look_alikes[:COLUMNS] for look_alikes in commonest]


def write_below(draw: ImageDraw.ImageDraw, corner: tuple[int, int], scene: Scene) -> None:
    """The generic caption in grey, the detailed one in black."""
    left, top = corner
    font = ImageFont.load_default(TEXT_SIZE)
    for caption, colour in (
        (generic_caption(scene), GREY),
        (detailed_caption(scene, Random(0)), BLACK),
    ):
        for line in wrap(caption, lambda text: draw.textlength(text, font)):
            draw.text((left, top), line, colour, font)
            top += LINE_HEIGHT


def wrap(text: str, measure: Callable[[str], float]) -> list[str]:
    """Break a text into lines no wider than the space below a picture."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if measure(longer) <= TEXT_WIDTH:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def generic_caption(scene: Scene) -> str:
    """The plainest caption: the main thing and the place."""
    noun, background = scene.main.noun, scene.background
    places = PLACES_ALOFT if NOUNS[noun].home == "air" else PLACES
    where = PLACES_OF_FISH[0] if noun == "fish" else places[background][0]
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun} {where}"
