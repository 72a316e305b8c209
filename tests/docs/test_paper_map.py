"""docs/paper.md stays true: what it names exists, and nothing planned is there already."""

import importlib
import importlib.util
import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]


class Row(NamedTuple):
    """One line of a table in docs/paper.md."""

    place: str
    what: str
    function: str
    test: str
    deviation: str


def rows() -> list[Row]:
    lines = (ROOT / "docs" / "paper.md").read_text().splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    return [Row(*row) for row in cells if re.match(r"[\d.]+$", row[0])]


def resolve(name: str) -> object:
    """`package.module:Class.method` → the thing itself."""
    module, _, path = name.partition(":")
    found: object = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def module_exists(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def test_all_thirteen_equations_have_a_row():
    assert {row.place for row in rows()} >= {str(number) for number in range(1, 14)}


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.place} {row.what}")
def test_a_row_names_what_exists(row):
    [name] = re.findall(r"`([^`]+)`", row.function)
    if row.function.startswith("planned"):
        assert not module_exists(name), f"{name} is there now: say which function and test"
        return
    assert resolve(name).__doc__
    [test] = re.findall(r"`([^`]+)`", row.test)
    path, _, function = test.partition("::")
    assert re.search(rf"^def {function}\(", (ROOT / path).read_text(), re.MULTILINE)
    assert row.deviation, "say what deviates, or 'none'"
