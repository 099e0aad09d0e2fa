"""Reads a topic to its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from confluent_kafka import KafkaError, KafkaException, TopicPartition

from sluice.errors import KafkaUnreachable
from sluice.kafka.access import BEGINNING, KafkaAccess, LogRecord, good

_AT_ONCE = 500  # records
_POLL_SECONDS = 0.05


class LogReader:
    """Reads one topic from its beginning, as far as it goes at the time of each call.

    Offsets may have gaps, of records that were removed and of transactions, so the broker says
    where the end is.
    """

    def __init__(self, access: KafkaAccess, topic: str) -> None:
        self._access = access
        self._topic = topic
        self._consumer = access.consumer(enable_partition_eof=True)
        self._positions: dict[int, int] = {}

    def catch_up(self, timeout: float, sink: Callable[[LogRecord], None]) -> None:
        """Passes on every record between the last call and the topic's present end."""
        deadline = time.monotonic() + timeout
        if not self._positions:
            count = self._access.partitions(self._consumer, self._topic, timeout)
            self._positions = dict.fromkeys(range(count), 0)
            self._consumer.assign([TopicPartition(self._topic, p, BEGINNING) for p in range(count)])
        try:
            ends = {p: self._end(p, timeout) for p in self._positions}
        except KafkaException as error:
            raise self._access.unreachable(timeout, error) from error
        while not self._reached(ends):
            messages = self._consumer.consume(_AT_ONCE, _POLL_SECONDS)
            for record in good(messages):
                self._positions[record.partition] = record.offset + 1
                sink(record)
            self._pass_gaps(messages)
            if time.monotonic() > deadline and not self._reached(ends):
                raise KafkaUnreachable(
                    f"{self._topic} at {self._access.bootstrap} could not be read to its end "
                    f"within {timeout:g} s"
                )

    def _pass_gaps(self, messages: Iterable[Any]) -> None:
        for message in messages:
            error = message.error()
            if error is not None and error.code() == KafkaError._PARTITION_EOF:
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
