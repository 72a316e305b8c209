"""`tellapart demo`: what the project is about, on pictures it draws itself.

Reads   nothing
Writes  a run folder: scenes/ · vocabulary/ · features/; the problem the paper solves, to stdout
Paper   Sec. 1
"""

from collections import defaultdict
from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from tellapart.config import Data, Demo, Features, Scenes, Words
from tellapart.data.readers import read_dataset
from tellapart.data.records import Record
from tellapart.data.scenes import Scene, judge_caption, read_scenes
from tellapart.pipeline.features import make_features
from tellapart.pipeline.scenes import make_scenes
from tellapart.pipeline.vocabulary import make_vocabulary
from tellapart.progress import say

ENCODER, SIZE = "efficientnet-lite0", 128
"""Small enough for a laptop, sharp enough for drawn pictures."""


def demo(settings: Demo) -> None:
    """Run every stage there is and show what is hard about the data."""
    common = settings.common
    folder = make_scenes(Scenes(out=settings.out / "scenes", common=common))
    source = Data(data=(folder,))
    make_vocabulary(Words(source=source, out=settings.out / "vocabulary", common=common))
    features = Features(
        source=source,
        out=settings.out / "features",
        common=common,
        encoder=ENCODER,
        size=SIZE,
    )
    make_features(features)
    console = Console()
    labelled = [record for record in read_dataset([folder]).records if record.labelled]
    show_problem(labelled, read_scenes(folder), console)
    say(f"See it: {folder / 'contact-sheet.png'}", quiet=common.quiet)


def show_problem(records: list[Record], scenes: dict[str, Scene], console: Console) -> None:
    """How many pictures share a caption, and a group of them that only details tell apart."""
    groups = group_by_caption(records)
    caption, group = max(groups.items(), key=lambda item: len(item[1]))
    captions = [caption for record in records for caption in record.captions]
    shared = sum(len(groups[_plain(caption)]) > 1 for caption in captions)
    true = sum(
        judge_caption(caption, scenes[record.picture.name]).is_true
        for record in records
        for caption in record.captions
    )
    table = Table(title=f"“{caption}” fits {len(group)} pictures; what people also wrote of them")
    table.add_column("picture")
    table.add_column("longest caption")
    for record in group[:6]:
        table.add_row(record.picture.name, max(record.captions, key=len))
    console.print(table)
    console.print(
        f"{shared / len(captions):.0%} of {len(captions):,} captions were also written of another "
        f"picture; {true / len(captions):.0%} are true of their own."
    )


def group_by_caption(records: Iterable[Record]) -> dict[str, list[Record]]:
    """The pictures of which the same caption was written, but for case and full stop."""
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        for caption in dict.fromkeys(map(_plain, record.captions)):
            groups[caption].append(record)
    return groups


def _plain(caption: str) -> str:
    return caption.lower().rstrip(".")
