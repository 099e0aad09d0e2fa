"""The partitions of one stream topic, moved over by an assembler's needs."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from confluent_kafka import KafkaException, TopicPartition

from sluice.errors import BatchNoLongerRetained, KafkaUnreachable, StreamCorrupt, StreamMissing
from sluice.kafka.access import KafkaAccess, is_removed, records
from sluice.run.info import RunInfo
from sluice.stream.assembler import StreamAssembler
from sluice.wire.header import KEY, StreamHeader, StreamHeaders

_TIMEOUT = 30.0
_MAX_POLLS = 100
_RECORDS = 1000
_ASK_SECONDS = 2.0
_FIRST_SILENCE, _LONGEST_SILENCE = 2.0, 64.0
_LEAST_KILOBYTES = 1024


class Source(Protocol):
    """Where a loader's records come from."""

    def seek(self, batch: int, partitions: Collection[int]) -> None:
        """Goes to the first record of a batch in each of these partitions, and reads them."""

    def poll(self, timeout: float, assembler: StreamAssembler) -> None:
        """Waits for records and offers them."""

    def is_gone(self) -> bool:
        """Whether the topic was deleted."""

    def misses(self, assembler: StreamAssembler) -> bool:
        """Whether the topic is known to have more of what the assembler waits for; asks nobody."""

    def mark_end(self) -> None:
        """Remembers where the topic ends now."""

    def reached_end(self, assembler: StreamAssembler) -> bool:
        """Whether everything that the assembler waits for was read up to the mark."""

    def require_retained(self, assembler: StreamAssembler) -> None:
        """Fails if what the assembler waits for was removed from the topic."""

    def note(self, assembler: StreamAssembler) -> str:
        """What to tell of the topic while the assembler waits; may be empty."""

    def close(self) -> None:
        """Gives the connection back."""


def _header(message: Any) -> bytes:
    for key, value in reversed(message.headers() or ()):
        if key == KEY and isinstance(value, bytes):
            return value
    raise StreamCorrupt(
        f"stream partition {message.partition()}, offset {message.offset()}: "
        f"the record has no header '{KEY}'"
    )


class KafkaSource:
    """A :class:`Source` on some partitions of the run's topic.

    A partition that the next batch does not wait for is not read on while ``buffer_bytes`` of later
    batches are kept, or too many batches; the Kafka client keeps about as many again.
    """

    def __init__(
        self,
        access: KafkaAccess,
        run: RunInfo,
        buffer_bytes: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._access = access
        self._clock = clock
        self._topic = access.topics.stream(run.name)
        self._partitions = run.partitions
        self._buffer = buffer_bytes
        self._quiet = 0.0
        self._silence = _FIRST_SILENCE
        self._consumer = self._open()
        self._paused: set[int] = set()
        self._trimmed: set[int] = set()
        self._ends: dict[int, int] = {}
        self._positions: dict[int, int] = {}
        found = access.partitions(self._consumer, self._topic, _TIMEOUT)
        if found != run.partitions:
            self._consumer.close()
            what = (
                "does not exist"
                if found == 0
                else f"has {found} partitions instead of the run's {run.partitions}"
            )
            raise StreamMissing(f"stream topic {self._topic} {what}: was the run deleted?")

    def _open(self) -> Any:
        kilobytes = max(self._buffer >> 10, _LEAST_KILOBYTES)
        return self._access.consumer(queued_max_messages_kbytes=kilobytes)

    def seek(self, batch: int, partitions: Collection[int]) -> None:
        """Goes to the first record of a batch in each of these: their timestamps are batches."""
        self._positions = dict.fromkeys(sorted(partitions), 0)
        self._trimmed.clear()
        self._go_to(batch, self._positions)

    def _go_to(self, batch: int, among: Collection[int]) -> None:
        ends = {p: self._watermarks(p)[1] for p in among}
        try:
            found = self._consumer.offsets_for_times(
                [TopicPartition(self._topic, p, batch) for p in among], timeout=_TIMEOUT
            )
        except KafkaException as error:
            raise self._access.unreachable(_TIMEOUT, error) from error
        for first in found:
            offset = first.offset if first.offset >= 0 else ends[first.partition]
            # Asked last: what is removed while this looks does not go unnoticed.
            start = self._watermarks(first.partition)[0]
            self._positions[first.partition] = max(offset, start)
            if 0 < start >= offset:
                self._trimmed.add(first.partition)
        self._assign(self._positions)

    def _assign(self, positions: Mapping[int, int]) -> None:
        if self._paused:  # librdkafka would keep them so
            self._consumer.resume([TopicPartition(self._topic, p) for p in self._paused])
            self._paused = set()
        self._consumer.assign([TopicPartition(self._topic, p, at) for p, at in positions.items()])

    def _watermarks(self, partition: int, timeout: float = _TIMEOUT) -> tuple[int, int]:
        try:
            low, high = self._consumer.get_watermark_offsets(
                TopicPartition(self._topic, partition), timeout=timeout
            )
        except KafkaException as error:
            raise self._access.unreachable(timeout, error) from error
        return int(low), int(high)

    def poll(self, timeout: float, assembler: StreamAssembler) -> None:
        """Waits for records and offers them."""
        self._hold_back(assembler)
        asked = self._clock()
        by_partition, removed = self._fetch(timeout)
        if by_partition or removed:
            self._quiet, self._silence = 0.0, _FIRST_SILENCE
        else:
            self._quiet += self._clock() - asked
            self._listen(assembler)
        for partition, messages in by_partition.items():
            headers = StreamHeaders.decode([_header(message) for message in messages])
            self._positions[partition] = messages[-1].offset() + 1
            if partition in self._trimmed and assembler.owns_any(partition, headers):
                self._trimmed.remove(partition)
                if assembler.is_past(partition, headers):
                    raise self._no_longer_retained(assembler)
            assembler.offer(partition, headers, [message.value() or b"" for message in messages])
        if removed:
            # Whether that was needed, the first records that are left will show.
            self._go_to(assembler.last_batch + 1, removed)

    def _listen(self, assembler: StreamAssembler) -> None:
        """After some silence, goes on with another consumer if there is something to hear: one may
        never fetch again after a broker's restart. Time in which nobody asked it is none."""
        if self._quiet > self._silence:
            self._quiet, self._silence = 0.0, min(2 * self._silence, _LONGEST_SILENCE)
            if self._misses_any(assembler):
                self._consumer.close()
                self._consumer = self._open()
                self._paused = set()
                self._assign(self._positions)

    def _misses_any(self, assembler: StreamAssembler) -> bool:
        try:
            return any(
                self._watermarks(partition, _ASK_SECONDS)[1] > at
                for partition, at in self._positions.items()
                if assembler.awaits(partition)
            )
        except KafkaUnreachable:
            return False

    def _fetch(self, timeout: float) -> tuple[dict[int, list[Any]], set[int]]:
        """Waits for the first record only; then what the client has read ahead is taken.

        With the partitions whose records were removed where this was.
        """
        found: dict[int, list[Any]] = defaultdict(list)
        messages: list[Any] = self._consumer.consume(1, timeout)
        if messages:
            messages += self._consumer.consume(_RECORDS - 1, 0)
        removed = {message.partition() for message in messages if is_removed(message)}
        for message in records(message for message in messages if not is_removed(message)):
            found[message.partition()].append(message)
        return found, removed

    def _hold_back(self, assembler: StreamAssembler) -> None:
        full = assembler.is_full(self._buffer)
        wanted = {p for p in self._positions if full and not assembler.awaits(p)}
        if wanted - self._paused:
            self._consumer.pause([TopicPartition(self._topic, p) for p in wanted - self._paused])
        if self._paused - wanted:
            self._consumer.resume([TopicPartition(self._topic, p) for p in self._paused - wanted])
        self._paused = wanted

    def misses(self, assembler: StreamAssembler) -> bool:
        """Whether the topic is known to have more of what the assembler waits for: as far as the
        broker has told with what it sent last."""
        return any(
            self._told_end(partition) > at
            for partition, at in self._positions.items()
            if assembler.awaits(partition)
        )

    def _told_end(self, partition: int) -> int:
        place = TopicPartition(self._topic, partition)
        try:
            return int(self._consumer.get_watermark_offsets(place, cached=True)[1])
        except KafkaException:
            return 0

    def is_gone(self) -> bool:
        """Whether the topic was deleted."""
        return self._access.partitions(self._consumer, self._topic, _TIMEOUT) == 0

    def mark_end(self) -> None:
        """Remembers where the topic ends now."""
        self._ends = {p: self._watermarks(p)[1] for p in self._positions}

    def reached_end(self, assembler: StreamAssembler) -> bool:
        """Whether everything that the assembler waits for was read up to the mark."""
        return all(
            self._positions[p] >= end for p, end in self._ends.items() if assembler.awaits(p)
        )

    def require_retained(self, assembler: StreamAssembler) -> None:
        """Fails if what the assembler waits for was removed from the topic."""
        if self._awaits_trimmed(assembler):
            raise self._no_longer_retained(assembler)

    def _awaits_trimmed(self, assembler: StreamAssembler) -> bool:
        return any(assembler.awaits(partition) for partition in self._trimmed)

    def note(self, assembler: StreamAssembler) -> str:
        """What to tell of the topic while the assembler waits; may be empty."""
        if not self._awaits_trimmed(assembler):
            return ""
        return f"; {self._topic} has no record left, so the batch may have been removed from it"

    def _no_longer_retained(self, assembler: StreamAssembler) -> BatchNoLongerRetained:
        return BatchNoLongerRetained(self._topic, assembler.last_batch + 1, self._oldest_batch())

    def _oldest_batch(self) -> int:
        """First batch of which every partition of the stream still has all sequences."""
        oldest: dict[int, int] = {}
        removed = set(range(self._partitions))
        for _ in range(_MAX_POLLS):
            if removed:
                marks = {p: self._watermarks(p) for p in range(self._partitions)}
                oldest |= {p: 0 for p, (start, end) in marks.items() if start >= end}
                self._assign({p: start for p, (start, _) in marks.items() if p not in oldest})
            if len(oldest) == self._partitions:
                break
            found, removed = self._fetch(0.1)
            for partition, messages in found.items():
                if partition not in oldest:
                    first = StreamHeader.decode(_header(messages[0]))
                    whole = first.index - first.first_index < self._partitions
                    oldest[partition] = first.batch + (0 if whole else 1)
        return max(oldest.values(), default=0)

    def close(self) -> None:
        """Gives the connection back."""
        self._consumer.close()
