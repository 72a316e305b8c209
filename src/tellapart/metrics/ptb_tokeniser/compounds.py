"""The Penn Treebank tokeniser's rules for abbreviations and compounds.

Reads   the character classes of characters.py
Writes  `COMPOUND_RULES`, which go after all others on a tie, for ptb_tokeniser
Paper   Sec. 4.1: the metrics that the paper reports see captions through this tokeniser

The abbreviations were found by asking the tokeniser of the COCO evaluation about every word of up
to five letters with a full stop after it; the few longer ones by guessing.
"""

from tellapart.metrics.ptb_tokeniser.characters import DIGITS, LETTER_OR_DIGIT, WORD_PART
from tellapart.metrics.ptb_tokeniser.rule import (
    ANY_APOSTROPHE,
    APOSTROPHE,
    SOFT_HYPHEN,
    SPACE,
    Rule,
    join_syllables,
    write_ampersand,
)
from tellapart.metrics.ptb_tokeniser.signs import TAG
from tellapart.metrics.ptb_tokeniser.words import CONTRACTIONS, WORD

SPACE_OR_END = f"[{SPACE}\n\x85]"
CLAUSE_MARK = "[,;:\u3001]"

# Abbreviations that may end a sentence; a single letter after the stop does not join them.
CLOSING_ABBREVIATIONS = """
jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri
ala ariz calif colo conn ct dak fla ga ind kan kans ky md mich minn mo mont neb nev okla penn tenn
va vt wis wisc wyo al assn bancorp bhd bldg blvd bros co corp cos ed\\.d esq est etc ext inc intl
jr ltd ph\\.d plc rd rt seq sq sr sys tel univ
"""
# "Mass." and "La." are states, "mass." and "la." are words.
STATE_ABBREVIATIONS = "az ark del ill la mass miss ore pa tex wash"
# Titles and the like, which lead on: "Mr. Smith".
LEADING_ABBREVIATIONS = """
adj adm adv alex assoc asst atty attys ave brig capt cf cie cmdr col comdr cpl dept det dr drs elec
ens ft gen gov govs hon insp invt jos lieut lt maj messrs mlle mme mr mrs ms msgr mt natl pfc ph
pres prof profs pvt rep reps rev sen sens sfc sgt spc st ste supt supts treas vs wm
"""
# These two lists are not abbreviations in capitals: "PTY."
CLOSING_SMALL_ABBREVIATIONS = "pte ptes pty ptys ppte pptes ppty pptys"
LEADING_SMALL_ABBREVIATIONS = "mfg mtg"
# Abbreviations only before a number: "no. 5".
NUMBERED_ABBREVIATIONS = "art ca fig figs no nos op pp prop"
# Words that begin sentences. Before them the stop of a letter is a full stop: "plan b. The dog".
SENTENCE_STARTERS = """
a about according after an as at but earlier he her here however if in it last many more mr\\. ms\\.
now once one other our she since so some such that the their then there these they this we what
when while yet you
"""


def _any_case(words: str) -> str:
    return f"(?i:{'|'.join(words.split())})"


def _capitalised(words: str) -> str:
    return "|".join(f"{word[0].upper()}(?i:{word[1:]})" for word in words.split())


def _not_in_capitals(words: str) -> str:
    return "|".join(f"(?i:{word[0]}){word[1:]}" for word in words.split())


CLOSING = (
    rf"(?:{_any_case(CLOSING_ABBREVIATIONS)}|{_capitalised(STATE_ABBREVIATIONS)}"
    rf"|{_not_in_capitals(CLOSING_SMALL_ABBREVIATIONS)})\."
)
LEADING = (
    rf"(?:{_any_case(LEADING_ABBREVIATIONS)}|{_not_in_capitals(LEADING_SMALL_ABBREVIATIONS)})\."
)
INITIALS = r"[A-Za-z](?:\.[A-Za-z])*\."
NEW_SENTENCE = rf"{SPACE_OR_END}+(?:{_capitalised(SENTENCE_STARTERS)}|{TAG}){SPACE_OR_END}"

# T-shirt, d'Arc-like, 1,000-lb, U.S.-based, and/or, AT&T, report.pdf.
HYPHEN = "[-_\u058a\u2010\u2011]"
ELISION = f"(?:[dDoOlL]{ANY_APOSTROPHE}(?={LETTER_OR_DIGIT}{{2}}))?"
COMPOUND_PART = f"{ELISION}{LETTER_OR_DIGIT}+"
COMPOUND = f"{COMPOUND_PART}(?:{HYPHEN}{COMPOUND_PART})*"
HYPHENATED = (
    rf"[A-Za-z0-9][A-Za-z0-9.,{SOFT_HYPHEN}]*"
    rf"(?:-(?:[A-Za-z](?:\.[A-Za-z])+\.|[A-Za-z0-9{SOFT_HYPHEN}]+))+"
)
SLASH_PART = "[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}"
SLASHED = rf"{SLASH_PART}(?:\\?/{SLASH_PART}){{1,2}}"
AMPERSAND_NAME = "[A-Z]+(?:(?:(?i:&amp;)|[+&])[A-Z]+)+"
FILE_EXTENSION = (
    "(?i:bat|bmp|c|cgi|class|cpp|dll|docx?|exe|gif|gz|h|html?|jar|java|jpe?g|mov|mp3|pdf|php|pl"
    "|png|pptx?|ps|py|sql|tar|txt|wav|x|xml|zip)"
)
FILE_NAME = rf"{WORD_PART}+(?:\.{WORD_PART}+)*\.{FILE_EXTENSION}"
TREEBANK_WORD = (
    r"-(?i:[lr][rcs]b)-|(?i:c\.d\.s|pro-|anti-|s(?:&|&amp;)p-500|s(?:&|&amp;)ls)|[cC]\+\+|[cCfF]#"
)
U_S_RELATIONS = r"(?i:(?:canada|sino|korean|eu|japan|non)-u\.s|u\.s\.-(?:u\.k|u\.s\.s\.r))"

COMPOUND_RULES = (
    Rule(TREEBANK_WORD, write=write_ampersand),
    Rule(SLASHED),
    Rule(CLOSING, ahead="(?s:..)"),
    Rule(CLOSING),
    Rule(LEADING),
    Rule(rf"{_any_case(NUMBERED_ABBREVIATIONS)}\.", ahead=f"{SPACE_OR_END}?[{DIGITS}]"),
    Rule("[A-Za-z]", ahead=rf"\.{NEW_SENTENCE}"),
    Rule(INITIALS),
    Rule(U_S_RELATIONS, ahead=SPACE_OR_END),
    Rule(f"{APOSTROPHE}[0-9]{{2}}", ahead=SPACE_OR_END),
    Rule(FILE_NAME, ahead=f"(?:{SPACE_OR_END}|[.?!,])"),
    Rule(rf"{WORD}\.", ahead=CLAUSE_MARK, write=join_syllables),
    Rule(HYPHENATED, write=join_syllables),
    Rule(rf"{HYPHENATED}\.", ahead=CLAUSE_MARK, write=join_syllables),
    Rule(COMPOUND, write=join_syllables),
    Rule(rf"{COMPOUND}\.", ahead=CLAUSE_MARK, write=join_syllables),
    Rule(AMPERSAND_NAME, write=write_ampersand),
    Rule(rf"{AMPERSAND_NAME}\.", ahead=CLAUSE_MARK, write=write_ampersand),
)

# Words of plain letters that are not simply themselves, or not before a full stop.
IRREGULAR_WORDS = frozenset(
    [
        *CONTRACTIONS,
        *CLOSING_ABBREVIATIONS.split(),
        *CLOSING_SMALL_ABBREVIATIONS.split(),
        *STATE_ABBREVIATIONS.split(),
        *LEADING_ABBREVIATIONS.split(),
        *LEADING_SMALL_ABBREVIATIONS.split(),
        *NUMBERED_ABBREVIATIONS.split(),
    ]
)
