"""How large the gradient of each domain is, and how much of it is noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import torch
from torch import nn

from sluice.block.block import Block
from sluice.torch.gradients import Gradients, norm_of
from sluice.torch.modes import Forward, logits, untouched, unwrapped


class Moments(NamedTuple):
    """Of a domain's gradient the squared norm, and the variance of one sequence's."""

    square: float
    variance: float


class GradientMoments:
    """Of the n sequences of a domain's probe blocks, with gradients h_r whose mean is h:

    variance = (Σ ‖h_r‖² - n ‖h‖²) / (n - 1), square = ‖h‖² - variance / n,

    which estimate the variance of one sequence's gradient and the squared norm of all sequences'
    without bias; a square may come out below 0. A sequence counts by its labels, as in the loss.
    Nothing is clipped, one gradient is in memory at a time, and how the model is left is as with
    :class:`~sluice.torch.GradientAlignment`. A domain with one sequence is left out.
    """

    def __init__(
        self,
        model: nn.Module,
        probes: Mapping[str, Sequence[Block]],
        *,
        rows: int = 8,
        forward: Forward = logits,
        row_length: Callable[[], int] | None = None,
    ) -> None:
        self._model = unwrapped(model)
        self._gradients = Gradients(self._model, None, rows, forward, row_length)
        self._probes = dict(probes)

    def __call__(self) -> dict[str, Moments]:
        """The moments of each domain at the model's present parameters."""
        with untouched(self._model), torch.set_grad_enabled(True):
            return {
                domain: self._moments(blocks)
                for domain, blocks in self._probes.items()
                if len(blocks) > 1
            }

    def _moments(self, blocks: Sequence[Block]) -> Moments:
        count = len(blocks)
        labels = [int(block.loss_mask.sum()) for block in blocks]
        squares = sum(
            (count * own / sum(labels)) ** 2 * self._squared([block])
            for block, own in zip(blocks, labels, strict=True)
            if own > 0
        )
        of_mean = self._squared(blocks)
        variance = max(0.0, squares - count * of_mean) / (count - 1)
        return Moments(of_mean - variance / count, variance)

    def _squared(self, blocks: Sequence[Block]) -> float:
        return norm_of(self._gradients.of(blocks)) ** 2
