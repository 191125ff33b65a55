"""Fits the encoder, from the last checkpoint where there is one of the same fit: `npm run fit:crisis`."""

import argparse
import hashlib
import random
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from encoder import Encoder
from examples import Example, Examples
from export import export
from source import Source
from vocabulary import Vocabulary, vocabulary

WINDOWS = 64
"""Windows a step, of about the same length."""
LONGEST = 78
"""Tokens of a window."""
RATE = 1e-4
HEAD_RATE = 1e-3
DECAY = 0.85
"""A layer learns so much slower than the one above it (Howard and Ruder 2018, arXiv:1801.06146)."""
WARM_UP = 100
SMOOTHING = 0.01
EVERY = 200
"""Steps between checkpoints."""

Batch = tuple[list[list[int]], torch.Tensor, torch.Tensor]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=2, help="passes over the corpus (2)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkpoint", type=Path, default=Path(__file__).parent / "checkpoint.pt")
    options = parser.parse_args()
    source = Source()
    examples = Examples(options.seed)
    pieces = vocabulary(source, (each.text for each in examples.texts))
    encoder = Encoder(source, pieces)
    fit(encoder, examples, pieces, options.passes, options.seed, options.checkpoint)
    export(encoder.eval(), pieces, examples)


def identity(examples: Examples, pieces: Vocabulary, passes: int, seed: int) -> str:
    """Of what is learnt from, and how: a checkpoint of anything else says nothing, its words least of all."""
    return hashlib.sha256(repr((examples.texts, pieces.kept, passes, seed)).encode()).hexdigest()


def fit(encoder: Encoder, examples: Examples, pieces: Vocabulary, passes: int, seed: int, checkpoint: Path) -> None:
    of = identity(examples, pieces, passes, seed)
    layers = len(encoder.layers)
    groups = [{"params": list(layer.parameters()), "base": RATE * DECAY ** (layers - 1 - at)} for at, layer in enumerate(encoder.layers)]
    groups.append({"params": [*encoder.hidden.parameters(), *encoder.out.parameters()], "base": HEAD_RATE})
    learnt = [parameter for group in groups for parameter in group["params"]]
    optimizer = torch.optim.AdamW(groups, lr=RATE, weight_decay=0.01)
    done = 0
    saved = torch.load(checkpoint) if checkpoint.exists() else {}
    if saved and saved.get("of") != of:
        print("the checkpoint is of another fit; beginning anew", flush=True)
    elif saved:
        encoder.load_state_dict(saved["encoder"])
        optimizer.load_state_dict(saved["optimizer"])
        done = saved["done"]
        print(f"going on from step {done}", flush=True)
    encoder.train()
    step, began, mean = 0, time.monotonic(), 0.0
    for number in range(passes):
        batches = batched(examples.of_pass(number), pieces, random.Random(seed * 1000 + number))
        # The first pass says how long the others are, within a batch or two
        total = len(batches) * passes if number == 0 else total
        for windows, crisis, weight in batches:
            step += 1
            if step <= done:
                continue
            torch.manual_seed(seed * 1_000_000 + step)
            for group in optimizer.param_groups:
                group["lr"] = group["base"] * min(1, step / WARM_UP) * max(0.02, 1 - step / total)
            with torch.autocast("cpu", torch.bfloat16):
                odds = encoder(windows)
            target = crisis * (1 - 2 * SMOOTHING) + SMOOTHING
            loss = (F.binary_cross_entropy_with_logits(odds.float(), target, reduction="none") * weight).mean()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learnt, 1.0)
            optimizer.step()
            optimizer.zero_grad()
            mean = mean * 0.98 + float(loss.detach()) * 0.02
            if step % 50 == 0:
                print(f"step {step} of {total}, loss {mean:.3f}, {time.monotonic() - began:.0f} s", flush=True)
            if step % EVERY == 0:
                torch.save({"encoder": encoder.state_dict(), "optimizer": optimizer.state_dict(), "done": step, "of": of}, checkpoint)
    torch.save({"encoder": encoder.state_dict(), "optimizer": optimizer.state_dict(), "done": step, "of": of}, checkpoint)


def batched(examples: list[Example], pieces: Vocabulary, draw: random.Random) -> list[Batch]:
    """Steps of windows of like length, in any order."""
    ids = pieces.ids((each.text for each in examples), LONGEST)
    order = sorted(range(len(ids)), key=lambda at: len(ids[at]) + 4 * draw.random())
    steps = [order[at : at + WINDOWS] for at in range(0, len(order), WINDOWS)]
    draw.shuffle(steps)
    return [
        (
            [ids[at] for at in step],
            torch.tensor([float(examples[at].crisis) for at in step]),
            torch.tensor([examples[at].weight for at in step]),
        )
        for step in steps
    ]


if __name__ == "__main__":
    main()
