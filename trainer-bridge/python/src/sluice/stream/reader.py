"""Batches that are read from a run's stream; without Kafka."""

from __future__ import annotations

import time
from collections.abc import Callable

from sluice.block.reader import BlockReader
from sluice.errors import KafkaUnreachable, Rewound, StreamGap, StreamStalled
from sluice.run.control import ControlLog
from sluice.run.info import RunInfo
from sluice.run.mixture import Mixture
from sluice.run.rank import TrainerRank
from sluice.run.sets import SetSource
from sluice.run.state import StreamState
from sluice.run.supply import Supply
from sluice.stream.assembler import StreamAssembler
from sluice.stream.batch import Batch, batch_of
from sluice.stream.batch_reader import BatchReader
from sluice.stream.exposed import EMISSION, NETWORK
from sluice.stream.open_batch import Taken
from sluice.stream.open_batches import UnreadRows
from sluice.stream.source import Source

_POLL_SECONDS = 0.1
_END_SECONDS = 60.0  # to read what an ended run has left, before the caller is told


class StreamReader(BatchReader[Taken]):
    """Batches of a run's stream."""

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
        super().__init__(
            run,
            control,
            rank,
            supply,
            sets,
            gap_timeout=gap_timeout,
            status_interval=status_interval,
            clock=clock,
        )
        self.blocks = BlockReader(run)
        self.blocks.learn = self._domains
        self._source = source
        self._gap_timeout = gap_timeout
        self._sought_again = -1
        self._control.refresh()
        self._go_to(self.run_timeline.start)

    def _domains(self) -> tuple[str, ...]:
        self._control.refresh()
        return self.run_timeline.run.domains

    def _go_to(self, state: StreamState) -> None:
        reads = self._reads = self.rank.partitions(self.run_timeline, state.batch)
        self._assembler = StreamAssembler(
            state, self._run.partitions, self.blocks, self.rank, reads, self.run_timeline.timelines
        )
        self._source.seek(state.batch + 1, reads)

    @property
    def state(self) -> StreamState:
        """Position after the last batch that was handed out."""
        return self._assembler.state

    @property
    def undecodable(self) -> int:
        """Blocks of this rank that could not be used and were handed on masked."""
        return self.blocks.undecodable

    @property
    def _followed(self) -> int:
        return self._assembler.timeline

    def _batch_of(self, run: RunInfo, found: Taken, mixture: Mixture | None) -> Batch:
        blocks = self._masks.masked(run, found.shape.batch, found.blocks)
        return batch_of(run, found._replace(blocks=blocks), mixture)

    @property
    def _granted_cause(self) -> str:
        return NETWORK if self._source.misses(self._assembler) else EMISSION

    def stalled(self, timeout: float, waits_for: str) -> StreamStalled:
        """The error for a batch that did not come in time."""
        awaited = self._assembler.awaited
        return StreamStalled(awaited.batch, awaited.index, awaited.partition, timeout, waits_for)

    def _take(self) -> Taken | None:
        """Hands out no batch of a mixture that the control log has not been read up to, and none
        whose masked documents are not known."""
        known = self._knows_next() and (not self._assembler.has_next or self._knows_masks())
        return self._assembler.take() if known else None

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

    def _read_where_they_are(self, unread: UnreadRows) -> None:
        """Batch sizes have changed: begins again after the last batch, in today's partitions."""
        self._control.refresh()
        if self.rank.partitions(self.run_timeline, self._assembler.last_batch) <= self._reads:
            raise unread
        self._go_to(self._assembler.state)

    def _rest(self) -> Taken | None:
        """What the stream still has; that of a failed or deleted run may be gone."""
        logged = self._control.fold
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

    def _describe(self) -> str:
        waits_for = self._control.fold.describe(self._assembler.awaited.batch)
        return waits_for + self._source.note(self._assembler)

    def _heard_nothing(self) -> None:
        self._assembler.heard_nothing()

    def close(self) -> None:
        """Gives the connections back."""
        self._source.close()
        self._control.close()
        self._supply.close()
