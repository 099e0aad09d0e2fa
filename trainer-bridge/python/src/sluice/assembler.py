"""Which records of a run's stream are its sequences, and which batch they belong to.

Knows nothing of Kafka or clocks. Global index g is in stream partition g mod S; each partition
awaits one index at a time. A record, in this order: of a newer timeline: the run was rewound; of an
older one: dropped; below the awaited index: dropped (a writer that restarts repeats itself); the
awaited index: accepted, and its chain hash checked; above it: ignored. Ignored, not kept: a hole is
filled *behind* the records that came after it, and its writer then writes those again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sluice import chain
from sluice.blocks import Block, BlockIdentity, BlockReader
from sluice.errors import InvalidState, Rewound, StreamCorrupt, StreamGap
from sluice.header import StreamHeader
from sluice.share import Share

WHOLE = Share()
_RUN_ID = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class StreamState:
    """Position of a trainer in a run's stream: what its checkpoint keeps.

    ``batch`` is the last batch that was handed out, ``first_index`` the global index of the first
    sequence of the next one.
    """

    run_id: str
    timeline: int = 0
    batch: int = 0
    first_index: int = 0

    def __post_init__(self) -> None:
        if not _RUN_ID.fullmatch(self.run_id):
            raise InvalidState(f"runId must be letters, digits, '.', '_' or '-': '{self.run_id}'")
        if min(self.timeline, self.batch, self.first_index) < 0:
            raise InvalidState(
                "timeline, batch and firstIndex must not be negative: "
                f"{self.timeline}, {self.batch}, {self.first_index}"
            )

    def to_dict(self) -> dict[str, Any]:
        """The form that the Java client's JSON has, key by key."""
        return {
            "version": 1,
            "runId": self.run_id,
            "timeline": self.timeline,
            "batch": self.batch,
            "firstIndex": self.first_index,
        }

    @staticmethod
    def from_dict(state: dict[str, Any]) -> StreamState:
        """Reads what :meth:`to_dict` gave."""
        if state.get("version") != 1:
            raise InvalidState(f"stream state must be version 1: {state.get('version')}")
        try:
            return StreamState(
                state["runId"], state["timeline"], state["batch"], state["firstIndex"]
            )
        except KeyError as error:
            raise InvalidState(f"stream state has no {error}: {state}") from error


class Accepted(NamedTuple):
    """A sequence in its place."""

    header: StreamHeader
    block: Block


@dataclass(frozen=True, slots=True)
class Awaited:
    """The first missing sequence of the next batch."""

    batch: int
    partition: int
    index: int


@dataclass(slots=True)
class _OpenBatch:
    shape: StreamHeader
    rows: range
    slots: dict[int, Accepted] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return len(self.slots) == len(self.rows)

    @property
    def end(self) -> int:
        return self.shape.first_index + self.shape.batch_size

    def agrees_with(self, header: StreamHeader) -> bool:
        shape = self.shape
        return _consistent(header) and (
            header.first_index,
            header.batch_size,
            header.weights_version,
        ) == (shape.first_index, shape.batch_size, shape.weights_version)

    def __str__(self) -> str:
        return (
            f"batch {self.shape.batch} (sequences {self.shape.first_index} to {self.end - 1}, "
            f"weights version {self.shape.weights_version})"
        )


def _consistent(header: StreamHeader) -> bool:
    position = header.index - header.first_index
    return header.batch >= 1 and header.first_index >= 0 and 0 <= position < header.batch_size


class StreamAssembler:
    """Puts a rank's accepted sequences together to its rows of each batch.

    ``reads`` are the partitions that are offered, all of them unless told otherwise. Sequences of
    other ranks pass through the same rules, but only their identity is read and none is kept.
    """

    def __init__(
        self,
        start: StreamState,
        partitions: int,
        blocks: BlockReader,
        share: Share = WHOLE,
        reads: Iterable[int] | None = None,
    ) -> None:
        self.timeline = start.timeline
        self._run_id = start.run_id
        self._blocks = blocks
        self._share = share
        self._batch = start.batch + 1
        self._first = start.first_index
        self._partitions = partitions
        self._reads = sorted(range(partitions) if reads is None else reads)
        self._expected = {p: self._first + (p - self._first) % partitions for p in self._reads}
        from_start = start.timeline == 0 and start.first_index == 0
        self._chain: dict[int, int | None] = dict.fromkeys(
            self._reads, chain.START if from_start else None
        )
        self._ahead: dict[int, int] = {}
        self._ahead_seconds = dict.fromkeys(self._reads, 0.0)
        self._open: dict[int, _OpenBatch] = {}
        self._passed: dict[int, _OpenBatch] = {}
        self.buffered_bytes = 0

    def offer(self, partition: int, header: StreamHeader, value: bytes) -> None:
        """Takes one record of a partition."""
        if header.timeline > self.timeline:
            raise Rewound(self.timeline, header.timeline, header.batch - 1)
        expected = self._expected[partition]
        if header.timeline < self.timeline or header.index < expected:
            return
        if header.index > expected:
            self._ahead[partition] = max(self._ahead.get(partition, 0), header.index)
            return
        self._accept(partition, header, value)

    def _accept(self, partition: int, header: StreamHeader, value: bytes) -> None:
        target = self._open_batch(partition, header)
        if header.index in target.rows:
            block = self._blocks.read(value)
            self._check_chain(partition, header, block.identity if block.usable else None)
            target.slots[header.index] = Accepted(header, block)
            self.buffered_bytes += block.tokens.nbytes
        else:
            self._check_chain(partition, header, self._blocks.identify(value))
        self._expected[partition] += self._partitions
        if self._ahead.get(partition, 0) < self._expected[partition]:
            self._ahead.pop(partition, None)
        self._ahead_seconds[partition] = 0.0

    def _open_batch(self, partition: int, header: StreamHeader) -> _OpenBatch:
        found = self._open.get(header.batch) or self._passed.get(header.batch)
        if found is not None:
            agrees = found.agrees_with(header)
        elif header.batch == self._batch:
            agrees = _consistent(header) and header.first_index == self._first
        else:
            later = header.batch > self._batch and header.first_index > self._first
            agrees = _consistent(header) and later
        if not agrees:
            known = found or f"batch {self._batch} starting at sequence {self._first}"
            raise StreamCorrupt(
                f"stream partition {partition}, sequence {header.index}: "
                f"{header} contradicts {known}"
            )
        return found or self._open.setdefault(header.batch, self._opened(header))

    def _opened(self, header: StreamHeader) -> _OpenBatch:
        rows = self._share.rows(header.batch, header.batch_size)
        first = header.first_index
        opened = _OpenBatch(header, range(first + rows.start, first + rows.stop))
        if len(self._reads) < self._partitions:
            held = {index % self._partitions for index in opened.rows[: self._partitions]}
            if not held.issubset(self._reads):
                raise StreamCorrupt(
                    f"{opened} is not where the run's batch sizes put it: rank {self._share.rank} "
                    f"of {self._share.size} has rows in partitions {sorted(held)} "
                    f"but reads {self._reads}"
                )
        return opened

    def _check_chain(
        self, partition: int, header: StreamHeader, block: BlockIdentity | None
    ) -> None:
        known = self._chain[partition]
        if known is not None and block is not None:
            computed = self._blocks.next_chain(known, header.index, block)
            if computed != header.chain:
                raise StreamCorrupt(
                    f"stream partition {partition}, sequence {header.index}: the chain hash is "
                    f"{header.chain:x} but these blocks give {computed:x}"
                )
        self._chain[partition] = header.chain

    def take(self) -> list[Accepted] | None:
        """The rank's sequences of the next batch in order, once, if they are complete."""
        found = self._open.get(self._batch)
        if found is None or not found.complete:
            return None
        if found.shape.first_index != self._first:
            raise StreamCorrupt(
                f"{found} must start at sequence {self._first}, where the batch before ended"
            )
        taken = [found.slots[index] for index in found.rows]
        self.buffered_bytes -= sum(accepted.block.tokens.nbytes for accepted in taken)
        self._pass(found)
        return taken

    def _pass(self, taken: _OpenBatch) -> None:
        """Goes to the next batch; sequences of other ranks may still come for this one."""
        del self._open[self._batch]
        taken.slots.clear()
        self._passed[self._batch] = taken
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
        return sum(len(batch.slots) for batch in self._open.values())

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
        return StreamState(self._run_id, self.timeline, self._batch - 1, self._first)
