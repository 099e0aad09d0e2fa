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

from sluice.block.block import MASKED_DOMAIN, Block, BlockIdentity
from sluice.block.reader import BlockReader
from sluice.errors import Rewound, StreamCorrupt
from sluice.run.rank import TrainerRank
from sluice.run.state import StreamState
from sluice.run.timelines import Opened, Timelines
from sluice.stream.open_batch import OpenBatch, Taken
from sluice.stream.open_batches import OpenBatches
from sluice.stream.partition_place import PartitionPlace
from sluice.wire.header import StreamHeaders

WHOLE = TrainerRank()
_MOST_OPEN = 1024  # batches; more only wait in the Kafka client


@dataclass(frozen=True, slots=True)
class Awaited:
    """The first missing sequence of the next batch."""

    batch: int
    partition: int
    index: int


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
        rank: TrainerRank = WHOLE,
        reads: Iterable[int] | None = None,
        timelines: Timelines | None = None,
    ) -> None:
        self._timelines = timelines or Timelines((Opened(start.timeline, 0, 0),))
        self._blocks = blocks
        read = sorted(range(partitions) if reads is None else reads)
        self._places = {
            p: PartitionPlace(p, partitions, start.first_index, self._timelines) for p in read
        }
        self._batches = OpenBatches(start, rank, self._timelines, partitions, read)

    def offer(self, partition: int, headers: StreamHeaders, values: Sequence[bytes]) -> None:
        """Takes records of a partition that follow each other."""
        place, at = self._places[partition], 0
        while at < len(values):
            rest, timeline = headers.part(at), place.owner.timeline
            count = min(rest.following(timeline, place.expected, place.stride), place.room)
            if count:
                self._accept(place, rest.part(0, count), values[at : at + count])
            else:
                count = self._pass_over(place, rest)
            at += count

    def _pass_over(self, place: PartitionPlace, headers: StreamHeaders) -> int:
        """Goes on to the awaited record; the number of those before it."""
        own = place.owner.timeline
        awaited = (headers.timeline == own) & (headers.index == place.expected)
        count = int(awaited.argmax()) if awaited.any() else len(headers)
        timelines, indices = headers.timeline[:count], headers.index[:count]
        newer = np.flatnonzero(timelines > self._timelines.newest)
        if newer.size:
            first = headers.row(int(newer[0]))
            raise Rewound(self.timeline, first.timeline, first.batch - 1)
        place.saw(int(indices[timelines >= own].max(initial=0)))
        return count

    def owns_any(self, partition: int, headers: StreamHeaders) -> bool:
        """Whether any of these records is of the awaited timeline, or a later one."""
        return bool((headers.timeline >= self._places[partition].owner.timeline).any())

    def is_past(self, partition: int, headers: StreamHeaders) -> bool:
        """Whether the first of these records that could be awaited comes after what is awaited."""
        place = self._places[partition]
        first = int((headers.timeline >= place.owner.timeline).argmax())
        return int(headers.index[first]) > place.expected

    def _accept(
        self, place: PartitionPlace, headers: StreamHeaders, values: Sequence[bytes]
    ) -> None:
        """Takes the awaited record and those that follow it."""
        own: list[tuple[OpenBatch, int, list[Block]]] = []
        identities: list[BlockIdentity] = []
        for start, stop in headers.stretches():
            target = self._batches.of(place.partition, headers.row(start))
            if int(headers.index[stop - 1]) >= target.end:
                self._batches.of(place.partition, headers.row(stop - 1))
            first, last = _within(headers.index[start:stop], target.rows)
            identities += map(self._blocks.identify, values[start : start + first])
            if first < last:
                blocks = [self._blocks.read(one) for one in values[start + first : start + last]]
                identities += [block.identity for block in blocks]
                own.append((target, int(headers.index[start + first]), blocks))
            identities += map(self._blocks.identify, values[start + last : stop])
        self._check_chains(place, headers, identities)
        for target, index, blocks in own:
            self._batches.put(target, index, blocks)
        place.accept(len(values), int(headers.chain[-1]))

    def _check_chains(
        self, place: PartitionPlace, headers: StreamHeaders, blocks: Sequence[BlockIdentity]
    ) -> None:
        """Each chain hash must follow from what the record before claims: so all do."""
        known, claimed = place.chain, headers.chain
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
                f"stream partition {place.partition}, sequence {headers.index[at]}: the chain hash "
                f"is {claimed[at]:x} but these blocks give {computed[at]:x}"
            )

    def take(self) -> Taken | None:
        """The rank's sequences of the next batch in order, once, if they are complete."""
        taken = self._batches.take()
        if taken is not None:
            self._batches.forget(min(place.expected for place in self._places.values()))
        return taken

    @property
    def has_next(self) -> bool:
        """Whether the rank's rows of the next batch are complete."""
        found = self._batches.found
        return found is not None and found.complete

    @property
    def buffered(self) -> int:
        """Accepted sequences that have not been handed out."""
        return self._batches.sequences

    @property
    def buffered_bytes(self) -> int:
        """Bytes of their tokens."""
        return self._batches.bytes

    def is_full(self, buffer_bytes: int) -> bool:
        """Whether more of later batches is kept than a buffer, or than can be kept track of."""
        return self.buffered_bytes > buffer_bytes or len(self._batches) > _MOST_OPEN

    def awaits(self, partition: int) -> bool:
        """Whether the next batch still misses a sequence of the partition."""
        found = self._batches.found
        if found is None:
            return True
        return self._places[partition].next_from(found.rows.start) < found.rows.stop

    def expected(self, partition: int) -> int:
        """Index of the next sequence that the partition must give."""
        return self._places[partition].expected

    @property
    def awaited(self) -> Awaited:
        """What the next batch waits for."""
        found = self._batches.found
        start = self._batches.first if found is None else found.rows.start
        index, partition = min((p.next_from(start), p.partition) for p in self._places.values())
        return Awaited(self._batches.next, partition, index)

    def read_for(self, seconds: float) -> None:
        """Says that the stream was read for this long."""
        for place in self._places.values():
            place.read_for(seconds)

    def heard_nothing(self) -> None:
        """Says that Kafka was away: what is missing may come for as long as before."""
        for place in self._places.values():
            place.heard_nothing()

    def check_gaps(self, limit: float) -> None:
        """Fails if an awaited sequence stayed away for ``limit`` seconds after later ones came."""
        for place in self._places.values():
            if self.awaits(place.partition):
                place.check_gap(limit)

    @property
    def last_batch(self) -> int:
        """Number of the last batch that was handed out."""
        return self.state.batch

    @property
    def state(self) -> StreamState:
        """Position after the last batch that was handed out."""
        return self._batches.state

    @property
    def timeline(self) -> int:
        """The newest timeline that is followed."""
        return self._timelines.newest

    @property
    def next_weights_version(self) -> int:
        """Of the next batch; 0 while nothing of it was read."""
        found = self._batches.found
        return 0 if found is None else found.shape.weights_version
