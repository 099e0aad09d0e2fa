"""The batches of a stream of which something has been read, in order."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sluice.block.block import Block
from sluice.errors import StreamCorrupt
from sluice.run.rank import TrainerRank
from sluice.run.state import StreamState
from sluice.run.timelines import Timelines
from sluice.stream.open_batch import OpenBatch, Taken, consistent
from sluice.wire.header import StreamHeader

_MOST_PASSED = 4096


class UnreadRows(StreamCorrupt):
    """A batch is not where the batch sizes put it that its reader knows: they may have changed."""


class OpenBatches:
    """The rank's rows of the next batch and of later ones, as far as they came.

    A batch follows the one before without a gap in its number and its sequences, is owned by its
    timeline, and its weights version does not go back; whatever contradicts that is refused. Of the
    batches that were handed out the last 4096 are remembered, for sequences of other ranks that
    come late.
    """

    def __init__(
        self,
        start: StreamState,
        rank: TrainerRank,
        timelines: Timelines,
        partitions: int,
        reads: Collection[int],
    ) -> None:
        self._rank = rank
        self._timelines = timelines
        self._partitions = partitions
        self._reads = reads
        self._open: dict[int, OpenBatch] = {}
        self._passed: dict[int, OpenBatch] = {}
        self._forgotten = 0
        self._version = 0
        self.state = start
        self.bytes = 0

    @property
    def next(self) -> int:
        """Number of the next batch."""
        return self.state.batch + 1

    @property
    def first(self) -> int:
        """Global index of its first sequence."""
        return self.state.first_index

    @property
    def found(self) -> OpenBatch | None:
        """The next batch, if anything of it was read."""
        return self._open.get(self.next)

    def __len__(self) -> int:
        return len(self._open)

    @property
    def sequences(self) -> int:
        """Sequences that have not been handed out."""
        return sum(batch.filled for batch in self._open.values())

    def of(self, partition: int, header: StreamHeader) -> OpenBatch:
        """The batch of a sequence; fails if its header contradicts what is known."""
        found = self._open.get(header.batch) or self._passed.get(header.batch)
        agrees = self._goes_on(header) if found is None else found.agrees_with(header)
        if not agrees:
            known = found or f"batch {self.next} starting at sequence {self.first}"
            raise StreamCorrupt(
                f"stream partition {partition}, sequence {header.index}: "
                f"{header} contradicts {known}"
            )
        return found or self._opened(header)

    def _goes_on(self, header: StreamHeader) -> bool:
        if self._timelines.owner(header.batch) != header.timeline or not consistent(header):
            return False
        ahead = header.batch - self.next
        if ahead < 0:
            end = header.first_index + header.batch_size
            return header.batch <= self._forgotten and end <= self.first
        starts = header.first_index == self.first if ahead == 0 else header.first_index > self.first
        return starts and header.weights_version >= self._version

    def _opened(self, header: StreamHeader) -> OpenBatch:
        if header.batch < self.next:
            return OpenBatch(header, range(header.first_index, header.first_index))
        rows = self._rank.rows(header.batch, header.batch_size)
        first = header.first_index
        opened = OpenBatch(header, range(first + rows.start, first + rows.stop))
        if len(self._reads) < self._partitions:
            held = {index % self._partitions for index in opened.rows[: self._partitions]}
            if not held.issubset(self._reads):
                raise UnreadRows(
                    f"{opened} is not where the run's batch sizes put it: rank {self._rank.rank} "
                    f"of {self._rank.world_size} has rows in partitions {sorted(held)} "
                    f"but reads {sorted(self._reads)}"
                )
        self._open[header.batch] = opened
        return opened

    def put(self, batch: OpenBatch, index: int, blocks: Sequence[Block]) -> None:
        """Fills rows of a batch: the sequences from an index on, one in each S."""
        self.bytes += batch.put(index, self._partitions, blocks)

    def take(self) -> Taken | None:
        """The rank's sequences of the next batch in order, once, if they are complete."""
        found = self.found
        if found is None or not found.complete:
            return None
        shape = found.shape
        if shape.first_index != self.first or shape.weights_version < self._version:
            raise StreamCorrupt(
                f"{found} must start at sequence {self.first}, where the batch before ended, and "
                f"its weights version must be at least {self._version}"
            )
        self.bytes -= found.bytes
        taken = found.take()
        if len(taken.blocks) != len(taken.rows):
            raise StreamCorrupt(f"{found} must have {len(taken.rows)} rows: {len(taken.blocks)}")
        self._passed[self.next] = self._open.pop(self.next)
        self._version = shape.weights_version
        self.state = StreamState(self.state.run_id, shape.timeline, shape.batch, found.end)
        return taken

    def forget(self, reached: int) -> None:
        """No sequence before this one comes any more, so those of passed batches need not be
        known."""
        for number, passed in list(self._passed.items()):
            if passed.end > reached:
                if len(self._passed) <= _MOST_PASSED:
                    break
                self._forgotten = number
            del self._passed[number]
