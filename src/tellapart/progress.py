"""Progress bars with a rate and the time left; silent when nobody is watching.

Talk goes to stderr, so that stdout stays clean for machines.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

Advance = Callable[[int], None]
"""Tell the bar that so many more are done."""


def say(sentence: str, *, quiet: bool = False) -> None:
    """Tell whoever is there what was done, on stderr."""
    if not quiet:
        print(sentence, file=sys.stderr)


def counted(count: int, noun: str) -> str:
    """`1 picture`, `2,000 pictures`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


class RateColumn(ProgressColumn):
    """How many per second, over the last moments."""

    def render(self, task: Task) -> Text:
        """Draw the rate, or a dash while it is unknown."""
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.1f}/s" if speed else "–/s", style="progress.data.speed")


@contextmanager
def progress_bar(
    title: str, total: int, *, done: int = 0, quiet: bool = False
) -> Iterator[Advance]:
    """Show a bar on stderr while the block runs; `done` of `total` were finished before."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    watched = console.is_terminal and not quiet
    with Progress(*columns, console=console, disable=not watched) as bar:
        task = bar.add_task(title, total=total, completed=done)
        yield lambda count: bar.advance(task, count)
