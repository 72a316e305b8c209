"""Generated scenes on disk: a small captioned data set that needs no download.

Reads   nothing but its settings
Writes  images/*.jpg · dataset.json (Karpathy's format) · scenes.json (what truth.py needs)
        · contact-sheet.png · settings.json, which is unfinished.json until all the rest is there
Paper   Sec. 4: labelled and unlabelled training pictures, validation and test pictures

A picture depends on the seed, its part and its number alone, so a larger part begins with the
pictures of a smaller one. Which scenes are training, validation or test scenes is decided by
their description, so none is seen in training and met again in a test.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import count as count_up
from pathlib import Path
from random import Random
from typing import Any

from tellapart.artefacts import hold_folder, read_json, write_json
from tellapart.data.scenes.contact_sheet import draw_contact_sheet
from tellapart.data.scenes.drawing import draw_scene
from tellapart.data.scenes.folder import (
    FINISHED,
    SPLITS,
    UNFINISHED,
    Settings,
    check,
    clear,
    is_complete,
    name_picture,
)
from tellapart.data.scenes.sampling import sample_scene
from tellapart.data.scenes.wording import write_captions
from tellapart.data.scenes.world import Scene

EXAM_PARTS = ("val", "test")
JPEG_QUALITY = 90
WORKERS = 2


@dataclass(frozen=True)
class Example:
    """A scene with its place in the data set and its captions; none if it is unlabelled."""

    filename: str
    split: str
    scene: Scene
    captions: tuple[str, ...]


def generate_scenes(
    folder: Path,
    *,
    labelled: int = 1200,
    unlabelled: int = 1200,
    val: int = 200,
    test: int = 300,
    size: int = 224,
    seed: int = 0,
    advance: Callable[[int], None] = lambda _: None,
) -> None:
    """Generate the data set, unless the folder holds it already.

    `advance` is told of every picture drawn; there are labelled + unlabelled + val + test.
    """
    settings = Settings(labelled, unlabelled, val, test, size, seed)
    check(folder, settings)
    with hold_folder(folder):
        if is_complete(folder, settings):
            advance(sum(settings.counts.values()))
            return
        clear(folder)
        write_json(folder / UNFINISHED, asdict(settings))
        write_products(folder, settings, advance)
        (folder / UNFINISHED).replace(folder / FINISHED)


def write_products(folder: Path, settings: Settings, advance: Callable[[int], None]) -> None:
    """Draw the pictures, and write what is known of them beside them."""
    examples = [
        example
        for part, count in settings.counts.items()
        for example in compose(part, count, settings.seed)
    ]
    (folder / "images").mkdir(exist_ok=True)
    draw_examples(examples, folder / "images", settings.size, advance)
    write_json(folder / "dataset.json", to_karpathy(examples))
    scenes = {example.filename: example.scene.to_json() for example in examples}
    write_json(folder / "scenes.json", scenes)
    sheet = draw_contact_sheet(example.scene for example in examples if example.captions)
    sheet.save(folder / "contact-sheet.png")


def read_scenes(folder: Path) -> dict[str, Scene]:
    """The scene of every picture of a generated folder, by file name."""
    scenes = read_json(folder / "scenes.json")
    return {filename: Scene.from_json(scene) for filename, scene in scenes.items()}


def compose(part: str, count: int, seed: int) -> Iterator[Example]:
    """The examples of one part, in order."""
    for number, scene in enumerate(sample_part(part, count, seed)):
        captions = write_captions(scene, Random(f"{seed}/{part}/{number}/captions"))
        shown = () if part == "unlabelled" else captions
        yield Example(name_picture(part, number), SPLITS[part], scene, shown)


def sample_part(part: str, count: int, seed: int) -> Iterator[Scene]:
    """Scenes of one part; in the parts that examine a model no two have the same description."""
    seen: set[str] = set()
    for number in range(count):
        drawn = (sample_scene(Random(f"{seed}/{part}/{number}/{go}")) for go in count_up())
        scene = next(scene for scene in drawn if is_eligible(scene, part, seen))
        if part in EXAM_PARTS:
            seen.add(scene.describe())
        yield scene


def is_eligible(scene: Scene, part: str, seen: set[str]) -> bool:
    """Whether the scene belongs to the part's split and is not there yet."""
    description = scene.describe()
    return split_of(description) == SPLITS[part] and description not in seen


def split_of(description: str) -> str:
    """To which split a scene belongs: a quarter are test scenes, an eighth validation scenes."""
    lot = hashlib.sha256(description.encode()).digest()[0]
    if lot < 64:
        return "test"
    return "val" if lot < 96 else "train"


def draw_examples(
    examples: list[Example], folder: Path, size: int, advance: Callable[[int], None]
) -> None:
    """Draw and save all pictures; Pillow lets threads work side by side for much of it."""

    def draw(example: Example) -> None:
        picture = draw_scene(example.scene, size=size)
        picture.save(folder / example.filename, quality=JPEG_QUALITY)

    with ThreadPoolExecutor(WORKERS) as pool:
        for _ in pool.map(draw, examples):
            advance(1)


def to_karpathy(examples: list[Example]) -> dict[str, Any]:
    """The data set in the format of Karpathy's splits."""
    sentence_ids = count_up()
    images = [
        {
            "filename": example.filename,
            "imgid": number,
            "split": example.split,
            "sentences": [
                {"raw": caption, "tokens": tokenise(caption), "sentid": next(sentence_ids)}
                for caption in example.captions
            ],
        }
        for number, example in enumerate(examples)
    ]
    return {"dataset": "scenes", "images": images}


def tokenise(caption: str) -> list[str]:
    """Lower-case words without punctuation, as in Karpathy's files."""
    return re.findall(r"\w+", caption.lower())
