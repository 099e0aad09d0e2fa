"""Reads the first records of many topics."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from confluent_kafka import TopicPartition

from sluice.errors import KafkaUnreachable
from sluice.kafka.access import BEGINNING, KafkaAccess, LogRecord, good
from sluice.kafka.log import ends_partition

_AT_ONCE = 500  # records
_POLL_SECONDS = 0.05
_FETCH_BYTES = 32 << 10  # of each topic; a record that is larger comes alone


class TopicHeads:
    """Reads topics of one partition, each only until what is looked for is found."""

    def __init__(self, access: KafkaAccess, clock: Callable[[], float] = time.monotonic) -> None:
        self._access = access
        self._clock = clock
        self._consumer = access.consumer(
            enable_partition_eof=True, fetch_message_max_bytes=_FETCH_BYTES, queued_min_messages=1
        )

    def topics(self, prefix: str, patience: float) -> set[str]:
        """Names of the topics that begin so."""
        every = self._access.topic_names(self._consumer, patience)
        return {name for name in every if name.startswith(prefix)}

    def read(
        self, topics: Iterable[str], patience: float, last: Callable[[LogRecord], bool]
    ) -> None:
        """Passes on the records of each topic, until ``last`` says that it is the last that is
        wanted, or the topic ends; those of different topics in any order.

        A topic that goes meanwhile has no more. Fails when nothing comes for ``patience`` seconds.
        """
        left = set(topics)
        self._consumer.assign([TopicPartition(topic, 0, BEGINNING) for topic in sorted(left)])
        moved = self._clock()
        while left:
            messages = self._consumer.consume(_AT_ONCE, _POLL_SECONDS)
            found = good(messages)
            done = {message.topic() for message in messages if ends_partition(message)}
            if found or done:
                moved = self._clock()
            elif self._clock() - moved > patience:
                done = self._gone(left, patience)
                moved = self._clock()
            read: set[str] = set()
            for record in found:
                if record.topic in left - read and last(record):
                    read.add(record.topic)
            done = (done | read) & left
            if done:
                self._consumer.incremental_unassign([TopicPartition(topic, 0) for topic in done])
                left -= done

    def _gone(self, topics: set[str], patience: float) -> set[str]:
        """Those of some topics, of which nothing comes, that were deleted."""
        gone = topics - self.topics("", patience)
        if not gone:
            raise KafkaUnreachable(
                f"{', '.join(sorted(topics))} at {self._access.bootstrap} could not be read: "
                f"nothing came for {patience:g} s"
            )
        return gone

    def close(self) -> None:
        """Gives the connection back."""
        self._consumer.close()
