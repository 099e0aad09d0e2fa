"""The course of a run, thinned to what can be seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sluice.history.measured import LOSSES
from sluice.history.row import Row
from sluice.run.heaviest import heaviest
from sluice.run.info import RunInfo

_MOST_POINTS = 400


class Point(NamedTuple):
    """Values [domains] from a batch on, or at it."""

    batch: int
    values: NDArray[np.float64]


class Course:
    """Takes a run's rows in order, and keeps the weights and the losses of at most some hundred
    batches: every second goes when there are more."""

    def __init__(self, run: RunInfo) -> None:
        self.run = run
        self.domains: tuple[str, ...] = run.domains
        self.first = 0
        self.last = 0
        self.weights: list[Point] = []
        self.targets: NDArray[np.float64] = np.full(len(run.domains), np.nan)
        self._losses: dict[str, list[Point]] = {}

    def add(self, row: Row) -> None:
        """Takes the next row."""
        if not self.weights:
            self.first = row.batch
        self.last = row.batch
        self.domains, self.targets = row.domains, row.targets
        before = self.weights[-1].values if self.weights else None
        if before is None or not np.array_equal(before, row.weights):
            _add(self.weights, Point(row.batch, row.weights))
        for metric, values in row.losses.items():
            _add(self._losses.setdefault(metric, []), Point(row.batch, values))

    @property
    def metric(self) -> str:
        """The losses that are shown: those that were held out, if there are some; '' for none."""
        return next((name for name in LOSSES if name in self._losses), "")

    @property
    def losses(self) -> list[Point]:
        """Of that metric."""
        return self._losses.get(self.metric, [])

    def greatest(self, most: int) -> list[int]:
        """Places of the domains that have had the greatest weights, in the run's order."""
        peak = np.zeros(len(self.domains))
        for _, values in self.weights:
            np.maximum(peak[: values.size], values, out=peak[: values.size])
        return [int(place) for place in heaviest(peak, most)]

    def of(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values of all domains that there are by now; those that were added later had none."""
        whole = np.full(len(self.domains), np.nan)
        whole[: values.size] = values
        return whole


def _add(points: list[Point], one: Point) -> None:
    points.append(one)
    if len(points) > 2 * _MOST_POINTS:
        del points[1::2]
