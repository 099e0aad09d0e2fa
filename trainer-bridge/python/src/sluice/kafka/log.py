"""Reads a topic to its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from confluent_kafka import KafkaError, KafkaException, TopicPartition

from sluice.errors import KafkaUnreachable
from sluice.kafka.access import BEGINNING, KafkaAccess, LogRecord, good, is_removed

_AT_ONCE = 500  # records
_POLL_SECONDS = 0.05
_SILENT_SECONDS = 2.0  # after which librdkafka may have lost a partition for good


def backwards(first: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Windows of the offsets from ``first`` up to, without, ``end``: the last ``size`` of them,
    and before them four times as many each time."""
    low = end
    while low > first:
        high, low = low, max(first, low - size)
        yield low, high
        size *= 4


def ends_partition(message: Any) -> bool:
    """Whether this is the news that a partition has no more records for now."""
    error = message.error()
    return error is not None and error.code() == KafkaError._PARTITION_EOF


class LogReader:
    """Reads one topic from its beginning, as far as it goes at the time of each call.

    Offsets may have gaps, of records that were removed and of transactions, so the broker says
    where the end is.
    """

    def __init__(
        self,
        access: KafkaAccess,
        topic: str,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
        *,
        committed: bool = False,
    ) -> None:
        """``committed`` leaves out what transactions wrote that are not at their ends."""
        self._access = access
        self._topic = topic
        self._clock = clock
        self._wait = wait
        self._own = {"isolation_level": "read_committed"} if committed else {}
        self._consumer = self._open()
        self._positions: dict[int, int] = {}

    def _open(self) -> Any:
        return self._access.consumer(enable_partition_eof=True, **self._own)

    def catch_up(self, patience: float, sink: Callable[[LogRecord], None]) -> bool:
        """Passes on every record between the last call and the topic's present end.

        Takes as long as it gets on, and fails when nothing comes for ``patience`` seconds. Says
        whether the topic was there when it was looked for. A topic that has lost records which
        were passed on is read from its beginning again.
        """
        if not self._positions:
            count = self._access.partitions(self._consumer, self._topic, patience)
            self._positions = dict.fromkeys(range(count), 0)
            self._assign()
        try:
            ends = {p: self._end(p, patience) for p in self._positions}
        except KafkaException as error:
            raise self._access.unreachable(patience, error) from error
        self._require_tails(ends)
        self._read_to(ends, patience, sink)
        return bool(self._positions)

    def _require_tails(self, ends: dict[int, int]) -> None:
        self._read_again(p for p, end in ends.items() if self._positions[p] > end)

    def _read_again(self, cut: Iterable[int]) -> None:
        """Of partitions that are shorter than what was read; librdkafka seeks in none whose place
        it has found to be gone."""
        again = dict.fromkeys(cut, 0)
        if again:
            self._positions |= again
            self._assign()

    def _read_to(
        self, ends: dict[int, int], patience: float, sink: Callable[[LogRecord], None]
    ) -> None:
        moved = asked = self._clock()
        while not self._reached(ends):
            before = dict(self._positions)
            self._pass_on(self._consumer.consume(_AT_ONCE, _POLL_SECONDS), sink)
            now = self._clock()
            if self._positions != before:
                moved = asked = now
            elif now - moved <= patience:
                if now - asked > _SILENT_SECONDS:
                    asked = now
                    self._ask_anew()
            else:
                raise KafkaUnreachable(
                    f"{self._topic} at {self._access.bootstrap} could not be read to its end: "
                    f"nothing came for {patience:g} s"
                )

    def _pass_on(self, messages: list[Any], sink: Callable[[LogRecord], None]) -> None:
        for record in good(one for one in messages if not is_removed(one)):
            self._positions[record.partition] = record.offset + 1
            sink(record)
        self._pass_gaps(messages)
        self._read_again(one.partition() for one in messages if is_removed(one))

    def wait(self, seconds: float, sink: Callable[[LogRecord], None]) -> None:
        """Passes on what comes, once something does, at the latest after this time."""
        messages = self._consumer.consume(1, seconds)
        self._pass_on(messages + self._consumer.consume(_AT_ONCE - 1, 0), sink)

    def _assign(self) -> None:
        self._consumer.assign(
            [TopicPartition(self._topic, p, at or BEGINNING) for p, at in self._positions.items()]
        )

    def _ask_anew(self) -> None:
        """With another consumer: one may never fetch again after a broker's restart."""
        self._consumer.close()
        self._consumer = self._open()
        self._assign()

    def span(self, patience: float) -> tuple[int, int]:
        """Offset of the first record of partition 0, and of the one that will be written next."""
        try:
            low, high = self._consumer.get_watermark_offsets(
                TopicPartition(self._topic, 0), timeout=patience
            )
        except KafkaException as error:
            raise self._access.unreachable(patience, error) from error
        return int(low), int(high)

    def stretch(self, start: int, end: int, patience: float) -> list[LogRecord]:
        """The records of partition 0 with offsets from ``start`` up to, without, ``end``."""
        found: list[LogRecord] = []
        self.begin_at(start)
        self._read_to({0: end}, patience, found.append)
        return [record for record in found if record.offset < end]

    def begin_at(self, offset: int) -> None:
        """Lets the next call of :meth:`catch_up` begin here, in partition 0 alone."""
        self._positions = {0: offset}
        self._assign()

    def exists(self, patience: float) -> bool:
        """Whether the topic is there."""
        return self._access.partitions(self._consumer, self._topic, patience) > 0

    def is_gone(self, patience: float) -> bool:
        """Whether the topic was deleted: a broker says so for a moment when it has just started,
        but not for so long."""
        until = self._clock() + patience
        while not self.exists(patience):
            if self._clock() >= until:
                return True
            self._wait(_POLL_SECONDS)
        return False

    def _pass_gaps(self, messages: Iterable[Any]) -> None:
        for message in messages:
            if ends_partition(message):
                at = message.partition()
                self._positions[at] = max(self._positions[at], message.offset())

    def _reached(self, ends: dict[int, int]) -> bool:
        return all(self._positions[p] >= end for p, end in ends.items())

    def _end(self, partition: int, timeout: float) -> int:
        _, end = self._consumer.get_watermark_offsets(
            TopicPartition(self._topic, partition), timeout=timeout
        )
        return int(end)

    def close(self) -> None:
        """Gives the connection back."""
        self._consumer.close()
