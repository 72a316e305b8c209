"""The tables of n-grams against a plain count."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tellapart.metrics.ngrams import NgramCounts, compare, spell

captions = st.lists(st.sampled_from("a b c dog".split()), max_size=9)
pictures = st.lists(
    st.tuples(captions, st.lists(captions, min_size=1, max_size=3)), min_size=1, max_size=5
)


def count(text: list[str], order: int) -> Counter[str]:
    return Counter(" ".join(text[i : i + order]) for i in range(len(text) - order + 1))


def as_counters(table: NgramCounts, spelling: list[str], *, texts: int) -> list[Counter[str]]:
    counters = [Counter() for _ in range(texts)]
    for text, ngram, times in zip(table.texts, table.ngrams, table.counts, strict=True):
        counters[text][spelling[ngram]] = int(times)
    return counters


@given(pictures)
def test_tables_are_plain_counts(pictures):
    candidates, references = zip(*pictures, strict=True)
    comparison = compare(candidates, references)
    texts = [text for each in references for text in each]
    for order, table in enumerate(comparison.tables, start=1):
        words = spell(comparison, order)
        assert as_counters(table.candidates, words, texts=len(candidates)) == [
            count(text, order) for text in candidates
        ]
        assert as_counters(table.references, words, texts=len(texts)) == [
            count(text, order) for text in texts
        ]


@given(pictures)
def test_a_picture_has_the_most_of_its_references(pictures):
    comparison = compare(*zip(*pictures, strict=True))
    for order, table in enumerate(comparison.tables, start=1):
        expected = [Counter() for _ in pictures]
        for counter, (_, references) in zip(expected, pictures, strict=True):
            for text in references:
                counter |= count(text, order)  # the union of counters keeps the higher count
        found = as_counters(table.pictures, spell(comparison, order), texts=len(pictures))
        assert found == expected
