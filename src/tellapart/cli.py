"""The commands: a plain table from name to settings and the function that does the work.

Reads   the command line
Writes  results to stdout, talk to stderr; exit code 2 and one sentence for bad input
"""

import errno
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import tyro

from tellapart import __version__, config
from tellapart.errors import UserError


def _inspect(settings: config.Inspect) -> None:
    from tellapart.apps.inspect import inspect

    inspect(settings)


def _features(settings: config.Features) -> None:
    from tellapart.pipeline.features import make_features

    make_features(settings)


def _vocabulary(settings: config.Words) -> None:
    from tellapart.pipeline.vocabulary import make_vocabulary

    make_vocabulary(settings)


def _scenes(settings: config.Scenes) -> None:
    from tellapart.pipeline.scenes import make_scenes

    make_scenes(settings)


def _train_retriever(settings: config.TrainRetriever) -> None:
    from tellapart.pipeline.retriever import make_retriever

    make_retriever(settings)


def _search(settings: config.Search) -> None:
    from tellapart.apps.search import search

    search(settings)


def _evaluate(settings: config.Evaluate) -> None:
    from tellapart.apps.evaluate import evaluate

    evaluate(settings)


def _demo(settings: config.Demo) -> None:
    from tellapart.apps.demo import demo

    demo(settings)


# Each function imports what it needs when it is called: `tellapart --help` must answer at once.
COMMANDS: dict[str, tuple[type, Callable[[Any], None]]] = {
    "demo": (config.Demo, _demo),
    "scenes": (config.Scenes, _scenes),
    "inspect": (config.Inspect, _inspect),
    "vocabulary": (config.Words, _vocabulary),
    "features": (config.Features, _features),
    "train-retriever": (config.TrainRetriever, _train_retriever),
    "search": (config.Search, _search),
    "evaluate": (config.Evaluate, _evaluate),
}

LARGEST_PICTURE = 300_000_000
"""Pixels. The largest camera phones make 200 million; Pillow on its own stops at 179."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, 2 for bad input, 130 for Ctrl-C."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    _prepare_streams()
    _prepare_threads()
    _prepare_pictures()
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
    run = next(run for kind, run in COMMANDS.values() if kind is type(settings))
    try:
        run(settings)
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
