"""How far losses are above those of a reference model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from sluice.block.block import Block
from sluice.feedback.losses import DomainSums
from sluice.feedback.totals import DomainTotals
from sluice.stream.rows import Rows, rows_of
from sluice.torch.modes import (
    Forward,
    buffers_of,
    device_of,
    passed,
    token_losses,
    untouched,
    unwrapped,
)
from sluice.torch.tensors import tensors


class ExcessLoss:
    """Σ max(0, ℓ(θ, x_i) − ℓ_ref(x_i)) over the labels of some rows of each domain, and how many
    labels these are (Xie et al., DoReMi, algorithm 1).

    The reference may be on another device; both models are left as they were, as
    :class:`DomainEvaluator` leaves them. ``rows`` rows are passed at a time.
    """

    def __init__(
        self, model: nn.Module, reference: nn.Module, *, rows: int, forward: Forward
    ) -> None:
        self._model = unwrapped(model)
        self._reference = unwrapped(reference)
        self._rows = rows
        self._forward = forward

    def __call__(self, probes: Mapping[str, Sequence[Block]]) -> DomainTotals:
        """Measures at the model's present parameters, on rows of one length."""
        found = DomainSums(tuple(probes))
        with untouched(self._model), untouched(self._reference), torch.no_grad():
            for place, every in enumerate(probes.values()):
                for at in range(0, len(every), self._rows):
                    part = rows_of(every[at : at + self._rows])
                    own = self._losses(self._model, part)
                    other = self._losses(self._reference, part).to(own.device)
                    excess = (own - other).clamp(min=0).double().sum()
                    found.add(place, float(excess), int(part.label_counts.sum()))
        return found.totals()

    def _losses(self, model: nn.Module, part: Rows) -> Tensor:
        batch = tensors(part, device_of(model))
        return token_losses(passed(model, self._forward, buffers_of(model), batch), batch)
