"""How well the gradient of each domain points where a target set's does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from sluice.block.block import Block
from sluice.errors import EvalSetError
from sluice.evaluation.held_out import ProbeBatches
from sluice.stream.rows import Rows, cut, rows_of
from sluice.torch.modes import (
    Forward,
    buffers_of,
    device_of,
    label_losses,
    logits,
    passed,
    untouched,
    unwrapped,
)
from sluice.torch.tensors import tensors


@dataclass(frozen=True)
class Alignment:
    """Inner products of clipped gradients, and the gradients' norms before they were clipped."""

    dots: dict[str, float]
    norms: dict[str, float]
    target_norm: float

    def measurement(self) -> dict[str, tuple[float, int]]:
        """For :meth:`sluice.FeedbackReporter.measure`; ranks that report the same merge to it."""
        return {domain: (dot, 1) for domain, dot in self.dots.items()}

    def sizes(self) -> dict[str, tuple[float, int]]:
        """The norms, for the same."""
        return {domain: (norm, 1) for domain, norm in self.norms.items()}


class GradientAlignment:
    """⟨∇ℓ(θ, x_i), ∇ℓ(θ, z)⟩ for probe blocks x_i of each domain and a target set z.

    ``probes`` are :class:`~sluice.ProbeBatches`, or the same blocks every time.

    ℓ is the mean loss over the labels of a set. Each gradient is clipped to norm ``max_norm``; None
    leaves it as it is. Two gradients are in memory at a time, whatever the number of domains;
    ``rows`` rows are passed at a time, which are blocks unless ``row_length`` gives the labels of
    shorter ones. The passes run on parameters of their own that share the
    model's memory, in evaluation mode: the model's gradients, hooks, buffers, modes, and the random
    state are left as they were. A model whose parameters are sharded (FSDP) does not fit here.
    ``forward`` maps (model, tensors) to logits [n, L, vocabulary], by default ``model(inputs)``.
    """

    def __init__(
        self,
        model: nn.Module,
        target: Sequence[Block],
        probes: Mapping[str, Sequence[Block]] | ProbeBatches,
        *,
        max_norm: float | None = 1.0,
        rows: int = 8,
        forward: Forward = logits,
        row_length: Callable[[], int] | None = None,
    ) -> None:
        if rows < 1:
            raise ValueError(f"rows must be at least 1: {rows}")
        if max_norm is not None and not max_norm > 0:
            raise ValueError(f"max_norm must be positive: {max_norm}")
        fixed = {} if isinstance(probes, ProbeBatches) else dict(probes)
        empty = [name for name, blocks in {"target set": target, **fixed}.items() if not blocks]
        if empty:
            raise EvalSetError(f"no blocks to take a gradient on: {', '.join(empty)}")
        self._model = unwrapped(model)
        self._target = target
        self._probes = probes if isinstance(probes, ProbeBatches) else fixed
        self._max_norm = max_norm
        self._rows = rows
        self._forward = forward
        self._row_length = row_length

    def __call__(self, draw: int = 0) -> Alignment:
        """Measures at the model's present parameters; ``draw`` is that of the probe batches."""
        drawn = self._probes
        probes = drawn.batch(draw) if isinstance(drawn, ProbeBatches) else drawn
        with untouched(self._model), torch.set_grad_enabled(True):
            target = self._gradient(self._target)
            target_norm = _norm(target)
            dots: dict[str, float] = {}
            norms: dict[str, float] = {}
            for domain, blocks in probes.items():
                probe = self._gradient(blocks)
                norms[domain] = _norm(probe)
                scale = self._clip(norms[domain]) * self._clip(target_norm)
                dots[domain] = scale * _dot(probe, target)
                del probe  # before the next domain's gradient is there
        return Alignment(dots, norms, target_norm)

    def _clip(self, norm: float) -> float:
        if self._max_norm is None or norm <= self._max_norm:
            return 1.0
        return self._max_norm / norm

    def _gradient(self, blocks: Sequence[Block]) -> dict[str, Tensor]:
        """Gradient of the mean loss, summed in place over the parts."""
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


def _norm(gradient: dict[str, Tensor]) -> float:
    squares = [torch.linalg.vector_norm(g.float()).double() ** 2 for g in gradient.values()]
    return float(torch.stack(squares).sum().sqrt()) if squares else 0.0


def _dot(one: dict[str, Tensor], other: dict[str, Tensor]) -> float:
    products = [
        torch.dot(one[name].flatten().float(), other[name].flatten().float()).double()
        for name in one
        if name in other
    ]
    return float(torch.stack(products).sum()) if products else 0.0
