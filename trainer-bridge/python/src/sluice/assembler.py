"""Which records of a run's stream are its sequences, and which batch they belong to.

Knows nothing of Kafka or clocks. Global index g is in stream partition g mod S; each partition
awaits one index at a time, of the timeline that owns it. A record, in this order: of a timeline
newer than those that are known: the run was rewound; of one older than the awaited: dropped; below
the awaited index: dropped (a writer that restarts repeats itself); the awaited index of the awaited
timeline: accepted, and its chain hash checked; above it: ignored. Ignored, not kept: a hole is
filled *behind* the records that came after it, and its writer then writes those again. So batches
before a rewind are read to the last, and what the old timeline wrote beyond it is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from sluice.blocks import MASKED_DOMAIN, Block, BlockIdentity, BlockReader
from sluice.chain import START
from sluice.errors import Rewound, StreamCorrupt, StreamGap
from sluice.header import StreamHeader, StreamHeaders
from sluice.openbatch import OpenBatch, Taken, consistent
from sluice.share import Share
from sluice.state import StreamState
from sluice.timelines import Opened, Timelines

WHOLE = Share()


@dataclass(frozen=True, slots=True)
class Awaited:
    """The first missing sequence of the next batch."""

    batch: int
    partition: int
    index: int


class UnreadRows(StreamCorrupt):
    """A batch is not where the batch sizes put it that its reader knows: they may have changed."""


def _within(indices: NDArray[np.int64], rows: range) -> tuple[int, int]:
    """Which of some ascending indices are in a range."""
    first, last = np.searchsorted(indices, (rows.start, rows.stop))
    return int(first), int(last)


class StreamAssembler:
    """Puts a rank's accepted sequences together to its rows of each batch.

    ``timelines`` are the run's, which own ``start``. ``reads`` are the partitions that are offered,
    all of them unless told otherwise. Sequences of other ranks pass through the same rules, but
    only their identity is read and none is kept.
    """

    def __init__(
        self,
        start: StreamState,
        partitions: int,
        blocks: BlockReader,
        share: Share = WHOLE,
        reads: Iterable[int] | None = None,
        timelines: Timelines | None = None,
    ) -> None:
        self._timelines = timelines or Timelines((Opened(start.timeline, 0, 0),))
        self._state = start
        self._blocks = blocks
        self._share = share
        self._batch = start.batch + 1
        self._first = start.first_index
        self._partitions = partitions
        self._reads = sorted(range(partitions) if reads is None else reads)
        self._expected = {p: self._first + (p - self._first) % partitions for p in self._reads}
        self._chain: dict[int, int | None] = {
            p: START if expected - partitions < self._owner(p).first_index else None
            for p, expected in self._expected.items()
        }
        self._ahead: dict[int, int] = {}
        self._ahead_seconds = dict.fromkeys(self._reads, 0.0)
        self._open: dict[int, OpenBatch] = {}
        self._passed: dict[int, OpenBatch] = {}
        self.buffered_bytes = 0

    def _owner(self, partition: int) -> Opened:
        """The timeline that owns what the partition awaits."""
        return self._timelines.of_index(self._expected[partition])

    def offer(self, partition: int, headers: StreamHeaders, values: Sequence[bytes]) -> None:
        """Takes records of a partition that follow each other."""
        at = 0
        while at < len(values):
            rest = headers.part(at)
            expected = self._expected[partition]
            room = -(-(self._timelines.limit(expected) - expected) // self._partitions)
            timeline = self._owner(partition).timeline
            count = min(rest.following(timeline, expected, self._partitions), room)
            if count:
                self._accept(partition, rest.part(0, count), values[at : at + count])
                self._end_timeline(partition, expected)
            else:
                count = self._pass_over(partition, rest)
            at += count

    def _end_timeline(self, partition: int, accepted: int) -> None:
        """Chains begin anew in each timeline."""
        if self._timelines.limit(accepted) <= self._expected[partition]:
            self._chain[partition] = START
            self._ahead.pop(partition, None)

    def _pass_over(self, partition: int, headers: StreamHeaders) -> int:
        """Goes on to the awaited record; the number of those before it."""
        expected, own = self._expected[partition], self._owner(partition).timeline
        awaited = (headers.timeline == own) & (headers.index == expected)
        count = int(awaited.argmax()) if awaited.any() else len(headers)
        timelines, indices = headers.timeline[:count], headers.index[:count]
        newer = np.flatnonzero(timelines > self._timelines.newest)
        if newer.size:
            first = headers.row(int(newer[0]))
            raise Rewound(self.timeline, first.timeline, first.batch - 1)
        furthest = int(indices[timelines >= own].max(initial=0))
        if furthest > expected:
            self._ahead[partition] = max(self._ahead.get(partition, 0), furthest)
        return count

    def owns_any(self, partition: int, headers: StreamHeaders) -> bool:
        """Whether any of these records is of the awaited timeline, or a later one."""
        return bool((headers.timeline >= self._owner(partition).timeline).any())

    def is_past(self, partition: int, headers: StreamHeaders) -> bool:
        """Whether the first of these records that could be awaited comes after what is awaited."""
        first = int((headers.timeline >= self._owner(partition).timeline).argmax())
        return int(headers.index[first]) > self._expected[partition]

    def _accept(self, partition: int, headers: StreamHeaders, values: Sequence[bytes]) -> None:
        """Takes the awaited record and those that follow it."""
        own: list[tuple[OpenBatch, int, list[Block]]] = []
        identities: list[BlockIdentity] = []
        for start, stop in headers.stretches():
            target = self._open_batch(partition, headers.row(start))
            if int(headers.index[stop - 1]) >= target.end:
                self._open_batch(partition, headers.row(stop - 1))
            first, last = _within(headers.index[start:stop], target.rows)
            identities += map(self._blocks.identify, values[start : start + first])
            if first < last:
                blocks = [self._blocks.read(one) for one in values[start + first : start + last]]
                identities += [block.identity for block in blocks]
                own.append((target, int(headers.index[start + first]), blocks))
            identities += map(self._blocks.identify, values[start + last : stop])
        self._check_chains(partition, headers, identities)
        for target, index, blocks in own:
            self.buffered_bytes += target.put(index, self._partitions, blocks)
        self._expected[partition] += self._partitions * len(values)
        if self._ahead.get(partition, 0) < self._expected[partition]:
            self._ahead.pop(partition, None)
        self._ahead_seconds[partition] = 0.0

    def _open_batch(self, partition: int, header: StreamHeader) -> OpenBatch:
        found = self._open.get(header.batch) or self._passed.get(header.batch)
        if found is not None:
            agrees = found.agrees_with(header)
        else:
            agrees = self._goes_on(header)
        if not agrees:
            known = found or f"batch {self._batch} starting at sequence {self._first}"
            raise StreamCorrupt(
                f"stream partition {partition}, sequence {header.index}: "
                f"{header} contradicts {known}"
            )
        return found or self._open.setdefault(header.batch, self._opened(header))

    def _goes_on(self, header: StreamHeader) -> bool:
        owned = self._timelines.owner(header.batch) == header.timeline
        if header.batch == self._batch:
            return owned and consistent(header) and header.first_index == self._first
        later = header.batch > self._batch and header.first_index > self._first
        return owned and consistent(header) and later

    def _opened(self, header: StreamHeader) -> OpenBatch:
        rows = self._share.rows(header.batch, header.batch_size)
        first = header.first_index
        opened = OpenBatch(header, range(first + rows.start, first + rows.stop))
        if len(self._reads) < self._partitions:
            held = {index % self._partitions for index in opened.rows[: self._partitions]}
            if not held.issubset(self._reads):
                raise UnreadRows(
                    f"{opened} is not where the run's batch sizes put it: rank {self._share.rank} "
                    f"of {self._share.size} has rows in partitions {sorted(held)} "
                    f"but reads {self._reads}"
                )
        return opened

    def _check_chains(
        self, partition: int, headers: StreamHeaders, blocks: Sequence[BlockIdentity]
    ) -> None:
        """Each chain hash must follow from what the record before claims: so all do."""
        known = self._chain[partition]
        claimed = headers.chain
        before = np.empty_like(claimed)
        before[0], before[1:] = known or 0, claimed[:-1]
        table = np.fromiter(chain.from_iterable(blocks), np.int64, 3 * len(blocks)).reshape(-1, 3)
        checked = table[:, 0] != MASKED_DOMAIN
        checked[0] &= known is not None
        computed = self._blocks.next_chains(before, headers.index, table)
        wrong = np.flatnonzero(checked & (computed != claimed))
        if wrong.size:
            at = wrong[0]
            raise StreamCorrupt(
                f"stream partition {partition}, sequence {headers.index[at]}: the chain hash is "
                f"{claimed[at]:x} but these blocks give {computed[at]:x}"
            )
        self._chain[partition] = int(claimed[-1])

    def take(self) -> Taken | None:
        """The rank's sequences of the next batch in order, once, if they are complete."""
        found = self._open.get(self._batch)
        if found is None or not found.complete:
            return None
        if found.shape.first_index != self._first:
            raise StreamCorrupt(
                f"{found} must start at sequence {self._first}, where the batch before ended"
            )
        self.buffered_bytes -= found.bytes
        taken = found.take()
        self._pass(found)
        return taken

    def _pass(self, taken: OpenBatch) -> None:
        """Goes to the next batch; sequences of other ranks may still come for this one."""
        del self._open[self._batch]
        self._passed[self._batch] = taken
        shape = taken.shape
        self._state = StreamState(self._state.run_id, shape.timeline, shape.batch, taken.end)
        self._batch += 1
        self._first = taken.end
        reached = min(self._expected.values())
        self._passed = {n: batch for n, batch in self._passed.items() if batch.end > reached}

    @property
    def has_next(self) -> bool:
        """Whether the rank's rows of the next batch are complete."""
        found = self._open.get(self._batch)
        return found is not None and found.complete

    @property
    def buffered(self) -> int:
        """Accepted sequences that have not been handed out."""
        return sum(batch.filled for batch in self._open.values())

    def awaits(self, partition: int) -> bool:
        """Whether the next batch still misses a sequence of the partition."""
        found = self._open.get(self._batch)
        return found is None or self._next_row(partition, found.rows) < found.rows.stop

    def _next_row(self, partition: int, rows: range) -> int:
        """Index of the partition's first sequence that is neither accepted nor before the rows."""
        first = rows.start + (partition - rows.start) % self._partitions
        return max(self._expected[partition], first)

    def expected(self, partition: int) -> int:
        """Index of the next sequence that the partition must give."""
        return self._expected[partition]

    @property
    def awaited(self) -> Awaited:
        """What the next batch waits for."""
        found = self._open.get(self._batch)
        start = self._first if found is None else found.rows.start
        rows = range(start, start + 1)
        index, partition = min((self._next_row(p, rows), p) for p in self._reads)
        return Awaited(self._batch, partition, index)

    def read_for(self, seconds: float) -> None:
        """Says that the stream was read for this long."""
        for partition in self._ahead:
            self._ahead_seconds[partition] += seconds

    def check_gaps(self, limit: float) -> None:
        """Fails if an awaited sequence stayed away for ``limit`` seconds after later ones came."""
        for partition, ahead in self._ahead.items():
            seconds = self._ahead_seconds[partition]
            if self.awaits(partition) and seconds >= limit:
                raise StreamGap(partition, self._expected[partition], ahead, seconds)

    @property
    def last_batch(self) -> int:
        """Number of the last batch that was handed out."""
        return self._batch - 1

    @property
    def state(self) -> StreamState:
        """Position after the last batch that was handed out."""
        return self._state

    @property
    def timeline(self) -> int:
        """The newest timeline that is followed."""
        return self._timelines.newest

    @property
    def next_weights_version(self) -> int:
        """Of the next batch; 0 while nothing of it was read."""
        found = self._open.get(self._batch)
        return 0 if found is None else found.shape.weights_version
