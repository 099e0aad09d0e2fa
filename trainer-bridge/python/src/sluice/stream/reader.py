"""A rank's rows of the global batches of one run, in order; the loader without Kafka or threads."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from sluice.block.reader import BlockReader
from sluice.errors import (
    KafkaUnreachable,
    Rewound,
    RunEnded,
    SluiceError,
    StreamCorrupt,
    StreamGap,
    StreamStalled,
)
from sluice.run.control import ControlLog
from sluice.run.fold import RunLogFold
from sluice.run.info import RunInfo
from sluice.run.mixture import Mixture
from sluice.run.rank import TrainerRank
from sluice.run.run_timeline import RunTimeline
from sluice.run.sets import NoSets, SetSource
from sluice.run.state import StreamState
from sluice.run.supply import Supply
from sluice.stream.assembler import StreamAssembler
from sluice.stream.batch import Batch, batch_of
from sluice.stream.exposed import BROKER, DECODE, EMISSION, GRANT, NETWORK, WaitMarks
from sluice.stream.masks import BatchMasks
from sluice.stream.open_batch import Taken
from sluice.stream.open_batches import UnreadRows
from sluice.stream.source import Source

_POLL_SECONDS = 0.1
_FIRST_LOOK = 0.05  # seconds that a loop stands still until the log is asked; then twice as long
_END_SECONDS = 60.0  # to read what an ended run has left, before the caller is told


class Cancelled(SluiceError):
    """Someone asked the reader to stop."""


class StreamReader:
    """Batches of one run in order, each exactly once."""

    def __init__(
        self,
        run: RunInfo,
        source: Source,
        control: ControlLog,
        rank: TrainerRank,
        supply: Supply | None = None,
        sets: SetSource | None = None,
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
        self.rank = rank
        self._supply = supply or Supply(run)
        self._gap_timeout = gap_timeout
        self._masks = BatchMasks(sets or NoSets(), status_interval, gap_timeout, clock)
        self._clock = clock
        self.awaited = False  # whether the training loop stands still
        self.last_cause = NETWORK  # what the last look waited for; read by the training loop
        self._marks = WaitMarks()
        self._ask_again = _FIRST_LOOK
        self._heard = True
        self._sought_again = -1
        self._astray = ""  # why it is not known where to read on
        self._control.refresh()
        self._go_to(self.run_timeline.start)

    @property
    def run_timeline(self) -> RunTimeline:
        """Where the run's batches lie, as far as the control log has been read."""
        return self._control.timeline

    def _domains(self) -> tuple[str, ...]:
        self._control.refresh()
        return self.run_timeline.run.domains

    def _go_to(self, state: StreamState) -> None:
        reads = self._reads = self.rank.partitions(self.run_timeline, state.batch)
        self._assembler = StreamAssembler(
            state, self._run.partitions, self.blocks, self.rank, reads, self.run_timeline.timelines
        )
        self._source.seek(state.batch + 1, reads)

    def seek(self, state: StreamState) -> None:
        """Goes to a state, so that the next batch is the one after it."""
        self._control.refresh()
        self._start_over(self.run_timeline.resume(state))

    def seek_to_batch(self, batch: int) -> None:
        """Goes to a batch, so that it is the next one."""
        self._control.refresh()
        self._start_over(self.run_timeline.before(batch))

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
        self._ask_again = _FIRST_LOOK
        mixture = self._control.mixture(rows.shape.batch, self._supply)
        if mixture is not None:
            _require_granted(rows, mixture)
        self._marks.add(self._clock(), NETWORK)
        number = rows.shape.batch
        run = self.run_timeline.run_at(number)
        blocks = self._masks.masked(run, number, rows.blocks)
        batch = batch_of(run, rows._replace(blocks=blocks), mixture)
        self._marks.add(self._clock(), DECODE)
        return batch

    def take_marks(self) -> WaitMarks:
        """What the time was spent with since this was asked last, after a batch."""
        taken, self._marks = self._marks, WaitMarks()
        return taken

    @property
    def cause(self) -> str:
        """What the next batch waits for, as far as is known without asking."""
        if not self._heard or self._astray:
            return BROKER
        if self._assembler.last_batch >= self._control.fold.granted:
            return GRANT
        return NETWORK if self._source.misses(self._assembler) else EMISSION

    @property
    def _until_asked(self) -> float:
        interval = self.status_interval
        return min(self._ask_again, interval) if self.awaited else interval

    def _next_rows(self, timeout: float) -> Taken:
        self._require_batches_left()
        start = asked = self._clock()
        rows = self._take()
        while rows is None:
            now = self._clock()
            left = timeout - (now - start)
            cause = self.last_cause = self.cause
            if left > 0 and now - asked < self._until_asked:
                rows = self._read(min(left, _POLL_SECONDS))
                self._marks.add(self._clock(), cause)
                continue
            waits_for = self._ask_control_log()
            asked = now
            self._ask_again = 2 * min(self._ask_again, self.status_interval)
            self.last_cause = self.cause
            self._marks.add(self._clock(), self.last_cause)
            rows = self._take_unless_ended()
            if rows is None and self._clock() - start >= timeout:
                raise self.stalled(timeout, waits_for)
        return rows

    def stalled(self, timeout: float, waits_for: str) -> StreamStalled:
        """The error for a batch that did not come in time."""
        awaited = self._assembler.awaited
        return StreamStalled(awaited.batch, awaited.index, awaited.partition, timeout, waits_for)

    def _take(self) -> Taken | None:
        """Hands out no batch of a mixture that the control log has not been read up to, and none
        whose masked documents are not known."""
        known = self._knows_next() and (not self._assembler.has_next or self._knows_masks())
        return self._assembler.take() if known else None

    def _knows_masks(self) -> bool:
        batch = self._assembler.last_batch + 1
        return self._masks.know(self.run_timeline.run_at(batch), batch)

    def _knows_next(self) -> bool:
        logged, version = self._control.fold, self._assembler.next_weights_version
        if version <= logged.weights_version:
            return True
        try:
            self._control.refresh()
        except KafkaUnreachable:
            return False
        # Of a run whose log is gone nothing more will be known.
        return version <= logged.weights_version or logged.timeline is None

    def _read(self, seconds: float) -> Taken | None:
        """Reads on; where Kafka does not answer what that needs, begins again later."""
        if self.cancelled:
            raise Cancelled("the reader was asked to stop")
        try:
            self._read_on(seconds)
            self._astray = ""
        except KafkaUnreachable as error:
            self._astray = f"; {error}"
        return self._take()

    def _read_on(self, seconds: float) -> None:
        if self._astray:
            self._go_to(self._assembler.state)
        before = self._clock()
        try:
            self._source.poll(seconds, self._assembler)
        except Rewound as seen:
            raise self._rewound(seen) from seen
        except UnreadRows as unread:
            self._read_where_they_are(unread)
        self._assembler.read_for(self._clock() - before)
        if not self._assembler.has_next:
            self._check_gaps()

    def _check_gaps(self) -> None:
        """Looks again before it reports a gap: what was lost and written again may lie behind."""
        index = self._assembler.awaited.index
        looked = index == self._sought_again
        try:
            self._assembler.check_gaps(self._gap_timeout if looked else self._gap_timeout / 2)
        except StreamGap:
            if looked:
                raise
            self._source.seek(self._assembler.last_batch + 1, self._reads)
            self._sought_again = index

    def _rewound(self, seen: Rewound) -> Rewound:
        """The log knows the batch that the run was rewound to; the record may be of a later one."""
        try:
            self._control.refresh()
        except KafkaUnreachable:
            return seen
        return self._taken_back() or seen

    def _taken_back(self) -> Rewound | None:
        """That what comes next was taken back, if it was."""
        own, timelines = self._assembler.timeline, self.run_timeline.timelines
        end = timelines.end(own)
        return None if end == sys.maxsize else Rewound(own, timelines.newest, end)

    def _read_where_they_are(self, unread: UnreadRows) -> None:
        """Batch sizes have changed: begins again after the last batch, in today's partitions."""
        self._control.refresh()
        if self.rank.partitions(self.run_timeline, self._assembler.last_batch) <= self._reads:
            raise unread
        self._go_to(self._assembler.state)

    def _require_batches_left(self) -> None:
        run, last = self.run_timeline.run, self._assembler.last_batch
        if 0 < run.batches <= last:
            raise RunEnded(run.run_id, "completed", last, f"{run.batches} batches")

    def _take_unless_ended(self) -> Taken | None:
        """Reads what an ended run has left; fails if that does not complete the batch."""
        rows = self._take()
        logged = self._control.fold
        if not logged.ended_before(self._assembler.awaited.batch):
            return rows
        try:
            return rows or self._rest(logged)
        except KafkaUnreachable:
            return None

    def _rest(self, logged: RunLogFold) -> Taken | None:
        """What the stream still has; that of a failed or deleted run may be gone."""
        if logged.emits_no_more and self._source.is_gone():
            raise self._ended()
        self._source.mark_end()
        rows = None
        until = self._clock() + _END_SECONDS
        while rows is None and (self._astray or not self._source.reached_end(self._assembler)):
            if self._clock() >= until:
                return None
            rows = self._read(_POLL_SECONDS)
        if rows is None:
            if logged.granted >= self._assembler.awaited.batch:
                self._source.require_retained(self._assembler)
            raise self._ended()
        return rows

    def _ended(self) -> RunEnded:
        logged = self._control.fold
        return RunEnded(self._run.run_id, logged.state, self._assembler.last_batch, logged.why)

    def _ask_control_log(self) -> str:
        try:
            self._control.refresh()
        except KafkaUnreachable as error:
            self._assembler.heard_nothing()
            self._heard = False
            return str(error)
        self._heard = True
        back = self._taken_back()
        if back is not None and self._assembler.last_batch >= back.batch:
            raise back
        waits_for = self._control.fold.describe(self._assembler.awaited.batch)
        return waits_for + self._source.note(self._assembler) + self._masks.note + self._astray

    def close(self) -> None:
        """Gives the connections back."""
        self._source.close()
        self._control.close()
        self._supply.close()


def _require_granted(rows: Taken, mixture: Mixture) -> None:
    """Every batch is what its grant says."""
    shape = rows.shape
    if (shape.weights_version, shape.batch_size) != (mixture.version, mixture.size):
        raise StreamCorrupt(
            f"batch {shape.batch} has {shape.batch_size} sequences of weights version "
            f"{shape.weights_version} in the stream, its grant has {mixture.size} of version "
            f"{mixture.version}"
        )
