"""Writes the model as the service reads it (corpora/crisis/model): matrices of the layers in 8 bits, the words in 4."""

import json
from pathlib import Path

import numpy as np
import torch

import windows
from calibrate import LONGEST, calibrated, suspicion
from encoder import Encoder
from examples import Examples
from source import GROUP
from vocabulary import Vocabulary

MODEL = Path(__file__).parent.parent / "model"

BUDGET = 32
"""Windows that are read at most: those of four minutes of talk."""


def export(encoder: Encoder, pieces: Vocabulary, examples: Examples) -> None:
    encoder.eval()
    weights = Weights()
    weights.add("word", encoder.words, "q4")
    weights.add("position", encoder.positions[:256], "f32")
    weights.norm("embedding_norm", encoder.norm)
    for number, layer in enumerate(encoder.layers):
        for at, name in enumerate(("query", "key", "value")):
            rows = slice(at * len(layer.norm.weight), (at + 1) * len(layer.norm.weight))
            weights.add(f"layer.{number}.{name}.weight", layer.attention_in.weight[rows], "q8")
            weights.add(f"layer.{number}.{name}.bias", layer.attention_in.bias[rows], "f32")
        for name, linear in (("output", layer.attention_out), ("intermediate", layer.inner), ("out", layer.outer)):
            weights.add(f"layer.{number}.{name}.weight", linear.weight, "q8")
            weights.add(f"layer.{number}.{name}.bias", linear.bias, "f32")
        weights.norm(f"layer.{number}.attention_norm", layer.attention_norm)
        weights.norm(f"layer.{number}.output_norm", layer.norm)
    weights.add("head.hidden.weight", encoder.hidden.weight, "f32")
    weights.add("head.hidden.bias", encoder.hidden.bias, "f32")
    weights.add("head.out.weight", encoder.out.weight, "f32")
    weights.add("head.out.bias", encoder.out.bias, "f32")
    weights.add("score", torch.from_numpy(pieces.scores), "f32")
    weights.add("suspicion", suspicion(examples, pieces), "f32")
    calibration = calibrated(encoder, pieces)
    first = encoder.layers[0]
    declared = {
        "layers": len(encoder.layers),
        "hidden": len(encoder.norm.weight),
        "heads": first.heads,
        "intermediate": len(first.inner.bias),
        "eps": encoder.norm.eps,
        "positions": 256,
        "lowercase": True,
        "prefix": [pieces.start],
        "suffix": [pieces.end],
        "unknown": pieces.unknown,
        "unknownScore": float(pieces.scores.min()) - 10,
        "windows": {"words": windows.WORDS, "every": windows.EVERY, "tokens": LONGEST},
        "budget": BUDGET,
        "calibration": {
            "slope": round(calibration.slope, 4),
            "intercept": round(calibration.intercept, 4),
            "perLogWindow": round(calibration.per_log_window, 4),
        },
        "tensors": weights.tensors,
    }
    MODEL.mkdir(exist_ok=True)
    (MODEL / "model.json").write_text(json.dumps(declared) + "\n")
    (MODEL / "weights.bin").write_bytes(bytes(weights.bytes))
    special = {pieces.start, pieces.end, pieces.unknown}
    (MODEL / "pieces.txt").write_text("\n".join("" if at in special or piece.startswith("<") and piece.endswith(">") else piece for at, piece in enumerate(pieces.pieces)))
    print(json.dumps(declared["calibration"]), len(weights.bytes), "bytes", flush=True)


class Weights:
    """The tensors one after another, and where each begins."""

    def __init__(self) -> None:
        self.bytes = bytearray()
        self.tensors: dict[str, dict] = {}

    def norm(self, name: str, norm: torch.nn.LayerNorm) -> None:
        self.add(f"{name}.weight", norm.weight, "f32")
        self.add(f"{name}.bias", norm.bias, "f32")

    def add(self, name: str, tensor: torch.Tensor, dtype: str) -> None:
        values = tensor.detach().float().numpy()
        self.tensors[name] = {"dtype": dtype, "shape": list(values.shape), "offset": len(self.bytes)}
        self.bytes += {"f32": floats, "q8": eighths, "q4": fourths}[dtype](values)


def floats(values: np.ndarray) -> bytes:
    return values.astype("<f4").tobytes()


def eighths(values: np.ndarray) -> bytes:
    """A signed byte a weight, then a scale for each row."""
    scale = np.abs(values).max(axis=1) / 127
    scale[scale == 0] = 1
    return np.rint(values / scale[:, None]).astype(np.int8).tobytes() + floats(scale)


def fourths(values: np.ndarray) -> bytes:
    """For each group of weights a half-precision scale, then two weights a byte. The source's own 4-bit weights come out as they were."""
    groups = values.reshape(-1, GROUP)
    farthest = groups[np.arange(len(groups)), np.abs(groups).argmax(axis=1)]
    scale = (farthest / -8).astype(np.float16)
    divisor = scale.astype(np.float32)
    divisor[divisor == 0] = 1
    stored = np.clip(np.rint(groups / divisor[:, None]) + 8, 0, 15).astype(np.uint8)
    packed = stored[:, : GROUP // 2] | stored[:, GROUP // 2 :] << 4
    return np.concatenate([scale.view(np.uint8).reshape(-1, 2), packed], axis=1).tobytes()
