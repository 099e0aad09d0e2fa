"""What a policy function is asked, and what it may answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import SupportsFloat

import numpy as np
from numpy.typing import NDArray

from sluice.wire.metrics import EVAL_LOSS

Means = Mapping[str, float]
Weights = Mapping[str, SupportsFloat] | Sequence[SupportsFloat] | NDArray[np.floating]


@dataclass(frozen=True)
class Round:
    """A round whose weights are to be decided: what is known after ``step`` batches of the run.

    ``weights`` are those that the round begins with, of every domain that is in the run, in its
    order, summing to 1. ``metrics`` are means by domain, or by what else is measured, by the
    metric's name; what was not measured is left out.
    """

    step: int
    weights: Means
    metrics: Mapping[str, Means] = field(default_factory=dict)

    def __post_init__(self) -> None:
        metrics = {name: _frozen(means) for name, means in self.metrics.items()}
        object.__setattr__(self, "weights", _frozen(self.weights))
        object.__setattr__(self, "metrics", MappingProxyType(metrics))

    @property
    def domains(self) -> tuple[str, ...]:
        """Names of the domains, in the run's order."""
        return tuple(self.weights)

    @property
    def losses(self) -> Means:
        """Held-out losses in nats per token, by domain."""
        return self.metrics.get(EVAL_LOSS, _NOTHING)


PolicyFunction = Callable[[Round], Weights | None]
"""Decides the weights of a round: by domain, or one for each of ``round.domains``. Weights of all
domains are in any scale. One that is left out counts with its present share beside them, so that
the others are best answered as shares, too; with None all weights stay."""


def _frozen(means: Means) -> Means:
    return MappingProxyType(dict(means))


_NOTHING = _frozen({})
