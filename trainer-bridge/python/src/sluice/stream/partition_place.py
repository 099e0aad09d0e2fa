"""What one stream partition is expected to give next."""

from __future__ import annotations

from sluice.errors import StreamGap
from sluice.run.timelines import Opened, Timelines


class PartitionPlace:
    """Where a reader is in a partition, and whether what it awaits may be missing.

    It begins before the first of the partition's sequences at or after an index; sequence g is in
    partition g mod S. ``chain`` is the hash of the sequence before the expected one, None when that
    is not known; chains begin anew in each timeline.
    """

    def __init__(
        self, partition: int, partitions: int, from_index: int, timelines: Timelines
    ) -> None:
        self.partition = partition
        self.stride = partitions
        self._timelines = timelines
        self.expected = from_index + (partition - from_index) % partitions
        first = self.expected - partitions < self.owner.first_index
        self.chain: int | None = timelines.chain_start if first else None
        self._ahead = -1
        self._ahead_seconds = 0.0

    @property
    def owner(self) -> Opened:
        """The timeline that owns what is expected."""
        return self._timelines.of_index(self.expected)

    @property
    def room(self) -> int:
        """How many sequences from the expected one on its timeline owns."""
        return -(-(self._timelines.limit(self.expected) - self.expected) // self.stride)

    def next_from(self, start: int) -> int:
        """Index of the first sequence from a start on that was not accepted."""
        return max(self.expected, start + (self.partition - start) % self.stride)

    def accept(self, count: int, chain: int) -> None:
        """Goes on after so many sequences, the last of which has this chain hash."""
        ends = count == self.room
        self.expected += self.stride * count
        self.chain = self._timelines.chain_start if ends else chain
        if ends or self._ahead < self.expected:
            self._ahead = -1
        self._ahead_seconds = 0.0

    def saw(self, index: int) -> None:
        """Remembers that a sequence came that is not the expected one."""
        if index > self.expected:
            self._ahead = max(self._ahead, index)

    def read_for(self, seconds: float) -> None:
        """Says that the partition was read for this long."""
        if self._ahead >= 0:
            self._ahead_seconds += seconds

    def heard_nothing(self) -> None:
        """Says that nothing could come until now."""
        self._ahead_seconds = 0.0

    def check_gap(self, limit: float) -> None:
        """Fails if the partition was read for longer than this since a later sequence came."""
        if self._ahead >= 0 and self._ahead_seconds >= limit:
            raise StreamGap(self.partition, self.expected, self._ahead, self._ahead_seconds)
