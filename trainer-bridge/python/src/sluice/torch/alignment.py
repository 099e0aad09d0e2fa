"""How well the gradient of each domain points where a target set's does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import nn

from sluice.block.block import Block
from sluice.errors import EvalSetError
from sluice.evaluation.held_out import ProbeBatches
from sluice.torch.gradients import Gradients, dot, norm_of
from sluice.torch.modes import Forward, logits, untouched, unwrapped


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
        gradients = Gradients(unwrapped(model), max_norm, rows, forward, row_length)
        fixed = {} if isinstance(probes, ProbeBatches) else dict(probes)
        empty = [name for name, blocks in {"target set": target, **fixed}.items() if not blocks]
        if empty:
            raise EvalSetError(f"no blocks to take a gradient on: {', '.join(empty)}")
        self._model = unwrapped(model)
        self._target = target
        self._probes = probes if isinstance(probes, ProbeBatches) else fixed
        self._gradients = gradients

    def __call__(self, draw: int = 0) -> Alignment:
        """Measures at the model's present parameters; ``draw`` is that of the probe batches."""
        drawn = self._probes
        probes = drawn.batch(draw) if isinstance(drawn, ProbeBatches) else drawn
        with untouched(self._model), torch.set_grad_enabled(True):
            target = self._gradients.of(self._target)
            target_norm = norm_of(target)
            dots: dict[str, float] = {}
            norms: dict[str, float] = {}
            for domain, blocks in probes.items():
                probe = self._gradients.of(blocks)
                norms[domain] = norm_of(probe)
                scale = self._gradients.clip(norms[domain]) * self._gradients.clip(target_norm)
                dots[domain] = scale * dot(probe, target)
                del probe  # before the next domain's gradient is there
        return Alignment(dots, norms, target_norm)
