"""A rank's rows of the global batches of one run, in order; the loader without Kafka or threads."""

from __future__ import annotations

import time
from collections.abc import Callable

from sluice.assembler import StreamAssembler
from sluice.batch import Batch, batch_of
from sluice.blocks import BlockReader
from sluice.control import ControlLog
from sluice.errors import InvalidState, KafkaUnreachable, RunEnded, SluiceError, StreamStalled
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
        self.run = run
        self.blocks = BlockReader(run)
        self.cancelled = False
        self.status_interval = status_interval
        self._source = source
        self._control = control
        self._share = share
        self._supply = supply or Supply(run)
        self._gap_timeout = gap_timeout
        self._clock = clock
        self._assembler = self._assembler_after(StreamState(run.run_id))
        self._source.seek(1)

    def _assembler_after(self, state: StreamState) -> StreamAssembler:
        return StreamAssembler(
            state, self.run.partitions, self.blocks, self._share, self._source.partitions
        )

    def require_own(self, state: StreamState) -> None:
        """Refuses a state of another run."""
        if state.run_id != self.run.run_id:
            raise InvalidState(
                f"the state is of run {state.run_id}, this stream is of run {self.run.run_id}: "
                "open the run that the checkpoint was trained on"
            )

    def seek(self, state: StreamState) -> None:
        """Goes to a state, so that the next batch is the one after it."""
        self.require_own(state)
        self._assembler = self._assembler_after(state)
        self._source.seek(state.batch + 1)
        self._control.start_over(state.batch)

    def seek_to_batch(self, batch: int) -> None:
        """Goes to a batch, so that it is the next one, on the present timeline."""
        if batch < 1:
            raise ValueError(f"batch must be at least 1: {batch}")
        first = self.run.first_index(batch)
        self.seek(StreamState(self.run.run_id, self._assembler.timeline, batch - 1, first))

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
        blocks = self._supply.blocks()
        return batch_of(self.run, rows, self._control.mixture(rows.shape.batch, blocks))

    def _next_rows(self, timeout: float) -> Taken:
        self._require_batches_left()
        start = asked = self._clock()
        rows = self._assembler.take()
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

    def _read(self, seconds: float) -> Taken | None:
        if self.cancelled:
            raise Cancelled("the reader was asked to stop")
        before = self._clock()
        self._source.poll(seconds, self._assembler)
        self._assembler.read_for(self._clock() - before)
        if not self._assembler.has_next:
            self._assembler.check_gaps(self._gap_timeout)
        return self._assembler.take()

    def _require_batches_left(self) -> None:
        if 0 < self.run.batches <= self._assembler.last_batch:
            raise RunEnded(
                self.run.run_id,
                "completed",
                self._assembler.last_batch,
                f"{self.run.batches} batches",
            )

    def _take_unless_ended(self) -> Taken | None:
        """Reads what an ended run has left; fails if that does not complete the batch."""
        rows = self._assembler.take()
        logged = self._control.run
        if not logged.ended_before(self._assembler.awaited.batch):
            return rows
        self._source.mark_end()
        while rows is None and not self._source.reached_end(self._assembler):
            rows = self._read(_POLL_SECONDS)
        if rows is None:
            raise RunEnded(self.run.run_id, logged.state, self._assembler.last_batch, logged.why)
        return rows

    def _ask_control_log(self) -> str:
        try:
            self._control.refresh()
        except KafkaUnreachable as error:
            return str(error)
        return self._control.run.describe(self._assembler.awaited.batch)

    def close(self) -> None:
        """Gives the connections back."""
        self._source.close()
        self._control.close()
        self._supply.close()
