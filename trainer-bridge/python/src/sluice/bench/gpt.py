"""A GPT of any size, for timing what a real training step takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn


@dataclass(frozen=True)
class Size:
    """Layers of ``width``, with heads of 64."""

    layers: int
    width: int
    vocabulary: int


class GPT(nn.Module):
    """Decoder layers over tokens and their places in a row, each attending to what came before."""

    def __init__(self, size: Size, length: int) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(
            size.width,
            max(1, size.width // 64),
            4 * size.width,
            dropout=0.0,
            activation="gelu",
            batch_first=True,
            norm_first=True,
        )
        self.tokens = nn.Embedding(size.vocabulary, size.width)
        self.places = nn.Parameter(torch.zeros(length, size.width))
        self.layers = nn.TransformerEncoder(layer, size.layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(size.width)
        self.head = nn.Linear(size.width, size.vocabulary, bias=False)
        self.register_buffer("later", nn.Transformer.generate_square_subsequent_mask(length))

    def forward(self, inputs: Any) -> Any:
        """Logits [n, L, vocabulary] for inputs [n, L]."""
        length = inputs.shape[1]
        x = self.tokens(inputs) + self.places[:length]
        x = self.layers(x, self.later[:length, :length], is_causal=True)
        return self.head(self.norm(x))
