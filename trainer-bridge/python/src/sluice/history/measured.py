"""What trainers said of a run's batches: their losses, and how far they were."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sluice import wire
from sluice.errors import WireFormatError
from sluice.history.decided import millis
from sluice.kafka.access import LogRecord
from sluice.steering.reports import Reports
from sluice.wire.metrics import EVAL_LOSS, EXCESS_LOSS, PERPLEXITY, TRAIN_LOSS

LOSSES = (EVAL_LOSS, TRAIN_LOSS, EXCESS_LOSS, PERPLEXITY)
"""Metrics with a value for each domain that rows have, by their names on the wire."""
_MOST_WORLD = 1 << 16
_MOST_TIMELINES = 1024  # of which something is said; the oldest go first
_MOST_TIMES = 1 << 16  # batches


@dataclass
class _World:
    """The newest ranks that say how far they are."""

    size: int
    ranks: dict[int, int] = field(default_factory=dict)


class Measured:
    """The fold of one run's records of its feedback topic, in their order.

    A rank says what it measured at a step before it says that it is beyond it. So nothing more is
    expected of a batch once every rank of the newest world was there, or has reported of a later
    step.
    """

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        self._reports = Reports(run_id)
        self._worlds: dict[int, _World] = {}
        self._trained: dict[int, int] = {}
        self._times: dict[int, dict[int, int]] = {}  # by batch, and then by timeline

    def take(self, record: LogRecord) -> None:
        """Takes a record; what nobody can use is passed over."""
        if wire.type_of(record.value) == "TrainerProgress":
            self._progress(record)
            return
        won = self._reports.completed_by(record)
        if won is not None and won.metric in LOSSES:
            self._reached(won.timeline, won.step - 1)

    def _progress(self, record: LogRecord) -> None:
        try:
            said = wire.decode_as("TrainerProgress", record.value)
        except WireFormatError:
            return
        timeline, batch, size, rank = (
            said[key] for key in ("timeline", "batch", "worldSize", "rank")
        )
        usable = 0 <= rank < size <= _MOST_WORLD and timeline >= 0 and batch >= 0
        if said["runId"] != self._run_id or not usable:
            return
        times = self._times.setdefault(batch, {})
        times.setdefault(timeline, millis(said["timeMillis"]))
        _bound(times, _MOST_TIMELINES)
        _bound(self._times, _MOST_TIMES)
        world = self._worlds.get(timeline)
        if world is None or world.size != size:
            world = self._worlds[timeline] = _World(size)
            _bound(self._worlds, _MOST_TIMELINES)
        world.ranks[rank] = max(batch, world.ranks.get(rank, 0))
        if len(world.ranks) == size:
            self._reached(timeline, min(world.ranks.values()))

    def _reached(self, timeline: int, batch: int) -> None:
        self._trained[timeline] = max(batch, self._trained.get(timeline, -1))
        _bound(self._trained, _MOST_TIMELINES)

    def trained(self, timeline: int, newest: int) -> int:
        """The last batch of a timeline that all trainers are done with; -1 if there is none.

        Who follows a later timeline, up to the newest that there is, is done with those batches
        that it goes on from.
        """
        reached = (to for of, to in self._trained.items() if timeline <= of <= newest)
        return max(reached, default=-1)

    def first_said(self, timeline: int, batch: int) -> int | None:
        """When a trainer first said that it had trained on a timeline's batch, in milliseconds
        since 1970; None if none has."""
        said = self._times.get(batch, {})
        return min((when for of, when in said.items() if of >= timeline), default=None)

    def has(self, timeline: int, step: int, metric: str) -> bool:
        """Whether all ranks have reported a metric of a step."""
        return self._reports.won(timeline, step, metric) is not None

    def losses(
        self, timeline: int, step: int, domains: tuple[str, ...]
    ) -> dict[str, NDArray[np.float64]]:
        """Means by metric, of each domain; NaN for one that was not measured."""
        found = {}
        for metric in LOSSES:
            means = self._reports.won(timeline, step, metric)
            if means:
                found[metric] = np.array([means.get(name, np.nan) for name in domains])
        return found

    def forget(self, timeline: int, batch: int) -> None:
        """Lets go of what is of the batches up to one, of its timeline or an earlier one."""
        self._reports.forget(timeline, batch)
        self._times.pop(batch, None)


def _bound(of: dict[int, Any], most: int) -> None:
    while len(of) > most:
        del of[next(iter(of))]
