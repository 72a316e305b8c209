"""The Penn Treebank tokeniser's rules for all but words: numbers, money, addresses, punctuation.

Reads   the character classes of characters.py
Writes  `SIGN_RULES`, which go after words and before compounds on a tie, for ptb_tokeniser
Paper   Sec. 4.1: the metrics that the paper reports see captions through this tokeniser

A rule that only yields punctuation which the evaluation removes is written with `drop`.
"""

from tellapart.metrics.ptb_tokeniser.characters import DIGITS, SYMBOL_CLASS, WORD_START
from tellapart.metrics.ptb_tokeniser.rule import (
    SPACE,
    Rule,
    always,
    drop,
    glue,
    join_syllables,
    skip,
    straighten_quotes,
    write_brackets,
)

# Numbers: -1,000.5, 10:30, 12/25/2012, 2 1/2, (555) 555-1234.
DIGIT = f"[{DIGITS}]"
NUMBER = f"[-+]?(?:{DIGIT}*(?:[.:,\xad\u066b\u066c]{DIGIT}+)+|{DIGIT}+)"
DATE = f"{DIGIT}{{1,2}}[-/]{DIGIT}{{1,2}}[-/]{DIGIT}{{2,4}}"
FRACTION = rf"(?:{DIGIT}{{1,4}}[- \xa0])?{DIGIT}{{1,4}}(?:\\?/|\u2044){DIGIT}{{1,4}}"
FRACTION_SIGNS = {"¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
EXPONENT = "[⁺⁻₊₋]?(?:[⁰¹²³⁴-⁹]+|[₀-₉]+)"
AREA_CODE = r"\([0-9]{2,3}\)[ \xa0]?|(?:\+\+?)?(?:[0-9]{2,4}[- \xa0])?[0-9]{2,4}[- \xa0]"
TELEPHONE = (
    rf"(?:{AREA_CODE})[0-9]{{3,4}}[- \xa0]?[0-9]{{3,5}}"
    r"|(?:(?:\+\+?)?[0-9]{2,4}\.)?[0-9]{2,4}\.[0-9]{3,4}\.[0-9]{3,5}"
)

# Addresses. A path may hold what looks like a host: the longest page has the shortest host.
LINK = r'(?i:https?)://[^ \t\n\f\r"<>|(){}]+[^ \t\n\f\r"<>|.!?(){},-]'
PATH = r'/[^ \t\n\f\r"<>|()]+[^ \t\n\f\r"<>|.!?(){},-]'
HOST_PART = r'(?:[^ \t\n\f\r"<>|.!?(){},]+\.)'
WWW_SITE = rf"(?i:www)\.{HOST_PART}+[a-zA-Z]{{2,4}}"
WWW_PAGE = rf"(?i:www)\.{HOST_PART}+?[a-zA-Z]{{2,4}}{PATH}"
# Without www, no character from comma to underscore is allowed: the original's slip, kept.
BARE_SITE = r"""(?:[^ \t\n\f\r"`'<>|!?(){}$,-_]+\.)+(?i:com|net|org|edu)""" + f"(?:{PATH})?"
MAIL_PART = r'[^ \t\n\f\r"<>|(){}\xa0.]+'
MAIL = (
    r'(?:(?i:&lt;)|<)?[a-zA-Z0-9][^ \t\n\f\r"<>|(){}\xa0]*@'
    rf"(?:{MAIL_PART}\.)*{MAIL_PART}(?:(?i:&gt;)|>)?"
)
HANDLE = f"@[a-zA-Z_][a-zA-Z_0-9]*|#{WORD_START}+"

# Markup.
TAG_NAME = "[A-Za-z][A-Za-z0-9_:.-]*"
TAG_VALUE = r"""(?:[ ]*=[ ]*(?:'[^'\n]*'|"[^"\n]*"))"""
TAG = (
    rf"<(?:[!?][A-Za-z-][^>\r\n]*|/{TAG_NAME}[ ]*"
    rf"|{TAG_NAME}(?:[ ]+{TAG_NAME}{TAG_VALUE}?)*[ ]*/?[ ]*)>"
)
ENTITY = "&(?:(?i:ht|tl|ur|lr|q[clr]|[co]dq)|#[0-9]+);"

# Smileys: :-) >:( ^_^ (x_x).
WIDE_EYE = "[x=~<>'^]"
EYE = "[-x=~<>'^]"
SMILEY = r"[<>]?[:;=][-o*']?[()DPdpO\\{@|\[\]]"
EASTERN_SMILEY = rf"{EYE}_{EYE}|\({EYE}[_.]?{EYE}\)|\({WIDE_EYE}-{WIDE_EYE}\)"

BRACKETS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}


def _write_dashes(text: str) -> str:
    """Up to four hyphens are a dash and removed; a longer rule stays."""
    return text if len(text) > 4 else "--"


SIGN_RULES = (
    Rule(TAG, write=glue),
    Rule("&(?i:md|mdash|ndash);|[\x96\x97\u2013-\u2015]", write=drop),
    Rule("&(?i:amp);", write=always("&")),
    Rule(ENTITY),
    Rule(LINK),
    Rule(WWW_SITE),
    Rule(WWW_PAGE),
    Rule(BARE_SITE),
    Rule(MAIL),
    Rule(HANDLE),
    Rule(DATE),
    Rule(NUMBER, write=join_syllables),
    Rule(EXPONENT),
    Rule(FRACTION, write=glue),
    *(Rule(sign, write=always(fraction)) for sign, fraction in FRACTION_SIGNS.items()),
    Rule(TELEPHONE, write=lambda text: glue(write_brackets(text))),
    Rule(r"[A-Z]*\$|#"),
    Rule("¢", write=always("cents")),
    Rule("£", write=always("#")),
    Rule("[\x80¤₠€]", write=always("$")),
    Rule("\"|'{1,2}", write=drop),
    Rule("(?i:&quot;|&apos;)", write=straighten_quotes),
    # Two marks in a row are one token, which the evaluation then does not know for quotes.
    Rule("[`\x91-\x94\u2018-\u201f«»‹›]{1,2}", write=straighten_quotes),
    Rule("<<|>>"),
    Rule("<|(?i:&lt;)", write=always("<")),
    Rule(">|(?i:&gt;)", write=always(">")),
    Rule(SMILEY, ahead="[^A-Za-z0-9]", write=write_brackets),
    Rule(EASTERN_SMILEY, write=write_brackets),
    *(Rule(rf"\{bracket}", write=always(name)) for bracket, name in BRACKETS.items()),
    Rule("-+", write=_write_dashes),
    Rule(r"\.{3,5}|(?:\.[ \xa0]){2,4}\.|[\x85…]", write=drop),
    Rule("@+|#+|_+"),
    Rule(r"\*+|(?:\\\*){1,3}"),
    Rule("[?!]+"),
    Rule("[.,;:\xad]", write=drop),
    Rule(rf"[=/+%&~^|\\{SYMBOL_CLASS}]"),
    Rule(f"[{SPACE}]+|(?i:&nbsp;)", write=skip),
)
