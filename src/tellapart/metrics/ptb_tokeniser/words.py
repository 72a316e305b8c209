"""The Penn Treebank tokeniser's rules for words and contractions.

Reads   the character classes of characters.py
Writes  `WORD_RULES`, which go before all others on a tie, for ptb_tokeniser
Paper   Sec. 4.1: the metrics that the paper reports see captions through this tokeniser

The rules were found by asking the tokeniser of the COCO evaluation about every pair of short words
with an apostrophe between them, and the like.
"""

from tellapart.metrics.ptb_tokeniser.characters import LETTER, WORD_PART, WORD_START
from tellapart.metrics.ptb_tokeniser.rule import (
    ANY_APOSTROPHE,
    APOSTROPHE,
    SOFT_HYPHEN,
    Rule,
    drop,
    join_syllables,
    straighten_quotes,
)

# A full stop, ! or ? between two letters does not end a word: "a.m", "man.woman".
WORD = f"{WORD_START}{WORD_PART}*(?:[.!?]{WORD_START}{WORD_PART}*)*"

# They 're, do n't, can not. All words that are two part after three letters.
CLITIC = f"{APOSTROPHE}(?i:[msd]|re|ve|ll)"
NEGATION = f"[nN]{ANY_APOSTROPHE}[tT]"
NEGATED_WORD = f"[A-Za-z{SOFT_HYPHEN}]*[A-MO-Za-mo-z]{SOFT_HYPHEN}*"
CONTRACTIONS = ("cannot", "gimme", "gonna", "gotta", "lemme", "wanna")

# Words with an apostrophe that are not taken apart: 'em, '90s, ol', O'Brien, ma'am.
APOSTROPHE_WORDS = (
    f"{APOSTROPHE}(?i:n{APOSTROPHE}?|em|till?|cause)",
    f"{APOSTROPHE}[2-9]0[sS]",
    f"(?i:[ldj]|dunkin|somethin|ol){APOSTROPHE}",
    f"[A-HJ-XZn]{ANY_APOSTROPHE}{LETTER}{{2,}}",
    f"{LETTER}+[aeiouyAEIOUY]{ANY_APOSTROPHE}[aeiouA-Z]{LETTER}*",
    f"[oO]{ANY_APOSTROPHE}[oO]",
    r"(?i:cont'd\.?|nor'easter|c'mon|c'est|e'er|s'mores|ev'ry|li'l|nat'l|cap'n)",
)

WORD_RULES = (
    *(Rule(f"(?i:{word[:3]})", ahead=f"(?i:{word[3:]})") for word in CONTRACTIONS),
    Rule("'[tT]", ahead="(?i:is|was)"),
    Rule(WORD, ahead=CLITIC, write=join_syllables),
    Rule(NEGATED_WORD, ahead=NEGATION, write=join_syllables),
    Rule(WORD, write=join_syllables),
    *(Rule(pattern) for pattern in APOSTROPHE_WORDS),
    Rule(f"[yY]{APOSTROPHE}", ahead=LETTER),
    Rule(CLITIC, ahead="[^A-Za-z]", write=straighten_quotes),
    Rule(NEGATION, ahead="[^A-Za-z]", write=straighten_quotes),
    # A quotation mark before a word of two letters or more; with fewer it is a clitic, 's.
    Rule("'", ahead=r"[A-Za-z][^ \t\n\r\xa0]", write=drop),
    Rule(CLITIC, write=straighten_quotes),
)
