"""What makes probabilities of log-odds, and which windows are read first: set on authors that were not learnt from."""

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

import windows
from encoder import Encoder
from examples import KEPT_APART, Examples, one_line, read
from vocabulary import Vocabulary

LONGEST = 110
"""Tokens of a window."""


@dataclass(frozen=True)
class Calibration:
    """Probability = sigmoid(slope · (greatest log-odds - per_log_window · ln(windows)) + intercept), as the service has it."""

    slope: float
    intercept: float
    per_log_window: float


def kept_apart() -> list[tuple[str, bool]]:
    lists = [each for name in ("sentences.jsonl", "check-ins.jsonl") for each in read(name) if each["author"] in KEPT_APART]
    return [(one_line(each["text"]), each["level"] == "high") for each in [*lists, *read("kept-apart.jsonl")] if each["level"] in ("high", "none")]


def log_odds(encoder: Encoder, pieces: Vocabulary, texts: list[str]) -> list[torch.Tensor]:
    """Of each window of each text."""
    cut: list[str] = []
    owner: list[int] = []
    for number, text in enumerate(texts):
        places = windows.words(text)
        for start in windows.starts(len(places)):
            cut.append(windows.cut(text, places, start))
            owner.append(number)
    ids = pieces.ids(cut, LONGEST)
    order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
    odds = torch.zeros(len(ids))
    with torch.no_grad():
        for at in range(0, len(order), 64):
            step = order[at : at + 64]
            odds[step] = encoder([ids[each] for each in step])
    of = torch.tensor(owner)
    return [odds[of == number] for number in range(len(texts))]


def calibrated(encoder: Encoder, pieces: Vocabulary) -> Calibration:
    """By maximum likelihood (Platt 1999)."""
    texts = kept_apart()
    odds = log_odds(encoder, pieces, [text for text, _ in texts])
    greatest = torch.stack([each.max() for each in odds])
    count = torch.tensor([float(len(each)) for each in odds]).log()
    crisis = torch.tensor([float(is_crisis) for _, is_crisis in texts])
    fitted = nn.Parameter(torch.tensor([1.0, 0.0, 0.5]))
    optimizer = torch.optim.LBFGS([fitted], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        value = F.binary_cross_entropy_with_logits(fitted[0] * (greatest - fitted[2] * count) + fitted[1], crisis)
        value.backward()
        return value

    optimizer.step(loss)
    slope, intercept, per_log_window = fitted.tolist()
    return Calibration(slope, intercept, per_log_window)


def suspicion(examples: Examples, pieces: Vocabulary) -> torch.Tensor:
    """What each piece counts in the first look at a window: the weights of a logistic regression on the pieces alone."""
    torch.manual_seed(examples.seed)
    of_pass = examples.of_pass(0)
    ids = pieces.ids((each.text for each in of_pass), LONGEST)
    crisis = torch.tensor([float(each.crisis) for each in of_pass])
    weight = torch.tensor([each.weight for each in of_pass])
    bag = nn.EmbeddingBag(len(pieces.kept), 1, mode="sum")
    nn.init.zeros_(bag.weight)
    bias = nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.Adam([*bag.parameters(), bias], lr=0.01)
    for _ in range(4):
        for step in torch.randperm(len(ids)).split(256):
            window = [torch.tensor(ids[each]) for each in step.tolist()]
            offsets = torch.tensor([0, *[len(each) for each in window[:-1]]]).cumsum(0)
            odds = bag(torch.cat(window).long(), offsets).squeeze(1) + bias
            loss = (F.binary_cross_entropy_with_logits(odds, crisis[step], reduction="none") * weight[step]).mean()
            optimizer.zero_grad()
            (loss + 1e-5 * bag.weight.pow(2).sum()).backward()
            optimizer.step()
    return bag.weight.detach().squeeze(1)
