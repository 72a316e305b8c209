"""`tellapart inspect`: what a data set holds, before anything is computed on it.

Reads   any data set
Writes  tables, or JSON, to stdout
"""

import json
from collections import Counter
from dataclasses import asdict

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tellapart.config import Inspect
from tellapart.data.summary import SplitSummary, Summary, WordSummary, summarise
from tellapart.errors import UserError
from tellapart.pipeline.source import read_source
from tellapart.progress import counted, progress_bar

SHOWN_UNREADABLE = 10


def inspect(settings: Inspect) -> None:
    """Read the data set, count, and print."""
    if settings.min_count < 1 or settings.max_words < 1:
        raise UserError("--min-count and --max-words must be at least 1.")
    dataset = read_source(settings.source)
    total = len(dataset) if settings.open_pictures else 0
    with progress_bar("opening pictures", total, quiet=settings.common.quiet) as advance:
        summary = summarise(
            dataset,
            min_count=settings.min_count,
            max_words=settings.max_words,
            open_pictures=settings.open_pictures,
            advance=advance,
        )
    if settings.json:
        print(json.dumps(asdict(summary), indent=2))
    else:
        show(summary, settings, Console())


def show(summary: Summary, settings: Inspect, console: Console) -> None:
    """Print the summary as people read it; file names are never broken over lines."""
    console.print(_splits_table(summary))
    if summary.words:
        console.print(_words_table(summary.words, settings))
    console.print(_pictures_text(summary), soft_wrap=True)


def _splits_table(summary: Summary) -> Table:
    table = Table("split", title="Pictures and captions", title_justify="left")
    for column in ("pictures", "labelled", "unlabelled", "captions"):
        table.add_column(column, justify="right")

    def add(name: str, split: SplitSummary) -> None:
        table.add_row(name, *(f"{count:,}" for count in asdict(split).values()))

    for name, split in summary.splits.items():
        add(name, split)
    table.add_section()
    add("all", summary.total)
    return table


def _words_table(words: WordSummary, settings: Inspect) -> Table:
    table = Table("", "", title="Words", title_justify="left", show_header=False)
    table.add_row(
        "vocabulary", f"{words.vocabulary:,} words seen {settings.min_count} times or more"
    )
    table.add_row("rarer words", f"{words.rarer:,}, which become UNK")
    coverage = ", ".join(f"{split} {share:.1%}" for split, share in words.coverage.items())
    table.add_row("running words known", coverage)
    length = f"{words.shortest} to {words.longest} words, {words.mean_length:.1f} on average"
    table.add_row("caption length", length)
    table.add_row("", _histogram(words.lengths))
    table.add_row("longer than the cut", f"{words.cut:,} captions are cut at {settings.max_words}")
    return table


def _histogram(lengths: dict[int, int], *, widest: int = 24) -> str:
    """A bar per caption length, 0 to `widest` words and above."""
    counts: Counter[int] = Counter()
    for length, count in lengths.items():
        counts[min(length, widest)] += count
    highest = max(counts.values())
    bars = "".join(" ▁▂▃▄▅▆▇█"[-(-8 * counts[length] // highest)] for length in range(widest + 1))
    return f"0 {bars} {widest}+"


def _pictures_text(summary: Summary) -> str:
    if not summary.opened:
        return "Pictures were not opened."
    if not summary.unreadable:
        return "Every picture can be read."
    shown = list(summary.unreadable.items())[:SHOWN_UNREADABLE]
    lines = [f"[red]{counted(len(summary.unreadable), 'picture')} cannot be read[/]"]
    lines += [f"  {escape(_on_one_line(path))}: {escape(reason)}" for path, reason in shown]
    if len(summary.unreadable) > len(shown):
        lines.append(
            f"  … and {len(summary.unreadable) - len(shown):,} more; --json lists them all"
        )
    return "\n".join(lines)


def _on_one_line(path: str) -> str:
    return json.dumps(path, ensure_ascii=False)[1:-1]
