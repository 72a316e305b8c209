"""Programs in Java, for the two metrics that exist in no other language.

Reads   which Java is there
Writes  a running program that never blocks on a full pipe and never outlives us

Nothing here raises for want of Java: a metric that cannot run says so with `CannotRun`, whose text
tells what to install, and the other metrics go on.
"""

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

PATIENCE = 180.0
"""Seconds to wait for one answer, start-up included, before a program counts as hung."""


class CannotRun(Exception):  # noqa: N818 - it is an answer, not an error
    """Why a metric cannot be computed here, and what to do about it."""


def find_java() -> str:
    """The Java to use: that of JAVA_HOME, or else the one on the path."""
    home = os.environ.get("JAVA_HOME")
    candidates = [str(Path(home) / "bin" / "java")] if home else []
    for candidate in [*candidates, "java"]:
        if (java := shutil.which(candidate)) and _answers(java):
            return java
    raise CannotRun("there is no Java; install a Java runtime, 8 or newer, or set JAVA_HOME")


def _answers(java: str) -> bool:
    """Whether it runs: some systems have a `java` that only says where to buy one."""
    try:
        said = subprocess.run([java, "-version"], capture_output=True, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return said.returncode == 0


def find_jar(path_in_package: str) -> Path:
    """A jar that comes with the pycocoevalcap package."""
    package = find_spec("pycocoevalcap")
    folders = package.submodule_search_locations if package else None
    jar = Path(folders[0]) / path_in_package if folders else None
    if jar is None or not jar.exists():
        raise CannotRun("its jar is missing; install tellapart[eval]")
    return jar


class LineProgram:
    """A program that answers each line with a line. Use it as a context manager."""

    def __init__(self, command: Sequence[str], *, folder: Path) -> None:
        # Errors go to a file: unlike a pipe it never fills up, and it can be read afterwards.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in __exit__
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="utf-8",
        )

    def __enter__(self) -> "LineProgram":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        with suppress(OSError):  # what was left in the pipe is gone with the program
            self._process.communicate()
        self._errors.close()

    def tell(self, line: str) -> None:
        """Send one line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            raise CannotRun(f"it stopped: {self._last_words()}") from None

    def hear(self) -> str:
        """Wait for one line; a program that says nothing for too long is stopped."""
        assert self._process.stdout is not None
        watchdog = threading.Timer(PATIENCE, self._process.kill)
        watchdog.start()
        try:
            line = self._process.stdout.readline()
        finally:
            watchdog.cancel()
        if not line.endswith("\n"):
            raise CannotRun(f"it stopped: {self._last_words()}")
        return line.strip()

    def _last_words(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"exit code {self._process.returncode}, without a word"
