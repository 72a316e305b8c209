"""METEOR 1.5, by its own jar in managed processes.

Reads   captions and references as words
Writes  one score per caption and the corpus score, as the COCO evaluation reports it
Paper   Sec. 4.1; Denkowski and Lavie 2014
"""

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from tellapart.metrics.java import CannotRun, LineProgram, find_jar, find_java
from tellapart.metrics.ngrams import CorpusScore, Words, require_references

CAPTIONS_PER_PROCESS = 1000
"""Starting the jar takes seconds and a gigabyte: for fewer captions another one never pays."""


def meteor(
    candidates: Sequence[Words],
    references: Sequence[Sequence[Words]],
    *,
    processes: int | None = None,
) -> CorpusScore:
    """Score each candidate against its references; `CannotRun` says why that cannot be done."""
    require_references(candidates, references)
    rows = list(zip(candidates, references, strict=True))
    most = processes or min(os.cpu_count() or 1, -(-len(rows) // CAPTIONS_PER_PROCESS), 8)
    parts = [rows[start::most] for start in range(most)]
    statistics = [""] * len(rows)
    java, jar = find_java(), find_jar("meteor/meteor-1.5.jar")
    # In this order an error ends the programs first, and so nobody waits for their answers.
    with ThreadPoolExecutor(most) as pool, ExitStack() as started:
        programs = [started.enter_context(_start(java, jar)) for _ in parts]
        for start, part in enumerate(pool.map(_compare, programs, parts)):
            statistics[start::most] = part
        return _evaluate(programs[0], statistics)


def _start(java: str, jar: Path) -> LineProgram:
    command = [java, "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(jar)]
    return LineProgram([*command, "-", "-", "-stdio", "-l", "en", "-norm"], folder=jar.parent)


def _compare(program: LineProgram, rows: Sequence[tuple[Words, Sequence[Words]]]) -> list[str]:
    """Matches and lengths of each caption; they do not depend on each other, so processes share."""
    found = []
    for candidate, references in rows:
        sentences = [" ".join(words).replace("|||", "") for words in (*references, candidate)]
        program.tell(" ||| ".join(["SCORE", *sentences]))
        found.append(program.hear())
    return found


def _evaluate(program: LineProgram, statistics: Sequence[str]) -> CorpusScore:
    program.tell(" ||| ".join(["EVAL", *statistics]))
    *per_caption, corpus = [_number(program.hear()) for _ in range(len(statistics) + 1)]
    return CorpusScore(corpus=corpus, per_caption=np.array(per_caption))


def _number(answer: str) -> float:
    try:
        number = float(answer)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise CannotRun(f"its answer is not a number: {answer[:60]!r}")
    return number
