"""Programs in Java, for the two metrics that exist in no other language.

Reads   which Java is there
Writes  a running program that never blocks on a full pipe, hangs, or outlives us

What goes wrong here is always `CannotRun`, whose text tells what to install or what happened: the
metric is left out, and the others go on.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
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
        ask_version(java)
    except CannotRun:
        return False
    return True


def ask_version(java: str) -> str:
    """What a Java says of itself."""
    return run_to_its_end([java, "-version"], patience=PATIENCE)


def find_jar(path_in_package: str) -> Path:
    """A jar that comes with the pycocoevalcap package."""
    package = find_spec("pycocoevalcap")
    folders = package.submodule_search_locations if package else None
    jar = Path(folders[0]) / path_in_package if folders else None
    if jar is None or not jar.is_file():
        raise CannotRun("its jar is missing; install tellapart[eval]")
    return jar


def run_to_its_end(command: Sequence[str], *, patience: float) -> str:
    """Run a program and give its complaints, or else what it said; `CannotRun` if it fails."""
    with _start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            said, complaints = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            raise CannotRun(f"it was stopped after {patience:,.0f} seconds") from None
        finally:
            _kill_with_children(process)
    text = complaints.strip() or said.strip()
    if process.returncode:
        reason = text.splitlines()[0] if text else f"exit code {process.returncode}"
        raise CannotRun(f"it stopped: {reason}")
    return text


class LineProgram:
    """A program that answers each line with a line. Use it as a context manager."""

    def __init__(self, command: Sequence[str], *, folder: Path) -> None:
        # Errors go to a file: unlike a pipe it never fills up, and it can be read afterwards.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in __exit__
        try:
            self._process = _start(
                command,
                folder=folder,
                environment={**os.environ, "LC_ALL": "C"},  # a point in numbers, never a comma
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors.fileno(),
            )
        except CannotRun:
            self._errors.close()
            raise

    def __enter__(self) -> "LineProgram":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _kill_with_children(self._process)
        with suppress(OSError):  # what was left in the pipe is gone with the program
            self._process.communicate()
        self._errors.close()

    def tell(self, line: str) -> None:
        """Send one line; a program that does not listen for too long is stopped."""
        assert self._process.stdin is not None
        try:
            with self._patiently():
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
        except OSError:
            raise CannotRun(f"it stopped: {self._last_words()}") from None

    def hear(self) -> str:
        """Wait for one line; a program that says nothing for too long is stopped."""
        assert self._process.stdout is not None
        with self._patiently():
            line = self._process.stdout.readline()
        if not line.endswith("\n"):
            raise CannotRun(f"it stopped: {self._last_words()}")
        return line.strip()

    @contextmanager
    def _patiently(self) -> Iterator[None]:
        watchdog = threading.Timer(PATIENCE, _kill_with_children, [self._process])
        watchdog.start()
        try:
            yield
        finally:
            watchdog.cancel()

    def _last_words(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"exit code {self._process.returncode}, without a word"


def _start(
    command: Sequence[str],
    *,
    stdout: int,
    stderr: int,
    stdin: int = subprocess.DEVNULL,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> "subprocess.Popen[str]":
    """Start a program in a group of its own: `java` may be a script that starts the real one."""
    try:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise CannotRun(f"{command[0]} cannot be started: {error.strerror}") from None


def _kill_with_children(process: "subprocess.Popen[str]") -> None:
    if hasattr(os, "killpg"):  # Windows has no groups of processes
        with suppress(ProcessLookupError, PermissionError):  # it may have ended by itself
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
