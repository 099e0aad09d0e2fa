"""Gradients of a model on blocks, beside its training."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from sluice.block.block import Block
from sluice.errors import EvalSetError
from sluice.stream.rows import Rows, cut, rows_of
from sluice.torch.modes import Forward, buffers_of, device_of, label_losses, passed
from sluice.torch.tensors import tensors

Gradient = dict[str, Tensor]


class Gradients:
    """Gradients of the mean loss over the labels of blocks, on parameters that share the model's
    memory; ``rows`` rows are passed at a time. To be used where the model is
    :func:`~sluice.torch.modes.untouched`."""

    def __init__(
        self,
        model: nn.Module,
        max_norm: float | None,
        rows: int,
        forward: Forward,
        row_length: Callable[[], int] | None,
    ) -> None:
        if rows < 1:
            raise ValueError(f"rows must be at least 1: {rows}")
        if max_norm is not None and not max_norm > 0:
            raise ValueError(f"max_norm must be positive: {max_norm}")
        self._model = model
        self._max_norm = max_norm
        self._rows = rows
        self._forward = forward
        self._row_length = row_length

    def clip(self, norm: float) -> float:
        """What a gradient of a norm is scaled by."""
        if self._max_norm is None or norm <= self._max_norm:
            return 1.0
        return self._max_norm / norm

    def of(self, blocks: Sequence[Block]) -> Gradient:
        """By parameter, summed in place over the parts."""
        leaves = {
            name: parameter.detach().requires_grad_(parameter.requires_grad)
            for name, parameter in self._model.named_parameters()
        }
        buffers = buffers_of(self._model)
        cuts = cut(blocks, self._row_length)
        parts = [rows_of(cuts[at : at + self._rows]) for at in range(0, len(cuts), self._rows)]
        labels = sum(int(part.label_counts.sum()) for part in parts)
        if labels == 0:
            raise EvalSetError("no label of these blocks counts in the loss")
        for part in parts:
            torch.autograd.backward(self._loss(leaves | buffers, part).div(labels))
        return {name: leaf.grad for name, leaf in leaves.items() if leaf.grad is not None}

    def _loss(self, state: dict[str, Tensor], part: Rows) -> Tensor:
        batch = tensors(part, device_of(self._model))
        scores = passed(self._model, self._forward, state, batch)
        return label_losses(scores, batch).sum()


def norm_of(gradient: Gradient) -> float:
    """The norm over all parameters."""
    squares = [torch.linalg.vector_norm(g.float()).double() ** 2 for g in gradient.values()]
    return float(torch.stack(squares).sum().sqrt()) if squares else 0.0


def dot(one: Gradient, other: Gradient) -> float:
    """The inner product over all parameters."""
    products = [
        torch.dot(one[name].flatten().float(), other[name].flatten().float()).double()
        for name in one
        if name in other
    ]
    return float(torch.stack(products).sum()) if products else 0.0
