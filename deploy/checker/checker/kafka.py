"""The topics of a Kafka cluster."""

from __future__ import annotations

from collections.abc import Iterator

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from checker.topics import Message

PATIENCE_SECONDS = 60.0


class KafkaTopics:
    def __init__(self, servers: str, prefix: str) -> None:
        self.prefix = prefix
        self.settings = {
            "bootstrap.servers": servers,
            "group.id": "sluice-checker",  # required by the client; nothing is committed
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "auto.offset.reset": "error",
            "isolation.level": "read_committed",
            "fetch.wait.max.ms": 20,  # the end of a partition is known as soon
        }
        consumer = Consumer(self.settings)
        try:
            found = consumer.list_topics(timeout=PATIENCE_SECONDS).topics
            self.found = {
                name[len(prefix) :]: len(topic.partitions)
                for name, topic in found.items()
                if name.startswith(prefix)
            }
            streams = [name for name in self.found if name.startswith("stream.")]
            # What follows from a log is read before the log is, and what it follows from after it.
            self.ends = {
                (name, partition): self._bounds(consumer, name, partition)[1]
                for name in streams
                for partition in range(self.found[name])
            }
        finally:
            consumer.close()

    def names(self) -> set[str]:
        return set(self.found)

    def partitions(self, topic: str) -> int:
        return self.found[topic]

    def start(self, topic: str, partition: int) -> int:
        consumer = Consumer(self.settings)
        try:
            return self._bounds(consumer, topic, partition)[0]
        finally:
            consumer.close()

    def _bounds(self, consumer: Consumer, topic: str, partition: int) -> tuple[int, int]:
        place = TopicPartition(self.prefix + topic, partition)
        low, high = consumer.get_watermark_offsets(place, timeout=PATIENCE_SECONDS)
        return int(low), int(high)

    def read(self, topic: str, partition: int = 0) -> Iterator[Message]:
        """What is written meanwhile is left out, else a busy partition had no end."""
        consumer = Consumer(self.settings)
        try:
            start, now = self._bounds(consumer, topic, partition)
            end = self.ends.get((topic, partition), now)
            consumer.assign([TopicPartition(self.prefix + topic, partition, start)])
            at = start
            while at < end:
                found = consumer.poll(PATIENCE_SECONDS)
                if found is None:
                    place = f"{self.prefix}{topic}-{partition}"
                    raise TimeoutError(f"nothing of {place} within {PATIENCE_SECONDS} s")
                error = found.error()
                if error is not None and error.code() == KafkaError._PARTITION_EOF:
                    return  # the last offsets are of a transaction
                if error is not None and not error.retriable():
                    raise KafkaException(error)
                if error is None:
                    at = found.offset() + 1
                    if at <= end:
                        headers = dict(found.headers() or [])
                        yield Message(
                            found.offset(),
                            found.timestamp()[1],
                            found.key(),
                            found.value(),
                            headers.get("sluice"),
                        )
        finally:
            consumer.close()
