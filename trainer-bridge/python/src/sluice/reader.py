"""A rank's rows of the global batches of one run, in order; the loader without Kafka or threads."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from sluice.assembler import StreamAssembler, UnreadRows
from sluice.batch import Batch, batch_of
from sluice.blocks import BlockReader
from sluice.control import ControlLog
from sluice.course import Course
from sluice.errors import KafkaUnreachable, Rewound, RunEnded, SluiceError, StreamStalled
from sluice.openbatch import Taken
from sluice.runs import RunInfo
from sluice.share import Share
from sluice.source import Source
from sluice.state import StreamState
from sluice.supply import Supply

_POLL_SECONDS = 0.1


class Cancelled(SluiceError):
    """Someone asked the reader to stop."""


class StreamReader:
    """Batches of one run in order, each exactly once."""

    def __init__(
        self,
        run: RunInfo,
        source: Source,
        control: ControlLog,
        share: Share,
        supply: Supply | None = None,
        *,
        gap_timeout: float,
        status_interval: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.blocks = BlockReader(run)
        self.blocks.learn = self._domains
        self.cancelled = False
        self.status_interval = status_interval
        self._run = run
        self._source = source
        self._control = control
        self.share = share
        self._supply = supply or Supply(run)
        self._gap_timeout = gap_timeout
        self._clock = clock
        self._control.refresh()
        self._go_to(self.course.start)

    @property
    def course(self) -> Course:
        """Where the run's batches lie, as far as the control log has been read."""
        return self._control.course

    def _domains(self) -> tuple[str, ...]:
        self._control.refresh()
        return self.course.run.domains

    def _go_to(self, state: StreamState) -> None:
        reads = self._reads = self.share.partitions(self.course, state.batch)
        self._assembler = StreamAssembler(
            state, self._run.partitions, self.blocks, self.share, reads, self.course.timelines
        )
        self._source.seek(state.batch + 1, reads)

    def seek(self, state: StreamState) -> None:
        """Goes to a state, so that the next batch is the one after it."""
        self._control.refresh()
        self._start_over(self.course.resume(state))

    def seek_to_batch(self, batch: int) -> None:
        """Goes to a batch, so that it is the next one."""
        self._control.refresh()
        self._start_over(self.course.before(batch))

    def _start_over(self, state: StreamState) -> None:
        self._control.start_over(state.batch)
        self._control.refresh()
        self._go_to(state)

    @property
    def state(self) -> StreamState:
        """Position after the last batch that was handed out."""
        return self._assembler.state

    @property
    def buffered_bytes(self) -> int:
        """Bytes of tokens of incomplete or later batches."""
        return self._assembler.buffered_bytes

    def next(self, timeout: float) -> Batch:
        """The rank's rows of the next global batch; waits for them."""
        rows = self._next_rows(timeout)
        mixture = self._control.mixture(rows.shape.batch, self._supply)
        return batch_of(self.course.run_at(rows.shape.batch), rows, mixture)

    def _next_rows(self, timeout: float) -> Taken:
        self._require_batches_left()
        start = asked = self._clock()
        rows = self._take()
        while rows is None:
            now = self._clock()
            left = timeout - (now - start)
            if left > 0 and now - asked < self.status_interval:
                rows = self._read(min(left, _POLL_SECONDS))
                continue
            waits_for = self._ask_control_log()
            asked = now
            rows = self._take_unless_ended()
            if rows is None and left <= 0:
                raise self.stalled(timeout, waits_for)
        return rows

    def stalled(self, timeout: float, waits_for: str) -> StreamStalled:
        """The error for a batch that did not come in time."""
        awaited = self._assembler.awaited
        return StreamStalled(awaited.batch, awaited.index, awaited.partition, timeout, waits_for)

    def _take(self) -> Taken | None:
        """Hands out no batch of a mixture that the control log has not been read up to."""
        return self._assembler.take() if self._knows_next() else None

    def _knows_next(self) -> bool:
        logged, version = self._control.run, self._assembler.next_weights_version
        if version <= logged.weights_version:
            return True
        try:
            self._control.refresh()
        except KafkaUnreachable:
            return False
        # Of a run whose log is gone nothing more will be known.
        return version <= logged.weights_version or logged.course is None

    def _read(self, seconds: float) -> Taken | None:
        if self.cancelled:
            raise Cancelled("the reader was asked to stop")
        before = self._clock()
        try:
            self._source.poll(seconds, self._assembler)
        except Rewound as seen:
            raise self._rewound(seen) from seen
        except UnreadRows as unread:
            self._read_where_they_are(unread)
        self._assembler.read_for(self._clock() - before)
        if not self._assembler.has_next:
            self._assembler.check_gaps(self._gap_timeout)
        return self._take()

    def _rewound(self, seen: Rewound) -> Rewound:
        """The log knows the batch that the run was rewound to; the record may be of a later one."""
        try:
            self._control.refresh()
        except KafkaUnreachable:
            return seen
        return self._taken_back() or seen

    def _taken_back(self) -> Rewound | None:
        """That what comes next was taken back, if it was."""
        own, timelines = self._assembler.timeline, self.course.timelines
        end = timelines.end(own)
        return None if end == sys.maxsize else Rewound(own, timelines.newest, end)

    def _read_where_they_are(self, unread: UnreadRows) -> None:
        """Batch sizes have changed: begins again after the last batch, in today's partitions."""
        self._control.refresh()
        if self.share.partitions(self.course, self._assembler.last_batch) <= self._reads:
            raise unread
        self._go_to(self._assembler.state)

    def _require_batches_left(self) -> None:
        run, last = self.course.run, self._assembler.last_batch
        if 0 < run.batches <= last:
            raise RunEnded(run.run_id, "completed", last, f"{run.batches} batches")

    def _take_unless_ended(self) -> Taken | None:
        """Reads what an ended run has left; fails if that does not complete the batch."""
        rows = self._take()
        logged = self._control.run
        if not logged.ended_before(self._assembler.awaited.batch):
            return rows
        self._source.mark_end()
        while rows is None and not self._source.reached_end(self._assembler):
            rows = self._read(_POLL_SECONDS)
        if rows is None:
            if logged.granted >= self._assembler.awaited.batch:
                self._source.require_retained(self._assembler)
            raise RunEnded(self._run.run_id, logged.state, self._assembler.last_batch, logged.why)
        return rows

    def _ask_control_log(self) -> str:
        try:
            self._control.refresh()
        except KafkaUnreachable as error:
            return str(error)
        back = self._taken_back()
        if back is not None and self._assembler.last_batch >= back.batch:
            raise back
        waits_for = self._control.run.describe(self._assembler.awaited.batch)
        return waits_for + self._source.note(self._assembler)

    def close(self) -> None:
        """Gives the connections back."""
        self._source.close()
        self._control.close()
        self._supply.close()
