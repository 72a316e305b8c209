"""Stage: nothing → a captioned data set of look-alike pictures.

Reads   only its settings
Writes  a folder of generated scenes (data/scenes)
"""

from pathlib import Path

from tellapart.config import Scenes
from tellapart.data.scenes import generate_scenes
from tellapart.progress import progress_bar, say


def make_scenes(settings: Scenes) -> Path:
    """Draw the pictures and write their captions, unless that was done before."""
    counts = (settings.labelled, settings.unlabelled, settings.val, settings.test)
    quiet = settings.common.quiet
    with progress_bar("drawing scenes", sum(counts), quiet=quiet) as advance:
        generate_scenes(
            settings.out,
            labelled=settings.labelled,
            unlabelled=settings.unlabelled,
            val=settings.val,
            test=settings.test,
            size=settings.size,
            seed=settings.common.seed,
            advance=advance,
        )
    sheet = settings.out / "contact-sheet.png"
    say(f"{sum(counts):,} pictures in {settings.out}; look at {sheet}.", quiet=quiet)
    return settings.out
