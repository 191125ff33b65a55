"""The encoder: the lower layers of the source with its embeddings as they are, and a head that reads the mean of a window's tokens."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from source import Source
from vocabulary import Vocabulary

LAYERS = 6
HEAD = 128
DROPOUT = 0.1


class Layer(nn.Module):
    """A layer of BERT (Devlin et al. 2019, arXiv:1810.04805)."""

    def __init__(self, source: Source, number: int):
        super().__init__()
        size, inner = source.hidden, source.intermediate
        self.heads = source.heads
        self.attention_in = nn.Linear(size, 3 * size)
        self.attention_out = nn.Linear(size, size)
        self.attention_norm = nn.LayerNorm(size, source.epsilon)
        self.inner = nn.Linear(size, inner)
        self.outer = nn.Linear(inner, size)
        self.norm = nn.LayerNorm(size, source.epsilon)

        def matrix(name: str, rows: int, columns: int) -> np.ndarray:
            return source.matrix(f"l{number}.{name}.w", rows, columns)

        def vector(name: str) -> np.ndarray:
            return source.vector(f"l{number}.{name}")

        fill(self.attention_in, np.concatenate([matrix(name, size, size) for name in "qkv"]), np.concatenate([vector(f"{name}.b") for name in "qkv"]))
        fill(self.attention_out, matrix("ao", size, size), vector("ao.b"))
        fill(self.attention_norm, vector("aln.w"), vector("aln.b"))
        fill(self.inner, matrix("fi", inner, size), vector("fi.b"))
        fill(self.outer, matrix("fo", size, inner), vector("fo.b"))
        fill(self.norm, vector("oln.w"), vector("oln.b"))

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        count, length, size = x.shape
        query, key, value = self.attention_in(x).view(count, length, 3, self.heads, size // self.heads).permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(query, key, value, attn_mask=mask).transpose(1, 2).reshape(count, length, size)
        x = self.attention_norm(x + F.dropout(self.attention_out(attended), DROPOUT, self.training))
        return self.norm(x + F.dropout(self.outer(F.gelu(self.inner(x))), DROPOUT, self.training))


class Encoder(nn.Module):
    """Log-odds of a crisis for each window of tokens."""

    def __init__(self, source: Source, vocabulary: Vocabulary, layers: int = LAYERS):
        super().__init__()
        size = source.hidden
        words = source.matrix("emb.word", source.rows, size)[vocabulary.kept]
        positions = source.vector("emb.pos").reshape(-1, size) + source.vector("emb.type").reshape(-1, size)[0]
        # What ties the languages together is left as it is
        self.words = nn.Parameter(torch.from_numpy(words), requires_grad=False)
        self.positions = nn.Parameter(torch.from_numpy(positions), requires_grad=False)
        self.norm = nn.LayerNorm(size, source.epsilon).requires_grad_(False)
        fill(self.norm, source.vector("emb.ln.w"), source.vector("emb.ln.b"))
        self.layers = nn.ModuleList(Layer(source, number) for number in range(layers))
        self.hidden = nn.Linear(size, HEAD)
        self.out = nn.Linear(HEAD, 1)
        self.start, self.end = vocabulary.start, vocabulary.end

    def forward(self, windows: list[list[int]]) -> torch.Tensor:
        lengths = torch.tensor([len(ids) + 2 for ids in windows])
        longest = int(lengths.max())
        ids = torch.full((len(windows), longest), self.end)
        for row, window in enumerate(windows):
            ids[row, : len(window) + 2] = torch.tensor([self.start, *window, self.end])
        real = torch.arange(longest)[None] < lengths[:, None]
        x = self.norm(F.embedding(ids, self.words) + self.positions[:longest])
        mask = None if bool(real.all()) else real[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        mean = (x * real[..., None]).sum(1).float() / lengths[:, None]
        return self.out(F.dropout(F.relu(self.hidden(mean)), DROPOUT, self.training)).squeeze(-1).float()


def fill(module: nn.Linear | nn.LayerNorm, weight: np.ndarray, bias: np.ndarray) -> None:
    module.weight.data = torch.from_numpy(weight.reshape(module.weight.shape))
    module.bias.data = torch.from_numpy(bias)
