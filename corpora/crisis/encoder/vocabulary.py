"""The pieces of the source's vocabulary that the served languages need, and the text as they cut it."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers
from wordfreq import top_n_list

from source import Source

SERVED = {"en": 60_000, "de": 60_000, "es": 50_000, "fr": 50_000, "ar": 50_000, "pt": 50_000, "hi": 25_000, "zh": 40_000, "tr": 50_000}
OTHERS = dict.fromkeys(("it", "nl", "pl", "ru", "uk", "ja", "ko", "sv", "da", "cs", "ro", "hu", "el", "fa", "he", "id", "vi", "bn", "ur", "fil"), 15_000)
WORDS = SERVED | OTHERS
"""The most frequent words of each language whose pieces count: of the served languages, and of others that students speak."""

SERVED_COUNT = 3
"""Words of the served languages count so many times."""

SIZE = 56_000
"""Pieces that are kept, about 224 bytes each."""

INVISIBLE = "\u200b\u200c\u200d\u200e\u200f"


def normalized(text: str) -> str:
    """Lower case, NFKC, single spaces: as `normalized` in functions/_shared/text/crisis does it."""
    lower = unicodedata.normalize("NFKC", text).lower().replace("\u0307", "")
    spaced = (" " if letter.isspace() or letter in INVISIBLE else letter for letter in lower if letter.isspace() or unicodedata.category(letter) != "Cc")
    return " ".join("".join(spaced).split())


def tokenizer(pieces: list[str], scores: np.ndarray, unknown: int) -> Tokenizer:
    """SentencePiece's unigram model (Kudo 2018, arXiv:1804.10959)."""
    unigram = Tokenizer(models.Unigram([(piece, float(score)) for piece, score in zip(pieces, scores)], unk_id=unknown, byte_fallback=False))
    unigram.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=False)
    return unigram


class Vocabulary:
    """`kept`: the rows of the source's vocabulary, in order."""

    def __init__(self, source: Source, kept: list[int]):
        self.kept = kept
        self.pieces = [source.pieces[row] for row in kept]
        self.scores = source.scores[kept]
        self.start, self.end, self.unknown = (kept.index(row) for row in (source.start, source.end, source.unknown))
        self.tokenizer = tokenizer(self.pieces, self.scores, self.unknown)

    def ids(self, texts: Iterable[str], longest: int) -> list[list[int]]:
        return [each.ids[:longest] for each in self.tokenizer.encode_batch([normalized(text) for text in texts])]


def vocabulary(source: Source, texts: Iterable[str]) -> Vocabulary:
    """Every letter and every piece of the texts, then the pieces that are most of the words of the languages."""
    whole = tokenizer(source.pieces, source.scores[: len(source.pieces)], source.unknown)
    seen = Counter(piece for each in whole.encode_batch([normalized(text) for text in texts]) for piece in each.ids)
    # By Zipf's law: how often a word is said falls with its rank
    weight: defaultdict[int, float] = defaultdict(float)
    for language, count in WORDS.items():
        frequent = top_n_list(language, count)
        for rank, word in enumerate(frequent, 1):
            # Without spaces, a word begins without the mark of one
            for form in [word] if language not in ("zh", "ja") else [word, "的" + word]:
                for piece in whole.encode(normalized(form)).ids:
                    weight[piece] += (SERVED_COUNT if language in SERVED else 1) / rank
    needed = {source.start, source.padding, source.end, source.unknown}
    needed |= {piece for piece, times in seen.items() if times >= 2}
    needed |= {piece for piece in weight if len(source.pieces[piece]) == 1}
    others = sorted((piece for piece in weight if piece not in needed), key=lambda piece: (-weight[piece], piece))
    return Vocabulary(source, sorted([*needed, *others[: SIZE - len(needed)]]))
