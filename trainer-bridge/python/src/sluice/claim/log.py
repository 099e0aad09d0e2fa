"""Where the processes of a run's trainers say which rank they take."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Protocol

from confluent_kafka import KafkaException, TopicPartition

from sluice.errors import KafkaUnreachable
from sluice.kafka.access import BEGINNING, KafkaAccess, good
from sluice.run.info import RunInfo

_LOG = logging.getLogger("sluice")
_AT_ONCE = 500  # records
DELIVERY_SECONDS = 30.0
FEEDBACK, CLAIMS = 0, 1  # partitions of a run's feedback


class ClaimLog(Protocol):
    """Who has which rank, as the processes say."""

    def publish(self, value: bytes) -> bool:
        """Writes a record and goes to the one after it; whether that could be done."""

    def read_on(self) -> Iterable[bytes]:
        """What was written since, by anyone; does not wait for it."""

    def close(self) -> None:
        """Gives the connections back."""


class KafkaClaimLog:
    """Where a run's claims are by themselves, in a partition of its feedback.

    Every claim is in the feedback, too: the job reads it there, and so do processes of releases
    that knew no such partition. A topic that one of those made has claims in the feedback alone.
    """

    def __init__(self, access: KafkaAccess, run: RunInfo) -> None:
        self._access = access
        self._topic = access.topics.feedback(run.name)
        self._key = run.run_id.encode()
        self._consumer = access.consumer(queued_max_messages_kbytes=1024)
        self._claims: int | None = None  # the partition that is read

    def publish(self, value: bytes) -> bool:
        """Writes a record and goes to the one after it; whether that could be done."""
        try:
            made = self._access.partitions(self._consumer, self._topic, DELIVERY_SECONDS)
        except KafkaUnreachable as error:
            _LOG.debug("the rank could not be claimed: %s", error)
            return False
        claims = CLAIMS if made > CLAIMS else FEEDBACK
        offsets: dict[int, int] = {}

        def delivered(error: Any, message: Any) -> None:
            if error is None:
                offsets[message.partition()] = message.offset()

        producer = self._access.producer(message_timeout_ms=int(DELIVERY_SECONDS * 1000))
        wanted = {claims, FEEDBACK}
        for partition in wanted:
            producer.produce(
                self._topic, value, key=self._key, partition=partition, on_delivery=delivered
            )
        producer.flush(DELIVERY_SECONDS)
        if claims in offsets and self._claims is None:
            self._claims = claims
            self._consumer.assign([TopicPartition(self._topic, claims, offsets[claims] + 1)])
        return offsets.keys() == wanted

    def read_on(self) -> Iterable[bytes]:
        """What was written since, by anyone; does not wait for it."""
        try:
            return [record.value for record in good(self._consumer.consume(_AT_ONCE, 0))]
        except KafkaException as error:  # what was to be read is gone: it was trimmed
            _LOG.debug("the claims could not be read: %s", error)
            assert self._claims is not None  # nothing else is read
            self._consumer.assign([TopicPartition(self._topic, self._claims, BEGINNING)])
            return []

    def close(self) -> None:
        """Gives the connections back."""
        self._consumer.close()
