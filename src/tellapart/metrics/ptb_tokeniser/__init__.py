"""Captions to words, exactly as the COCO evaluation does it, without its Java.

Reads   captions
Writes  lists of lower-case words, punctuation removed, for every text metric
Paper   Sec. 4.1: BLEU, METEOR, ROUGE-L, CIDEr and SPICE are computed on these words

The COCO evaluation runs Stanford's Penn Treebank tokeniser (CoreNLP 3.4.1, `-preserveLines
-lowerCase`) and removes a list of punctuation. That tokeniser is a lexer: at each place the rule
with the longest match wins, and the first of those on a tie. So is this one. The oracle in
tests/metrics holds the two together, on real captions and on hard cases.

The original reads a file with a caption per line, and looks over the end of the line: a letter and
a stop ("plan b.") is one token, unless the next caption begins with "The" or the like, and "no."
is one if the next begins with a digit. `tokenise_all` does the same, but looks no further than the
next caption. Two more departures: the line breaks that put the original out of step (carriage
return, form feed, U+2028 ...) are spaces here, as the line feed is; and a capital sigma beside a
hyphen, an underscore or a digit may become the other small sigma.
"""

import re
from array import array
from collections.abc import Callable, Iterator, Sequence

from tellapart.metrics.ptb_tokeniser.compounds import COMPOUND_RULES, IRREGULAR_WORDS
from tellapart.metrics.ptb_tokeniser.rule import SPACE, skip
from tellapart.metrics.ptb_tokeniser.signs import SIGN_RULES
from tellapart.metrics.ptb_tokeniser.words import WORD_RULES

# What the evaluation removes. It looks for "-LRB-" in lower-case text, so brackets stay in.
PUNCTUATION = frozenset(["", "''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"])
LINE_BREAKS = str.maketrans(dict.fromkeys("\n\r\x0b\x0c\u2028\u2029", " "))
RULES = tuple(
    (re.compile(f"({rule.token})(?:{rule.ahead})", re.ASCII).match, rule.write)
    for rule in WORD_RULES + SIGN_RULES + COMPOUND_RULES
)

# Where only one rule can match: spaces, a word before a space, a comma or stop at its end.
EASY = re.compile(
    r"[A-Za-z]+(?=,?(?:[ \n]|\Z))|[A-Za-z]{2,}(?=\.(?:[ \n]|\Z))"
    rf"| [{SPACE}]*|,(?= )|\.(?=\n|\Z)"
)


def tokenise(caption: str, following: str | None = None) -> list[str]:
    """Split a caption into the words that the COCO evaluation would see.

    `following` is the caption on the next line of the file that the evaluation writes, if any.
    """
    words = _split_plain_caption(caption)
    if words:
        return words
    text = line = _to_code_units(caption)
    if following is not None:
        text = f"{line}\n{_to_code_units(following)}\n"
    tokens = _scan(text, end=len(line))
    output = " ".join(_from_code_units(token).lower() for token in tokens if token)
    # A link may end in a rare space, which the evaluation takes for the end of the line.
    return [word for word in output.rstrip().split(" ") if word not in PUNCTUATION]


def tokenise_all(captions: Sequence[str]) -> list[list[str]]:
    """Split captions as if they were the lines of one file, which the evaluation makes of them."""
    following = [*captions[1:], None]  # one too long where there are no captions at all
    return [tokenise(*pair) for pair in zip(captions, following, strict=False)]


def _split_plain_caption(caption: str) -> list[str]:
    """Split the 19 captions in 20 that are words, spaces, commas and a stop; else give none."""
    words = caption.lower().rstrip().removesuffix(".").replace(", ", " ").split()
    letters = "".join(words)
    plain = letters.isalpha() and caption.isascii() and len(words[-1]) > 1
    return words if plain and IRREGULAR_WORDS.isdisjoint(words) else []


def _scan(text: str, *, end: int) -> Iterator[str]:
    """Give the tokens before `end` in order, case and punctuation kept."""
    place = 0
    while place < end:
        easy = EASY.match(text, place)
        if easy and easy[0].lower() not in IRREGULAR_WORDS:
            yield easy[0].strip()
            place = easy.end()
        else:
            token, write = _longest_match(text, place)
            yield write(token)
            place += len(token)


def _longest_match(text: str, place: int) -> tuple[str, Callable[[str], str]]:
    """Try all rules here; what a rule sees ahead counts for its length, but is not consumed.

    A character that no rule knows is dropped: spaces, controls, emoji.
    """
    token, writer, longest = text[place], skip, place
    for match, write in RULES:
        found = match(text, place)
        if found and found.end() > longest:
            token, writer, longest = found[1], write, found.end()
    return token, writer


def _to_code_units(caption: str) -> str:
    """Make one line of it, and two surrogates of a character above U+FFFF: so Java sees it."""
    line = caption.translate(LINE_BREAKS)
    if line.isascii():
        return line
    _, *units = array("H", line.encode("utf-16", "surrogatepass"))  # the byte order mark is first
    return "".join(map(chr, units))


def _from_code_units(token: str) -> str:
    return token.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
