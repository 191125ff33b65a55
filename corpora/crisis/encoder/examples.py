"""Windows to learn from, made anew for every pass: of the texts of `corpora/crisis`, in the forms in which speech arrives."""

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from metaphone import doublemetaphone

import windows

CORPUS = Path(__file__).parent.parent

KEPT_APART = {"sealed-3", "sealed-4", "sealed-5", "sealed-10", "sealed-11", "sealed-12", "sealed-13"}
"""Authors that are not learnt from: thresholds and probabilities are set on them, and on `kept-apart.jsonl`."""

COUNTS = {"high": 1.0, "none": 1.0, "mild": 0.3, "moderate": 0.15}
"""A mild sentence is an ordinary one with less certainty, a moderate one with least, and only where it is of these kinds."""
MODERATE_KINDS = {"past", "low_mood", "third_person"}

CLOSINGS = "author-62"
"""Wrote the few words in which recordings end, which are much alike."""

LIKE_SPEECH = ("author-", "sealed-", "opened")
"""Authors who wrote in the manner of speech count twice as much as earlier lists."""

PUNCTUATION = re.compile(r'[.,!?;:"“”…،؟。，！？；：、]')
FILLERS = ("um", "uh", "like", "you know", "i mean", "er", "so yeah", "kind of", "well")


@dataclass(frozen=True)
class Text:
    """`disclosure`: the words of a check-in that are of a crisis; None where all of a text is, or nothing."""

    text: str
    disclosure: str | None
    crisis: bool
    weight: float
    times: int
    language: str
    whole: bool


@dataclass(frozen=True)
class Example:
    text: str
    crisis: bool
    weight: float


def read(name: str) -> list[dict]:
    return [json.loads(line) for line in (CORPUS / name).read_text().splitlines()]


def one_line(text: str) -> str:
    return " ".join(text.split())


def texts() -> list[Text]:
    found: list[Text] = []
    for each in read("sentences.jsonl"):
        if each["author"] in KEPT_APART or (each["level"] == "moderate" and each["kind"] not in MODERATE_KINDS):
            continue
        weight = COUNTS[each["level"]] * (1 if each["author"].startswith(LIKE_SPEECH) else 0.5)
        found.append(Text(one_line(each["text"]), None, each["level"] == "high", weight, 1, "en", False))
    for each in read("check-ins.jsonl"):
        if each["author"] in KEPT_APART or each["level"] not in ("high", "none"):
            continue
        disclosure = one_line(each["disclosure"]) if each["disclosure"] else None
        found.append(Text(one_line(each["text"]), disclosure, each["level"] == "high", 1, 1, "en", True))
    for each in read("twins.jsonl"):
        crisis = each["level"] == "high"
        disclosure = one_line(each["disclosure"]) if crisis and each.get("disclosure") else None
        times = 8 if each["author"] == CLOSINGS else 3
        found.append(Text(one_line(each["text"]), disclosure, crisis, 1.5, times, each["lang"], each["form"] == "checkin"))
    return found


def unpunctuated(text: str) -> str:
    return PUNCTUATION.sub(" " if windows.WITHOUT_SPACES.search(text) else "", text.lower())


class Examples:
    """The same seed gives the same windows."""

    def __init__(self, seed: int):
        self.texts = texts()
        self.calm = [each.text for each in self.texts if each.whole and not each.crisis and each.language == "en"]
        self.seed = seed
        self.alike = _alike(self.texts)

    def of_pass(self, number: int) -> list[Example]:
        draw = random.Random(self.seed * 1000 + number)
        return [
            Example(self._as_heard(window.text, each.language, draw), window.crisis, window.weight)
            for each in self.texts
            for _ in range(each.times)
            for window in self._windows(each, draw)
        ]

    def _windows(self, each: Text, draw: random.Random) -> Iterator[Example]:
        places = windows.words(each.text)
        is_short = not each.whole or (each.crisis and each.disclosure is None and len(places) <= windows.WORDS * 1.25)
        if is_short:
            yield self._short(each, places, draw)
        elif each.disclosure is None and not each.crisis:
            yield from self._others(each, places, None, draw, 4, each.weight)
        elif each.disclosure is not None:
            told = self._told(each.text, each.disclosure, places)
            if told is not None:
                yield from self._telling(each, places, told, draw)
                yield from self._others(each, places, told, draw, 1, each.weight / 2)

    def _short(self, each: Text, places: list[tuple[int, int]], draw: random.Random) -> Example:
        text, weight = each.text, each.weight
        if len(places) > windows.WORDS:
            text = windows.cut(text, places, draw.randrange(len(places) - windows.WORDS + 1))
            weight *= 0.5 if each.crisis else 1
        if each.language == "en" and not each.whole and draw.random() < 0.35:
            text = self._in_talk(text, draw)
        return Example(text, each.crisis, weight)

    def _in_talk(self, text: str, draw: random.Random) -> str:
        """The text amid words of somebody's ordinary talk, as long as a window."""
        room = windows.WORDS - len(text.split())
        if room < 6:
            return text
        talk = draw.choice(self.calm).split()
        start = draw.randrange(max(1, len(talk) - room))
        before = draw.randrange(room + 1)
        return " ".join([*talk[start : start + before], text, *talk[start + before : start + room]])

    def _told(self, text: str, disclosure: str, places: list[tuple[int, int]]) -> tuple[int, int] | None:
        """The first word of the disclosure, and the one after its last."""
        start = text.find(disclosure)
        at = [word for word, (first, last) in enumerate(places) if last > start and first < start + len(disclosure)] if start >= 0 else []
        return (at[0], at[-1] + 1) if at else None

    def _telling(self, each: Text, places: list[tuple[int, int]], told: tuple[int, int], draw: random.Random) -> Iterator[Example]:
        """Two windows that hold most of the disclosure, or as much of it as a window can."""
        first, end = told
        held = min(end - first, windows.WORDS)
        for _ in range(2):
            earliest = max(0, first - (windows.WORDS - held))
            start = draw.randint(earliest, max(earliest, min(end - held, len(places) - 1)))
            if min(end, start + windows.WORDS) - max(first, start) >= 0.6 * held:
                yield Example(windows.cut(each.text, places, start), True, each.weight)

    def _others(
        self, each: Text, places: list[tuple[int, int]], told: tuple[int, int] | None, draw: random.Random, most: int, weight: float
    ) -> Iterator[Example]:
        """Windows that hold nothing of the disclosure."""
        first = draw.randrange(windows.EVERY) if len(places) > windows.WORDS else 0
        starts = range(first, max(1, len(places) - windows.WORDS // 2), windows.EVERY)
        calm = [start for start in starts if told is None or start + windows.WORDS <= told[0] or start >= told[1]]
        draw.shuffle(calm)
        for start in calm[:most]:
            yield Example(windows.cut(each.text, places, start), False, weight)

    def _as_heard(self, text: str, language: str, draw: random.Random) -> str:
        """Half of all without punctuation; of the English a tenth with fillers, and three twentieths with words misheard for others of the same sound."""
        if draw.random() < 0.5:
            text = unpunctuated(text)
        chance = draw.random() if language == "en" else 1
        if chance < 0.15:
            return " ".join(self._misheard(word, draw) for word in text.split(" "))
        if chance < 0.25:
            return " ".join(word for each in text.split(" ") for word in ([draw.choice(FILLERS), each] if draw.random() < 0.1 else [each]))
        return text

    def _misheard(self, word: str, draw: random.Random) -> str:
        others = self.alike.get(re.sub(r"[^a-z']", "", word.lower())) if draw.random() < 0.1 else None
        return draw.choice(others) if others else word


def _alike(texts: list[Text]) -> dict[str, list[str]]:
    """The other words of the corpus that sound like a word (Philips 2000, Double Metaphone)."""
    times = Counter(word for each in texts if each.language == "en" for word in re.findall(r"[a-z']+", each.text.lower()))
    by_sound: defaultdict[str, list[str]] = defaultdict(list)
    for word, count in times.items():
        if count >= 5 and len(word) > 1:
            by_sound[doublemetaphone(word)[0]].append(word)
    return {word: [other for other in words if other != word] for words in by_sound.values() for word in words if len(words) > 1}
