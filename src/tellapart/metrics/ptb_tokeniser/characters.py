"""Which characters the Penn Treebank tokeniser takes for letters, digits and symbols.

Reads   Python's Unicode tables, and what the Stanford tokeniser did with each character
Writes  pieces of regular expressions for words.py, signs.py and compounds.py
Paper   Sec. 4.1: the captions that are scored are those the COCO evaluation sees

The Stanford tokeniser of the COCO evaluation knows Unicode 6.1 up to U+FFFF. A character that is
in none of the classes below is dropped, and parts the words beside it as a space would. The
tables were read off by giving the tokeniser every character alone and between letters and digits.
"""

# Letters and digits that Python knows and Unicode 6.1 did not.
NEWER_THAN_THE_TOKENISER = """
037f 0528-052f 0560 0588 05ef 0860-086a 0870-0887 0889-088e 08a1 08ad-08c9 0978 0980 09fc
0af9 0c34 0c5a 0c5d 0c80 0cdd 0d04 0d54-0d56 0d5f 0de6-0def 0e86 0e89 0e8c 0e8e-0e93 0e98
0ea0 0ea8-0ea9 0eac 13f5 13f8-13fd 16f1-16f8 170d 171f 1878 191d-191e 19b0-19c0 19c8-19c9
1b4c 1c80-1c8a 1c90-1cba 1cbd-1cbf 1cf2-1cf3 1cfa 2c2f 2c5f 312e-312f 31bb-31bf 4db6-4dbf
9fcd-9fff a698-a69d a78f a794-a79f a7ab-a7dc a7f1-a7f7 a8fd-a8fe a9e0-a9e4 a9e6-a9fe
aa7e-aa7f ab30-ab5a ab5c-ab69 ab70-abbf
"""
# Accents and vowel signs: they belong to a word, but do not continue a number as letters do ("3d").
MARKS = """
02c2-02c5 02d2-02df 02e5-02eb 02ed 02ef-036f 0375 0378-0379 0384-0385 03f6 0483-0487
055a-055f 0591-05bd 05bf 05c1-05c2 05c4-05c5 05c7 0615-061a 064b-065e 0670 06d6-06e4
06e7-06ed 06fd-06fe 070f 0711 0730-074c 07a6-07b0 07eb-07f3 0900-0903 093c 093e-094e
0951-0955 0962-0963 0981-0983 09bc 09be-09c4 09c7-09c8 09cb-09cd 09d7 09e2-09e3 0a01-0a03
0a3c 0a3e-0a4f 0a81-0a83 0abc 0abe-0acf 0b82 0bbe-0bc2 0bc6-0bc8 0bca-0bcd 0c01-0c03
0c3e-0c56 0d3e-0d44 0d46-0d48 0e31 0e34-0e3a 0e47-0e4e 0eb1 0eb4-0ebc 0ec8-0ecd
"""
# Signs outside ASCII that are words by themselves: ° © ™ ¥ → ★ ， and their like.
SYMBOLS = """
00a1 00a5-00a9 00ac 00ae-00b4 00b6-00b9 00bf 00d7 00f7 037e 0387 0589 05be 05c0 05c3 05c6
05f3-05f4 0600-0603 0606-060c 0614 061b 061e-061f 066a 066d 06d4 0700-070d 07f6-07f8
0964-0965 0e3f 0e4f 1fbd 2016-2017 201a 201e-2023 2030-2038 203b 203e-2042 2044 2070 2074-207e
2080-208e 20a4 2100-2101 2103-2106 2108-2109 2114 2116-2118 211e-2123 2125 2127 2129 212e
213a-213b 2140-2144 214a-214d 214f 2155-215e 2190-2bff 3001-3002 3012 30fb ff01-ff0f
ff1a-ff20 ff3b-ff40 ff5b-ff65 ffe0-ffe1 ffe5-ffe6
"""
LAST_CHARACTER = 0xFFFF


def read_ranges(ranges: str) -> list[range]:
    """Read "00a1 00a5-00a9" as the code points it names."""
    ends = [item.partition("-") for item in ranges.split()]
    return [range(int(first, 16), int(last or first, 16) + 1) for first, _, last in ends]


def expand_ranges(ranges: str) -> set[int]:
    """Give all code points that "00a1 00a5-00a9" names."""
    return {point for points in read_ranges(ranges) for point in points}


def class_of(points: set[int]) -> str:
    """Write code points as the inside of a regular expression's [...]."""
    pieces: list[list[int]] = []
    for point in sorted(points):
        if pieces and pieces[-1][1] == point - 1:
            pieces[-1][1] = point
        else:
            pieces.append([point, point])
    return "".join(f"\\u{first:04x}-\\u{last:04x}" for first, last in pieces)


def _letters_and_digits() -> tuple[set[int], set[int]]:
    newer = expand_ranges(NEWER_THAN_THE_TOKENISER)
    known = [point for point in range(LAST_CHARACTER + 1) if point not in newer]
    # U+1885 and U+1886 are marks today; they were letters then.
    letters = {point for point in known if chr(point).isalpha()} | {0x1885, 0x1886}
    return letters, {point for point in known if chr(point).isdecimal()}


_letter_points, _digit_points = _letters_and_digits()
LETTERS = class_of(_letter_points)
DIGITS = class_of(_digit_points)
MARKED_LETTERS = class_of(_letter_points | expand_ranges(MARKS) | {0xAD})
SYMBOL_CLASS = class_of(expand_ranges(SYMBOLS))

LETTER = f"[{LETTERS}]"
LETTER_OR_DIGIT = f"[{LETTERS}{DIGITS}]"
# The letters of a word may be spelt in markup: caf&eacute;.
ACCENT_ENTITY = "(?i:&[aeiou](?:acute|grave|uml);)"
WORD_START = f"(?:[{MARKED_LETTERS}]|{ACCENT_ENTITY})"
WORD_PART = f"(?:[{MARKED_LETTERS}{DIGITS}]|{ACCENT_ENTITY})"
