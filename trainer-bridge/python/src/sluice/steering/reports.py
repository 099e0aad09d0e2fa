"""What trainers measured at the steps of rounds, by the rules that the service has for it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sluice import wire
from sluice.errors import WireFormatError
from sluice.kafka.access import LogRecord
from sluice.steering.round import Means

_MOST_OPEN = 16  # attempts of one metric and step
_MOST_SUMS = 1 << 24
_MOST_WORLD = 1 << 16
_MOST_STEPS = 1024  # the oldest go first
_NOTHING = (-1, -1)

Totals = Mapping[str, tuple[float, int]]


@dataclass
class _Attempt:
    world_size: int
    ranks: dict[int, Totals] = field(default_factory=dict)


@dataclass(frozen=True)
class Won:
    """The attempt that counts, and the sums and counts of all its ranks."""

    attempt: str
    totals: Totals

    def means(self) -> Means:
        """Of everything that was measured."""
        means = {name: total / count for name, (total, count) in self.totals.items() if count}
        return {name: mean for name, mean in means.items() if math.isfinite(mean)}


class MetricReports:
    """The reports of one metric at one step, in the order of the log: the first attempt of which
    all ranks are there wins."""

    def __init__(self) -> None:
        self.won: Won | None = None
        self._open: dict[str, _Attempt] = {}
        self._sums = 0

    def take(self, attempt: str, world_size: int, rank: int, totals: Totals) -> str:
        """What becomes of a report, in the words of the protocol's page."""
        if self.won is not None:
            return "decided"
        if attempt not in self._open and not self._has_room():
            return "too-many"
        found = self._open.get(attempt) or _Attempt(world_size)
        if found.world_size != world_size:
            return "world-size-differs"
        if rank in found.ranks:
            return "duplicate"
        if self._sums + len(totals) > _MOST_SUMS:
            return "too-many"
        self._sums += len(totals)
        self._open[attempt] = found
        found.ranks[rank] = totals
        if len(found.ranks) == world_size:
            self.won = Won(attempt, _added(found.ranks))
            self._open.clear()
        return "counted"

    def _has_room(self) -> bool:
        if len(self._open) < _MOST_OPEN:
            return True
        single = next((key for key, one in self._open.items() if len(one.ranks) == 1), None)
        if single is None:
            return False
        (totals,) = self._open.pop(single).ranks.values()
        self._sums -= len(totals)
        return True


def _added(ranks: Mapping[int, Totals]) -> Totals:
    sums: dict[str, tuple[float, int]] = {}
    for rank in sorted(ranks):
        for name, (total, count) in ranks[rank].items():
            before, counted = sums.get(name, (0.0, 0))
            sums[name] = before + total, counted + count
    return sums


class Measurement(NamedTuple):
    """A metric at a step of a timeline."""

    timeline: int
    step: int
    metric: str


class Reports:
    """The reports of one run, by the timeline and step that they are of."""

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        self._settled = _NOTHING
        self._steps: dict[tuple[int, int], dict[str, MetricReports]] = {}

    def take(self, record: LogRecord) -> None:
        """Takes a record of the feedback topic; those of other runs, progress, and what nobody can
        use are passed over."""
        self.completed_by(record)

    def completed_by(self, record: LogRecord) -> Measurement | None:
        """Takes a record as :meth:`take` does; the measurement that all ranks have reported with
        it, if it was the last that was missing."""
        if wire.type_of(record.value) != "TrainerFeedback":
            return None
        try:
            report = wire.decode_as("TrainerFeedback", record.value)
        except WireFormatError:
            return None
        totals = {one["domain"]: (one["sum"], one["count"]) for one in report["entries"]}
        if report["runId"] != self._run_id or not self._counts(report, totals):
            return None
        of = Measurement(report["timeline"], report["step"], report["metric"])
        reports = self._at(of.timeline, of.step).setdefault(of.metric, MetricReports())
        before = reports.won
        reports.take(report["attempt"], report["worldSize"], report["rank"], totals)
        return of if before is None and reports.won is not None else None

    def _counts(self, report: wire.Record, totals: Totals) -> bool:
        old = self._is_old(report["timeline"], report["step"])
        return not old and _is_usable(report, totals)

    def _at(self, timeline: int, step: int) -> dict[str, MetricReports]:
        found = self._steps.setdefault((timeline, step), {})
        if len(self._steps) > _MOST_STEPS:
            del self._steps[next(iter(self._steps))]
        return found

    def won(self, timeline: int, step: int, metric: str) -> Means | None:
        """The means of a metric; None until all ranks have reported."""
        reports = self._steps.get((timeline, step), {}).get(metric)
        return None if reports is None or reports.won is None else reports.won.means()

    def awaited(self, timeline: int, step: int, metrics: Iterable[str]) -> list[str]:
        """Those of some metrics that are not there yet."""
        return [name for name in metrics if self.won(timeline, step, name) is None]

    def forget(self, timeline: int, step: int) -> None:
        """Passes over, from now on, what is of a step up to one, of its timeline or an earlier
        one."""
        self._settled = (timeline, step)
        self._steps = {key: found for key, found in self._steps.items() if not self._is_old(*key)}

    def _is_old(self, timeline: int, step: int) -> bool:
        return timeline <= self._settled[0] and step <= self._settled[1]

    def clear(self) -> None:
        """Forgets all that was taken, and what was to be passed over."""
        self._settled = _NOTHING
        self._steps.clear()


def _is_usable(report: wire.Record, totals: Totals) -> bool:
    return (
        report["step"] >= 0
        and bool(report["attempt"])
        and 0 <= report["rank"] < report["worldSize"] <= _MOST_WORLD
        and len(totals) == len(report["entries"])
        and all(math.isfinite(total) and count >= 0 for total, count in totals.values())
    )
