"""The commands: a plain table from name to settings and the function that does the work.

Reads   the command line
Writes  results to stdout, talk to stderr; exit code 2 and one sentence for bad input
"""

import errno
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import tyro

from tellapart import __version__, config
from tellapart.errors import UserError

COMMANDS: dict[str, tuple[type, str]] = {
    "demo": (config.Demo, "tellapart.apps.demo:demo"),
    "scenes": (config.Scenes, "tellapart.pipeline.scenes:make_scenes"),
    "inspect": (config.Inspect, "tellapart.apps.inspect:inspect"),
    "vocabulary": (config.Words, "tellapart.pipeline.vocabulary:make_vocabulary"),
    "features": (config.Features, "tellapart.pipeline.features:make_features"),
    "train-retriever": (config.TrainRetriever, "tellapart.pipeline.retriever:make_retriever"),
    "search": (config.Search, "tellapart.apps.search:search"),
    "evaluate": (config.Evaluate, "tellapart.apps.evaluate:evaluate"),
}
"""Each command's settings, and where the function is that takes them. It is imported when it is
called: `tellapart --help` must answer at once, and torch takes seconds."""

LARGEST_PICTURE = 300_000_000
"""Pixels. The largest camera phones make 200 million; Pillow on its own stops at 179."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, 2 for bad input, 130 for Ctrl-C."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    _prepare_streams()
    _prepare_threads()
    if arguments == ["--version"]:
        print(f"tellapart {__version__}")
        return 0
    settings = tyro.extras.subcommand_cli_from_dict(
        {name: settings for name, (settings, _) in COMMANDS.items()},
        prog="tellapart",
        description="Captions that tell pictures apart.",
        args=arguments or ["--help"],
        config=(tyro.conf.FlagCreatePairsOff,),
    )
    place = next(place for kind, place in COMMANDS.values() if kind is type(settings))
    _prepare_pictures()
    try:
        find_function(place)(settings)
    except UserError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        _complain("stopped.")
        return 130
    except BrokenPipeError:
        return 0  # the reader of our output has seen enough
    except MemoryError:
        return _complain("the memory of this machine does not suffice; try smaller settings.")
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return _complain("the disk is full; make room and run the same command again.")
        return _complain(f"{error.filename or 'a file'}: {error.strerror or error}.")
    return 0


def find_function(place: str) -> Callable[[Any], object]:
    """`package.module:function` → the function."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _prepare_streams() -> None:
    """Never fail on a file name that the terminal cannot spell."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]


def _prepare_threads() -> None:
    """Let idle threads sleep soon: spinning ones stall torch whenever another program is busy.

    OpenMP reads this when torch is first imported, so it must be said before that.
    """
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")


def _prepare_pictures() -> None:
    """Let Pillow open large photographs, and grumble about no odd ones: ours is the last word."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = LARGEST_PICTURE // 2  # Pillow refuses from twice that on
    warnings.filterwarnings("ignore", module="PIL")


def _complain(sentence: str) -> int:
    print(f"tellapart: {sentence}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
