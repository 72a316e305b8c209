"""SPICE 1.0, by its own jar, for those who have what it needs.

Reads   captions and references as words; a folder with Stanford CoreNLP 3.6.0 and its models
Writes  one score per caption and their mean
Paper   Sec. 4.1; Anderson et al. 2016

SPICE parses sentences with CoreNLP, 400 megabytes that no package carries and that we never
download. Without it, `CannotRun` says exactly what to get.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tellapart.metrics.java import CannotRun, find_jar, find_java
from tellapart.metrics.ngrams import CorpusScore, Words

CORENLP_JARS = ("stanford-corenlp-3.6.0.jar", "stanford-corenlp-3.6.0-models.jar")
CORENLP_VARIABLE = "TELLAPART_CORENLP"

OPENED = ("lang", "io", "math", "net", "text", "util", "util.concurrent", "util.concurrent.atomic")
"""Parts of Java that SPICE reaches into; since Java 16 they have to be opened to it by name."""


def spice(
    candidates: Sequence[Words],
    references: Sequence[Sequence[Words]],
    *,
    corenlp: Path | None = None,
) -> CorpusScore:
    """Score each candidate against its references; `CannotRun` says why that cannot be done."""
    jars = [find_jar("spice/spice-1.0.jar"), find_jar("spice/lib") / "*", *_corenlp_jars(corenlp)]
    java = find_java()
    rows = [
        {"image_id": number, "test": " ".join(candidate), "refs": [" ".join(r) for r in refs]}
        for number, (candidate, refs) in enumerate(zip(candidates, references, strict=True))
    ]
    with tempfile.TemporaryDirectory() as folder:
        questions, answers = Path(folder) / "in.json", Path(folder) / "out.json"
        questions.write_text(json.dumps(rows), encoding="utf-8")
        classes = os.pathsep.join(map(str, jars))
        command = [
            java,
            "-Xmx8G",
            *_opening_flags(java),
            "-cp",
            classes,
            "edu.anu.spice.SpiceScorer",
        ]
        _run([*command, str(questions), "-out", str(answers), "-silent"])
        return _read(answers, len(rows))


def _corenlp_jars(folder: Path | None) -> list[Path]:
    folder = folder or Path(os.environ.get(CORENLP_VARIABLE, "no folder given"))
    jars = [folder / name for name in CORENLP_JARS]
    if not all(jar.exists() for jar in jars):
        raise CannotRun(
            "it needs Stanford CoreNLP 3.6.0: get stanford-corenlp-full-2015-12-09.zip from the "
            "CoreNLP release history, unpack it, and name the folder that holds "
            f"{' and '.join(CORENLP_JARS)} by --corenlp or in ${CORENLP_VARIABLE}"
        )
    return jars


def _opening_flags(java: str) -> list[str]:
    """Java 8 knows no modules and refuses the flags that newer ones need."""
    said = subprocess.run([java, "-version"], capture_output=True, text=True).stderr
    if ' "1.' in said:
        return []
    return [
        flag for part in OPENED for flag in ("--add-opens", f"java.base/java.{part}=ALL-UNNAMED")
    ]


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        reason = lines[0] if lines else f"exit code {done.returncode}"
        raise CannotRun(f"it stopped: {reason}; Java 8 runs it best")


def _read(answers: Path, count: int) -> CorpusScore:
    try:
        rows = json.loads(answers.read_text(encoding="utf-8"))
        scores = {row["image_id"]: float(row["scores"]["All"]["f"]) for row in rows}
        per_caption = np.array([scores[number] for number in range(count)])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CannotRun(f"its answer cannot be read: {error}") from None
    return CorpusScore(corpus=float(np.nanmean(per_caption)), per_caption=per_caption)
