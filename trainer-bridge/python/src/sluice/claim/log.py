"""Where the processes of a run's trainers say which rank they take."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Protocol

from confluent_kafka import KafkaException, TopicPartition

from sluice.kafka.access import BEGINNING, KafkaAccess, good
from sluice.run.info import RunInfo

_LOG = logging.getLogger("sluice")
_AT_ONCE = 500  # records
DELIVERY_SECONDS = 30.0


class ClaimLog(Protocol):
    """The run's feedback, as far as it tells who has which rank."""

    def publish(self, value: bytes) -> bool:
        """Writes a record and goes to the one after it; whether that could be done."""

    def read_on(self) -> Iterable[bytes]:
        """What was written since, by anyone; does not wait for it."""

    def close(self) -> None:
        """Gives the connections back."""


class KafkaClaimLog:
    """The feedback partition of a run."""

    def __init__(self, access: KafkaAccess, run: RunInfo) -> None:
        self._access = access
        self._topic = access.topics.feedback(run.name)
        self._key = run.run_id.encode()
        self._consumer = access.consumer(queued_max_messages_kbytes=1024)
        self._following = False

    def publish(self, value: bytes) -> bool:
        """Writes a record and goes to the one after it; whether that could be done."""
        offsets: list[int] = []

        def delivered(error: Any, message: Any) -> None:
            if error is None:
                offsets.append(message.offset())

        producer = self._access.producer(message_timeout_ms=int(DELIVERY_SECONDS * 1000))
        producer.produce(self._topic, value, key=self._key, partition=0, on_delivery=delivered)
        producer.flush(DELIVERY_SECONDS)
        if offsets and not self._following:
            self._following = True
            self._consumer.assign([TopicPartition(self._topic, 0, offsets[0] + 1)])
        return bool(offsets)

    def read_on(self) -> Iterable[bytes]:
        """What was written since, by anyone; does not wait for it."""
        try:
            return [record.value for record in good(self._consumer.consume(_AT_ONCE, 0))]
        except KafkaException as error:  # what was to be read is gone: it was trimmed
            _LOG.debug("the claims could not be read: %s", error)
            self._consumer.assign([TopicPartition(self._topic, 0, BEGINNING)])
            return []

    def close(self) -> None:
        """Gives the connections back."""
        self._consumer.close()
