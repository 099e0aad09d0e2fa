"""The rows of one run, in the order of its batches, each once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sluice.errors import InvalidState, StreamCorrupt
from sluice.history.decided import Decided, Decision
from sluice.history.measured import LOSSES, Measured
from sluice.history.row import Mark, Row, targets_of
from sluice.kafka.access import LogRecord
from sluice.run.control import ControlLog
from sluice.run.info import RunInfo
from sluice.run.mixture import ONE
from sluice.run.supply import Supply

_COMPLETE = {"completed", "stopped"}
_OFTEN = 256  # batches, after which the log's own counts of them are let go


class RunRows:
    """The rows of a run, of what its control log and its feedback say: a pure function of both.

    A row is given once all that is expected of its batch was said: the batch is granted, all
    trainers are beyond it or have said so, and the losses that the run waits for there have been
    reported, or their round was decided without them. After a rewind the rows of the new timeline's
    batches follow those that were given.

    ``after`` is the last row that is not to be given again. The control log is read by
    :meth:`refresh`, the feedback is given to :meth:`take`, in its order and from its beginning.
    """

    def __init__(self, run: RunInfo, control: ControlLog, after: Mark | None = None) -> None:
        self._control = control
        self._mark = after
        self._supply = Supply(run)
        self._targets = (run, targets_of(run))
        self._measured = Measured(run.run_id)
        self._decided = Decided(0)
        self._control.follow(self._begin)
        self._start_at(0 if after is None else after.batch)
        self._asked = -1 if after is None else after.batch

    def _begin(self, first: int) -> Decided:
        self._decided = Decided(first)
        return self._decided

    def _start_at(self, batch: int) -> None:
        """Reads the log again from where batches after this one can be told."""
        self._control.start_over(batch)
        self._asked = batch

    def refresh(self) -> None:
        """Brings the control log up to date; raises :class:`~sluice.errors.KafkaUnreachable`, and
        :class:`~sluice.errors.InvalidState` where the log has never had the last row's timeline."""
        self._control.refresh()
        if self._next_batch() <= self._asked:  # a rewind
            self._start_at(self._next_batch() - 1)
            self._control.refresh()
        self._require_known()

    def _require_known(self) -> None:
        newest = self._control.timeline.timelines.newest
        if self._mark is not None and self._mark.timeline > newest and self.started:
            raise InvalidState(
                f"the last row must be of a timeline that run {self.run.run_id} has, from 0 to "
                f"{newest}: {self._mark.timeline}"
            )

    def take(self, record: LogRecord) -> None:
        """Takes a record of the run's feedback topic."""
        self._measured.take(record)

    @property
    def run(self) -> RunInfo:
        """The run under the specification that it goes on with."""
        return self._control.timeline.run

    @property
    def started(self) -> bool:
        """Whether the log has the run's start, as far as it was read."""
        return self._control.fold.timeline is not None

    @property
    def state(self) -> str:
        """What the run is, such as ``running``."""
        return self._control.fold.state

    @property
    def granted(self) -> int:
        """The last granted batch."""
        return self._control.fold.granted

    @property
    def mark(self) -> Mark | None:
        """The last row that was given."""
        return self._mark

    @property
    def left(self) -> int:
        """How many batches are granted whose rows were not given."""
        return max(self.granted - max(self._next_batch(), 1) + 1, 0)

    @property
    def is_complete(self) -> bool:
        """Whether nothing more will be granted, because the run ended well."""
        return self.state in _COMPLETE

    @property
    def is_over(self) -> bool:
        """Whether no row will follow: the run failed or was deleted, or all rows were given."""
        return self._control.fold.emits_no_more or (self.is_complete and self.left == 0)

    def ready(self, *, granted: bool = False) -> Iterator[Row]:
        """The rows that can be given now, and were not; with ``granted`` those of all batches that
        are granted, whatever was said of them."""
        while self.started and self._next_batch() > self._asked:
            batch = self._next_batch()
            if not 0 <= batch <= self.granted or not (granted or self._is_said(batch)):
                return
            timeline = self._control.timeline.timelines.owner(batch)
            row = self._row(timeline, batch)
            self._mark = Mark(timeline, batch)
            self._forget(timeline, batch)
            if row is not None:
                yield row

    def _next_batch(self) -> int:
        """The batch after those whose rows were given and still stand; 0 is what was measured
        before the first one of a run that was not forked."""
        first = self._control.timeline.timelines.first.after
        if self._mark is None:
            return 0 if first == 0 else first + 1
        stands = min(self._mark.batch, self._control.timeline.timelines.end(self._mark.timeline))
        return max(stands, first) + 1

    def _is_said(self, batch: int) -> bool:
        timelines = self._control.timeline.timelines
        owner = timelines.owner(batch)
        closed = self._decided.closed
        return batch <= self._measured.trained(owner, timelines.newest) and (
            0 < closed >= batch or self._has_losses(owner, batch)
        )

    def _has_losses(self, timeline: int, batch: int) -> bool:
        required = self._control.timeline.run_at(batch + 1).metrics
        due = [name for name in LOSSES if name in required and required[name].is_due(batch)]
        return all(self._measured.has(timeline, batch, name) for name in due)

    def _forget(self, timeline: int, batch: int) -> None:
        self._measured.forget(timeline, batch)
        if batch % _OFTEN == 0:
            self._decided.forget(timeline, batch)
            if batch > 0:
                self._control.mixture(batch, self._supply)
        self._asked = batch

    def _row(self, timeline: int, batch: int) -> Row | None:
        known = self._control.timeline
        run = known.run_at(batch)
        losses = self._measured.losses(timeline, batch, run.domains)
        decision = self._decided.of(timeline, batch)
        if batch == 0:
            return None if not losses else self._before_first(run, losses)
        if decision is None:
            raise StreamCorrupt(
                f"control log of run {run.run_id}: batch {batch} of timeline {timeline} must be "
                f"granted, up to batch {self.granted}: no grant has it"
            )
        weights, counts = decision.granted.weights, decision.counts(batch)
        if weights.size != len(run.domains):
            raise StreamCorrupt(
                f"control log of run {run.run_id}: the grant of batch {batch} must have "
                f"{len(run.domains)} weights, one of each domain: {weights.size}"
            )
        said = self._measured.first_said(timeline, batch)
        size = int(counts.sum())
        return Row(
            timeline=timeline,
            batch=batch,
            seconds=(decision.millis if said is None else said) / 1000,
            tokens_seen=(known.first_index(batch) + size) * run.sequence_length,
            weights_version=decision.granted.version,
            round=decision.round,
            domains=run.domains,
            weights=weights,
            shares=counts / max(size, 1),
            losses=losses,
            targets=self._targets_of(run),
            kept=decision.kept if _is_first(decision, batch) else None,
            lead=None if said is None else max(self._decided.granted_at(said) - batch, 0),
        )

    def _targets_of(self, run: RunInfo) -> NDArray[np.float64]:
        if run is not self._targets[0]:
            self._targets = (run, targets_of(run))
        return self._targets[1]

    def _before_first(self, run: RunInfo, losses: dict[str, NDArray[np.float64]]) -> Row:
        initial = np.array(run.spec["initialWeights"], dtype=np.float64) / ONE
        weights = np.zeros(len(run.domains))
        weights[: initial.size] = initial[: weights.size]
        first = self._decided.of(0, 1)
        said = self._measured.first_said(0, 0)
        at = said if said is not None else 0 if first is None else first.millis
        nothing = np.full(len(run.domains), np.nan)
        return Row(
            timeline=0,
            batch=0,
            seconds=at / 1000,
            tokens_seen=0,
            weights_version=1,
            round=0,
            domains=run.domains,
            weights=weights,
            shares=nothing,
            losses=losses,
            targets=self._targets_of(run),
        )


def _is_first(decision: Decision, batch: int) -> bool:
    return batch == decision.granted.after + 1
