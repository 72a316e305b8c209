"""METEOR 1.5, by its own jar in managed processes.

Reads   captions and references as words
Writes  one score per caption and the corpus score, as the COCO evaluation reports it
Paper   Sec. 4.1; Denkowski and Lavie 2014
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tellapart.metrics.java import CannotRun, LineProgram, find_jar, find_java
from tellapart.metrics.ngrams import CorpusScore, Words

CAPTIONS_PER_PROCESS = 1000
"""Starting the jar takes seconds and a gigabyte: for fewer captions another one never pays."""


def meteor(
    candidates: Sequence[Words],
    references: Sequence[Sequence[Words]],
    *,
    processes: int | None = None,
) -> CorpusScore:
    """Score each candidate against its references; `CannotRun` says why that cannot be done."""
    rows = list(zip(candidates, references, strict=True))
    most = processes or min(os.cpu_count() or 1, -(-len(rows) // CAPTIONS_PER_PROCESS), 8)
    parts = [rows[start::most] for start in range(most)]
    command = _command()
    with ThreadPoolExecutor(most) as pool:
        statistics_of_parts = list(pool.map(lambda part: _statistics(part, command), parts))
    statistics = [""] * len(rows)
    for start, part in enumerate(statistics_of_parts):
        statistics[start::most] = part
    return _evaluate(statistics, command)


def _command() -> list[str]:
    jar = find_jar("meteor/meteor-1.5.jar")
    java = [find_java(), "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(jar)]
    return [*java, "-", "-", "-stdio", "-l", "en", "-norm"]


def _statistics(rows: Sequence[tuple[Words, Sequence[Words]]], command: list[str]) -> list[str]:
    """Matches and lengths of each caption; they do not depend on each other, so processes share."""
    with LineProgram(command, folder=find_jar("meteor")) as program:
        found = []
        for candidate, references in rows:
            sentences = [" ".join(words).replace("|||", "") for words in (*references, candidate)]
            program.tell(" ||| ".join(["SCORE", *sentences]))
            found.append(program.hear())
        return found


def _evaluate(statistics: Sequence[str], command: list[str]) -> CorpusScore:
    with LineProgram(command, folder=find_jar("meteor")) as program:
        program.tell(" ||| ".join(["EVAL", *statistics]))
        try:
            per_caption = np.array([float(program.hear()) for _ in statistics])
            return CorpusScore(corpus=float(program.hear()), per_caption=per_caption)
        except ValueError as error:
            raise CannotRun(f"its answer is not a number: {error}") from None
