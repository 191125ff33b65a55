"""The windows of a text, cut as the service cuts them (functions/_shared/text/crisis/passages.ts), in the languages of the corpus."""

import re

WORDS = 32
EVERY = 20

WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
"""Scripts that put no spaces between words: two of their letters count as a word."""


def words(text: str) -> list[tuple[int, int]]:
    """Where each word begins and ends."""
    found: list[tuple[int, int]] = []
    for match in re.finditer(r"\S+", text):
        start, end = match.span()
        if len(WITHOUT_SPACES.findall(match.group())) <= 2:
            found.append((start, end))
            continue
        at = start
        while at < end:
            if WITHOUT_SPACES.match(text[at]):
                until = min(end, at + 2)
            else:
                until = at
                while until < end and not WITHOUT_SPACES.match(text[until]):
                    until += 1
            found.append((at, until))
            at = until
    return found


def starts(count: int) -> list[int]:
    """The first word of each window of a text of so many words; the last window ends with the text."""
    return [0] if count <= WORDS else [*range(0, count - WORDS, EVERY), count - WORDS]


def cut(text: str, places: list[tuple[int, int]], start: int) -> str:
    return text[places[start][0] : places[min(len(places), start + WORDS) - 1][1]] if places else ""
