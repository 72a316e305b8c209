"""What one rule of the Penn Treebank tokeniser is, and how its match is written as a token.

Reads   nothing
Writes  `Rule`, of which the rule books are made: words.py, signs.py and compounds.py
Paper   Sec. 4.1: the metrics that the paper reports see captions through this tokeniser
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

NO_BREAK_SPACE = "\xa0"
SOFT_HYPHEN = "\xad"
SPACE = " \t\xa0\u2000-\u200a\u3000"
APOSTROPHE = "(?:['\x92\u2019]|(?i:&apos;))"
ANY_APOSTROPHE = "(?:['`\x91\x92\u2018\u2019\u201b]|(?i:&apos;))"

SINGLE_QUOTES = {**dict.fromkeys("\x91‘‛‹", "`"), **dict.fromkeys("\x92’›", "'")}
DOUBLE_QUOTES = {**dict.fromkeys("\x93“«", "``"), **dict.fromkeys("\x94”»", "''")}
STRAIGHT_QUOTES = str.maketrans(SINGLE_QUOTES | DOUBLE_QUOTES)


def keep(text: str) -> str:
    """Write the token as it stands."""
    return text


def drop(_: str) -> str:
    """Write punctuation that the evaluation removes: which sign it was does not matter."""
    return "."


def skip(_: str) -> str:
    """Write nothing: this is not a token at all."""
    return ""


def join_syllables(text: str) -> str:
    """Remove soft hyphens; one that stands alone is a hyphen."""
    return text.replace(SOFT_HYPHEN, "") or "-"


def straighten_quotes(text: str) -> str:
    """Write curly quotation marks and apostrophes as ` and ', double ones as `` and ''."""
    return text.replace("&quot;", "''").replace("&apos;", "'").translate(STRAIGHT_QUOTES)


def write_ampersand(text: str) -> str:
    """Write &amp; as &."""
    return re.sub("&amp;", "&", text, flags=re.IGNORECASE)


def glue(text: str) -> str:
    """Keep a token with spaces in one piece: the spaces become no-break spaces."""
    return text.replace(" ", NO_BREAK_SPACE)


def write_brackets(text: str) -> str:
    """Write ( and ) as the Treebank does. Lower case, they escape the evaluation's filter."""
    return text.replace("(", "-LRB-").replace(")", "-RRB-")


def always(token: str) -> Callable[[str], str]:
    """Write this token whatever the text was."""
    return lambda _: token


@dataclass(frozen=True)
class Rule:
    """A kind of token: at each place in a caption, the rule with the longest match wins."""

    token: str
    """Regular expression of the token itself."""

    ahead: str = ""
    """Regular expression of what must follow; it counts for the length but is read again."""

    write: Callable[[str], str] = keep
    """How the matched text is written."""
