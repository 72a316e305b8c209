"""SPICE 1.0, by its own jar, for those who have what it needs.

Reads   captions and references as words; a folder with Stanford CoreNLP 3.6.0 and its models
Writes  one score per caption and their mean
Paper   Sec. 4.1; Anderson et al. 2016

SPICE parses sentences with CoreNLP, 400 megabytes that no package carries and that we never
download. Without it, `CannotRun` says exactly what to get.

One departure from the COCO evaluation: SPICE may give NaN for a caption in which it finds nothing
to compare. Such captions are left out of the mean here; there, one of them makes the mean NaN.
"""

import json
import os
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from tellapart.metrics.java import CannotRun, ask_version, find_jar, find_java, run_to_its_end
from tellapart.metrics.ngrams import CorpusScore, Words, require_references

CORENLP_JARS = ("stanford-corenlp-3.6.0.jar", "stanford-corenlp-3.6.0-models.jar")
CORENLP_VARIABLE = "TELLAPART_CORENLP"

OPENED = ("lang", "io", "math", "net", "text", "util", "util.concurrent", "util.concurrent.atomic")
"""Parts of Java that SPICE reaches into; since Java 16 they have to be opened to it by name."""

SECONDS_PER_START = 600.0
SECONDS_PER_CAPTION = 2.0
"""More than a slow machine needs: only a program that hangs is stopped."""


def spice(
    candidates: Sequence[Words],
    references: Sequence[Sequence[Words]],
    *,
    corenlp: Path | None = None,
) -> CorpusScore:
    """Score each candidate against its references; `CannotRun` says why that cannot be done."""
    require_references(candidates, references)
    java, classes = _find_all(corenlp)
    rows = [
        {"image_id": number, "test": " ".join(candidate), "refs": [" ".join(r) for r in refs]}
        for number, (candidate, refs) in enumerate(zip(candidates, references, strict=True))
    ]
    with tempfile.TemporaryDirectory() as folder:
        questions, answers = Path(folder) / "in.json", Path(folder) / "out.json"
        questions.write_text(json.dumps(rows), encoding="utf-8")
        flags = ["-Xmx8G", *_opening_flags(java), "-cp", classes]
        files = [str(questions), "-out", str(answers)]
        command = [java, *flags, "edu.anu.spice.SpiceScorer", *files, "-silent"]
        _run(command, patience=SECONDS_PER_START + SECONDS_PER_CAPTION * len(rows))
        return _read(answers, len(rows))


def _find_all(corenlp: Path | None) -> tuple[str, str]:
    """The Java and its class path; what is missing is named all at once."""
    found, missing = [], []
    for find in (find_java, _spice_classes, partial(_corenlp_classes, corenlp)):
        try:
            found.append(find())
        except CannotRun as reason:
            missing.append(str(reason))
    if missing:
        raise CannotRun("; and ".join(missing))
    java, *classes = found
    return java, os.pathsep.join(classes)


def _spice_classes() -> str:
    jar = find_jar("spice/spice-1.0.jar")
    return f"{jar}{os.pathsep}{jar.parent / 'lib' / '*'}"


def _corenlp_classes(folder: Path | None) -> str:
    folder = folder or Path(os.environ.get(CORENLP_VARIABLE, "no folder given"))
    jars = [folder / name for name in CORENLP_JARS]
    if not all(jar.exists() for jar in jars):
        raise CannotRun(
            "it needs Stanford CoreNLP 3.6.0: get stanford-corenlp-full-2015-12-09.zip from the "
            "CoreNLP release history, unpack it, and name the folder that holds "
            f"{' and '.join(CORENLP_JARS)} by --corenlp or in ${CORENLP_VARIABLE}"
        )
    return os.pathsep.join(map(str, jars))


def _opening_flags(java: str) -> list[str]:
    """Java 8 knows no modules and refuses the flags that newer ones need."""
    if ' "1.' in ask_version(java):
        return []
    return [
        flag for part in OPENED for flag in ("--add-opens", f"java.base/java.{part}=ALL-UNNAMED")
    ]


def _run(command: Sequence[str], *, patience: float) -> None:
    try:
        run_to_its_end(command, patience=patience)
    except CannotRun as reason:
        raise CannotRun(f"{reason}; Java 8 runs it best") from None


def _read(answers: Path, count: int) -> CorpusScore:
    try:
        rows = json.loads(answers.read_text(encoding="utf-8"))
        scores = {row["image_id"]: float(row["scores"]["All"]["f"]) for row in rows}
        per_caption = np.array([scores[number] for number in range(count)])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CannotRun(f"its answer cannot be read: {error}") from None
    if not np.isfinite(per_caption).any():
        raise CannotRun("it gave no caption a score")
    return CorpusScore(corpus=float(np.nanmean(per_caption)), per_caption=per_caption)
