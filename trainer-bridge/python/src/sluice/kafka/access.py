"""How to reach the log: what every client of this package starts from."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer

from sluice.errors import KafkaRefused, KafkaUnreachable
from sluice.kafka.files import require_files
from sluice.kafka.reach import failures, servers
from sluice.wire.topics import Topics

QUIET = 2  # exceptions tell of lost connections; librdkafka would repeat them 20 times a second
BEGINNING = -2  # librdkafka's logical offset of a partition's first record
_ATTEMPT_SECONDS = 2.0
_FIRST_SECONDS = 3.0  # before any broker has answered, until it is looked whether one is there
_PROBE_SECONDS = 1.5
_CLIENT: Mapping[str, Any] = {
    # A broker that starts may not know a topic yet, and librdkafka asks again only then.
    "topic.metadata.refresh.interval.ms": 5_000,
}
_REFUSED = (KafkaError._AUTHENTICATION, KafkaError._SSL, KafkaError.SASL_AUTHENTICATION_FAILED)


class _Contact:
    """What is known of the brokers: whether one was ever there, and why the broker lets nobody in,
    as librdkafka last told it; '' when it does."""

    made = False
    reason = ""

    def hear(self, error: KafkaError) -> None:
        if error.code() in _REFUSED:
            self.reason = error.str()


def _dotted(own: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of librdkafka, whose names have dots."""
    return {key.replace("_", "."): value for key, value in own.items()}


@dataclass(frozen=True)
class KafkaAccess:
    """Bootstrap servers, topic prefix, and librdkafka settings that apply to every client."""

    bootstrap: str = "localhost:9092"
    prefix: str = "sluice."
    config: Mapping[str, Any] = field(default_factory=dict, repr=False)  # may hold passwords
    _contact: _Contact = field(default_factory=_Contact, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        servers(self.bootstrap)
        Topics(self.prefix)
        require_files(self.config)

    @property
    def topics(self) -> Topics:
        """The topics under the prefix."""
        return Topics(self.prefix)

    def consumer(self, **own: Any) -> Consumer:
        """A consumer that never joins its group: partitions and positions are set explicitly."""
        return Consumer(
            {
                **_CLIENT,
                **self.config,
                "bootstrap.servers": self.bootstrap,
                "group.id": f"{self.topics.prefix}reader",
                "enable.auto.commit": False,
                "enable.auto.offset.store": False,
                "auto.offset.reset": "error",
                "allow.auto.create.topics": False,
                "isolation.level": "read_uncommitted",
                "fetch.wait.max.ms": 20,
                "fetch.queue.backoff.ms": 5,
                "log_level": QUIET,
                "error_cb": self._contact.hear,
                **_dotted(own),
            }
        )

    def producer(self, **own: Any) -> Any:
        """A producer whose records are acknowledged by every replica, each sent at once."""
        return Producer(
            {
                **_CLIENT,
                **self.config,
                "bootstrap.servers": self.bootstrap,
                "acks": "all",
                "linger.ms": 0,
                "log_level": QUIET,
                **_dotted(own),
            }
        )

    def partitions(self, consumer: Consumer, topic: str, timeout: float) -> int:
        """Number of partitions of a topic; 0 when it does not exist. Nothing is assigned yet."""
        found = self._metadata(consumer, timeout, topic).topics[topic]
        return 0 if found.error else len(found.partitions)

    def topic_names(self, consumer: Consumer, timeout: float) -> list[str]:
        """Names of all topics that this client may see."""
        return list(self._metadata(consumer, timeout).topics)

    def _metadata(self, consumer: Consumer, timeout: float, *topic: str) -> Any:
        self._contact.reason = ""
        start = time.monotonic()
        deadline = start + max(timeout, 0.1)
        first = min(start + _FIRST_SECONDS, deadline)
        while True:
            until = deadline if self._contact.made else first
            attempt = max(0.1, min(_ATTEMPT_SECONDS, until - time.monotonic()))
            try:
                found = consumer.list_topics(*topic, timeout=attempt)
                self._contact.made = True
                return found
            except KafkaException as error:
                consumer.poll(0)  # librdkafka tells its reasons here, and only here
                if self._contact.reason or time.monotonic() >= deadline:
                    raise self.unreachable(timeout, error) from error
                if not self._contact.made and time.monotonic() >= first:
                    self._require_there(start, error)

    def _require_there(self, start: float, error: KafkaException) -> None:
        """Who was never there is not waited for as one that has gone away; who takes a connection
        and is slow to say more is."""
        reasons = failures(self.bootstrap, _PROBE_SECONDS)
        if reasons:
            raise KafkaUnreachable(
                f"Kafka is unreachable, tried for {time.monotonic() - start:.0f} s: "
                f"{'; '.join(reasons)}; start it there, let this machine through, or name another "
                "as bootstrap"
            ) from error
        self._contact.made = True

    def unreachable(self, timeout: float, error: KafkaException) -> KafkaUnreachable:
        """The error for a broker that did not answer, or lets nobody in."""
        if self._contact.reason:
            return KafkaRefused(
                f"Kafka at {self.bootstrap} refuses this client: {self._contact.reason}; "
                "its user, password and certificates are what config gives"
            )
        return KafkaUnreachable(
            f"Kafka at {self.bootstrap} did not answer within {timeout:g} s: {error.args[0].str()}"
        )


class LogRecord(NamedTuple):
    """One record of a topic."""

    topic: str
    partition: int
    offset: int
    timestamp: int
    headers: list[tuple[str, Any]]
    value: bytes
    key: bytes = b""


def is_removed(message: Any) -> bool:
    """Whether this says that the partition has no record where it was to be read."""
    error = message.error()
    return error is not None and error.code() == KafkaError._AUTO_OFFSET_RESET


def records(messages: Iterable[Any]) -> Iterator[Any]:
    """The messages that are records; a fatal error is raised."""
    for message in messages:
        error = message.error()
        if error is None:
            yield message
        elif error.fatal() or is_removed(message):
            raise KafkaException(error)


def good(messages: Iterable[Any]) -> list[LogRecord]:
    """The records among the messages; a fatal error is raised."""
    return [_record(message) for message in records(messages)]


def _record(message: Any) -> LogRecord:
    return LogRecord(
        message.topic(),
        message.partition(),
        message.offset(),
        message.timestamp()[1],
        message.headers() or [],
        message.value() or b"",
        message.key() or b"",
    )
