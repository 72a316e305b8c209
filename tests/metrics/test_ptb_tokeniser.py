"""The tokeniser against the Java one of the COCO evaluation: golden answers, and the original."""

import json
import os
import random
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart.metrics.java import CannotRun, find_jar, find_java
from tellapart.metrics.ptb_tokeniser import tokenise, tokenise_all

Oracle = Callable[[list[str]], list[list[str]]]

HARD_CASES = Path(__file__).with_name("hard_cases.json")
FUZZ_LINES = int(os.environ.get("TELLAPART_FUZZ_LINES", "8000"))
REMOVED = {"", *"'' ' `` ` -LRB- -RRB- -LCB- -RCB- . ? ! , : - -- ... ;".split()}

HARD_PIECES = """
don't cannot gonna gotta lemme gimme wanna 'tis 'twas o'clock y'all d'ye ma'am ol' 'em 'n'
rock'n'roll 'cause 'til n't 's 're 'll 've 'd 'm it's dogs' '90s '99 isn’t it’s ’ ‘ “ ” « » „ "
' ` `` '' -- --- ----- - – — ‐ ‑ − . .. ... .... … , ; : ! ? !! ?! 1 12 123 1234 555 1.5 1,000
.5 1/2 3/4 ½ ⅓ ² ₂ 12/25/2012 1-2-03 5:30 5pm a.m. p.m. $ $5 US$ £5 € ¢ ¥ % 5% # #1 #tag @ @me
a@b.com http://a.b/c https://ab www.x.com x.com .com x.org/ab foo.jpg 1.gif Mr. Dr. St. U.S.
u.s. e.g. etc. Inc. Jr. no. fig. Jan. Ph.D. vs. a. A. I. Mass. mass. ( ) [ ] { } < > -LRB- -lrb-
/ // \\ | ~ ^ * ** _ a_b = + C++ c# & && &amp; &lt; &quot; &apos; &nbsp; &mdash; &#39; &eacute;
<b> </b> <br/> <a href="x"> :) :( :-) ;) =) :D :o) :'( >:( ^_^ x_x (^_^) -_- AT&T A&B S&P-500
pro- t-shirt half-eaten U.S.-based non-U.S. and/or a/b/c 24/7 café naïve 日本 ñ ß İ \xad
so\xadft \xa0 \u200b \u2003 \u3000 \ufeff 😀 ★ ° © ™ → 。 ， （ a b n o l x s t A B N I S The
the dog Dog DOG a1 1a 3D 3rd H2O e\u0301 \x80 \x85 \x92 \x93 \x99 \t \x00
""".replace("\n", " ").split(" ")


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """The evaluation's own tokeniser and its filter, on all captions in one go."""
    try:
        java, jar = find_java(), find_jar("tokenizer/stanford-corenlp-3.4.1.jar")
    except CannotRun as reason:
        pytest.skip(f"needs the tokeniser of the COCO evaluation: {reason}")
    file = tmp_path_factory.mktemp("oracle") / "captions.txt"
    program = [java, "-cp", str(jar), "edu.stanford.nlp.process.PTBTokenizer"]

    def tokenise_in_java(captions: list[str]) -> list[list[str]]:
        file.write_bytes("\n".join(caption.replace("\n", " ") for caption in captions).encode())
        command = [*program, "-preserveLines", "-lowerCase", str(file)]
        output = subprocess.run(command, check=True, capture_output=True).stdout.decode()
        lines = output.split("\n")[: len(captions)]
        return [
            [word for word in line.rstrip().split(" ") if word not in REMOVED] for line in lines
        ]

    return tokenise_in_java


def make_hard_captions(count: int, *, seed: int) -> list[str]:
    """Pieces of trouble, joined with and without spaces and punctuation."""
    chance = random.Random(seed)
    joints = ["", " ", "", " ", "", " ", ".", ",", "'", "-", "'s", ". ", ", ", "/", "  "]
    return [
        "".join(
            chance.choice(HARD_PIECES) + chance.choice(joints) for _ in range(chance.randint(1, 7))
        )
        for _ in range(count)
    ]


def make_noise(count: int, *, seed: int) -> list[str]:
    """Printable ASCII at random."""
    chance = random.Random(seed)
    characters = [chr(point) for point in range(32, 127)]
    return ["".join(chance.choices(characters, k=chance.randint(1, 14))) for _ in range(count)]


def assert_same(captions: list[str], oracle: Oracle) -> None:
    ours, theirs = tokenise_all(captions), oracle(captions)
    assert len(theirs) == len(captions)
    different = [row for row in zip(captions, theirs, ours, strict=True) if row[1] != row[2]]
    assert not different[:20]


def read_hard_cases() -> tuple[list[str], list[list[str]]]:
    cases = json.loads(HARD_CASES.read_text("utf-8"))
    return [case["caption"] for case in cases], [case["words"] for case in cases]


def test_a_plain_caption():
    assert tokenise("A man, his dog and a Frisbee.") == "a man his dog and a frisbee".split()


def test_contractions_numbers_and_brackets():
    assert tokenise("He can't pay $5 (or £4)!") == "he ca n't pay $ 5 -lrb- or # 4 -rrb-".split()


def test_captions_without_words():
    assert [tokenise(caption) for caption in ("", " ", ".", "\n", "!", "\u200b")] == [[]] * 6


def test_no_captions_at_all():
    assert tokenise_all([]) == []


def test_line_breaks_are_spaces():
    assert tokenise("one\ntwo\r\nthree\u2028four") == ["one", "two", "three", "four"]


def test_an_initial_at_the_end_sees_the_next_caption():
    """A quirk of the original, which lets one caption change another."""
    assert tokenise_all(["plan b.", "The dog"])[0] == ["plan", "b"]
    assert tokenise_all(["plan b.", "the dog"])[0] == ["plan", "b."]
    assert tokenise("plan b.") == ["plan", "b."]


def test_hard_cases_as_written_down():
    captions, expected = read_hard_cases()
    assert len(captions) >= 400
    assert tokenise_all(captions) == expected


def test_hard_cases_still_are_what_java_says(oracle: Oracle):
    captions, expected = read_hard_cases()
    assert oracle(captions) == expected


def test_random_trouble_equals_java(oracle: Oracle):
    assert_same(make_hard_captions(FUZZ_LINES, seed=1), oracle)


def test_random_noise_equals_java(oracle: Oracle):
    assert_same(make_noise(FUZZ_LINES, seed=2), oracle)


def test_all_scripts_equal_java(oracle: Oracle):
    """Each character alone, between letters and after a digit; of the many ideographs, some."""
    skipped = {*range(0xD800, 0xE000), *map(ord, "\n\r\x0b\x0c\u2028\u2029")}
    points = {*range(0x3100), *range(0x3100, 0x10000, 32), *range(0xFB00, 0x10000)} - skipped
    assert_same([f"{c} a{c}b 1{c}" for c in map(chr, sorted(points))], oracle)


@given(st.text(max_size=40))
def test_any_text_gives_clean_words(text: str):
    words = tokenise(text)
    assert all(word and " " not in word and "\n" not in word for word in words)
    assert REMOVED.isdisjoint(words)


@given(st.lists(st.from_regex("[a-z]{4,9}", fullmatch=True), min_size=1))
def test_plain_words_come_back(words: list[str]):
    caption = " ".join(words)
    if not {"cannot", "gimme", "gonna", "gotta", "lemme", "wanna"} & set(words):
        assert tokenise(caption) == words


def test_real_captions_equal_java(shared_data: Path, oracle: Oracle):
    references = json.loads(
        (shared_data / "coco-captions/captions_karpathy_test5k.json").read_text()
    )
    captions = [row["caption"] for row in references["annotations"]]
    for results in sorted((shared_data / "coco-captions/results").glob("*.json")):
        captions += [row["caption"] for row in json.loads(results.read_text())]
    flickr = json.loads((shared_data / "flickr8k/dataset_flickr8k.json").read_text())
    captions += [row["raw"] for image in flickr["images"] for row in image["sentences"]]
    assert len(captions) == 25_000 + 15_000 + 37_500
    assert_same(captions, oracle)


def test_the_whole_of_coco_equals_java(shared_data: Path, oracle: Oracle):
    """The 616,767 captions inside SPICE's jar; gated with the other long tests on real data."""
    with zipfile.ZipFile(find_jar("spice/spice-1.0.jar")) as jar:
        for part in ("train", "val"):
            rows = json.loads(jar.read(f"coco/annotations/captions_{part}2014.json"))["annotations"]
            assert_same([row["caption"] for row in rows], oracle)
