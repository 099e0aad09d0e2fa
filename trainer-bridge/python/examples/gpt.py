"""A small GPT whose attention stays within the documents that share a row."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


class Layer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before_attention, self.before_feed = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        n, length, width = x.shape
        parts = self.qkv(self.before_attention(x)).view(n, length, 3, self.heads, -1)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        found = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.out(found.transpose(1, 2).reshape(n, length, width))
        return x + self.feed(self.before_feed(x))


class GPT(nn.Module):
    def __init__(
        self, vocabulary: int, length: int, width: int = 64, layers: int = 2, heads: int = 4
    ) -> None:
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary)

    def forward(self, inputs: Tensor, position_ids: Tensor) -> Tensor:
        """Logits [n, L, vocabulary] for inputs and their positions in their documents, [n, L]."""
        length = inputs.shape[1]
        document = (position_ids == 0).cumsum(dim=1)
        same = document[:, None, :, None] == document[:, None, None, :]
        causal = torch.ones(length, length, dtype=torch.bool, device=inputs.device).tril()
        x = self.tokens(inputs) + self.positions(position_ids)
        for layer in self.layers:
            x = layer(x, same & causal)
        logits: Tensor = self.head(self.norm(x))
        return logits


def logits(model: nn.Module, batch: dict[str, Tensor]) -> Tensor:
    """What the model says of a batch of sluice.torch.tensors."""
    found: Tensor = model(batch["inputs"], batch["position_ids"])
    return found
