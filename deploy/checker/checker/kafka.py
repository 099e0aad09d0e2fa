"""The topics of a Kafka cluster."""

from __future__ import annotations

from collections.abc import Iterator

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, TopicPartition

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
        }
        consumer = Consumer(self.settings)
        try:
            found = consumer.list_topics(timeout=PATIENCE_SECONDS).topics
        finally:
            consumer.close()
        self.found = {
            name[len(prefix) :]: len(topic.partitions)
            for name, topic in found.items()
            if name.startswith(prefix)
        }

    def names(self) -> set[str]:
        return set(self.found)

    def partitions(self, topic: str) -> int:
        return self.found[topic]

    def start(self, topic: str, partition: int) -> int:
        consumer = Consumer(self.settings)
        try:
            place = TopicPartition(self.prefix + topic, partition)
            low, _ = consumer.get_watermark_offsets(place, timeout=PATIENCE_SECONDS)
            return int(low)
        finally:
            consumer.close()

    def read(self, topic: str, partition: int = 0) -> Iterator[Message]:
        consumer = Consumer(self.settings)
        try:
            consumer.assign([TopicPartition(self.prefix + topic, partition, OFFSET_BEGINNING)])
            while True:
                found = consumer.poll(PATIENCE_SECONDS)
                if found is None:
                    raise TimeoutError(
                        f"nothing of {self.prefix}{topic}-{partition} within {PATIENCE_SECONDS} s"
                    )
                error = found.error()
                if error is None:
                    headers = dict(found.headers() or [])
                    yield Message(
                        found.offset(),
                        found.timestamp()[1],
                        found.key(),
                        found.value(),
                        headers.get("sluice"),
                    )
                elif error.code() == KafkaError._PARTITION_EOF:
                    return
                elif not error.retriable():
                    raise KafkaException(error)
        finally:
            consumer.close()
