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
    "evaluate": (config.Evaluate, _evaluate),
}

OUT_OF_OUR_HANDS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM}


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
    run = next(run for kind, run in COMMANDS.values() if kind is type(settings))
    try:
        run(settings)
    except UserError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        _complain("stopped; what is finished is kept, and the same command goes on from there.")
        return 130
    except BrokenPipeError:
        return 0  # the reader of our output has seen enough
    except OSError as error:
        if error.errno not in OUT_OF_OUR_HANDS:
            raise
        return _complain(f"{error.filename or 'The output'}: {error.strerror}.")
    return 0


def _prepare_streams() -> None:
    """Never fail on a file name that the terminal cannot spell, nor show Pillow's grumbling."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]
    warnings.filterwarnings("ignore", module="PIL")


def _prepare_threads() -> None:
    """Let idle threads sleep soon: spinning ones stall torch whenever another program is busy.

    On two cores of which one is taken, encoding runs at 36 pictures/s instead of 21; on quiet ones
    it is as fast. OpenMP reads this when torch is first imported, so it must be said before that.
    """
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")


def _complain(sentence: str) -> int:
    print(f"tellapart: {sentence}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
