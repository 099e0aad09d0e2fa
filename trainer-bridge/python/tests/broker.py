"""A broker that librdkafka plays in this process."""

from __future__ import annotations

from confluent_kafka import Producer, TopicPartition

from sluice import wire
from sluice.kafka.access import KafkaAccess
from sluice.wire.header import KEY
from writers import TestingStream

PARTITIONS = 4  # of every topic that the broker creates


class Broker:
    """A producer with the broker that it runs."""

    def __init__(self) -> None:
        self._producer = Producer({"test.mock.num.brokers": 1, "log_level": 0})
        brokers = self._producer.list_topics(timeout=10).brokers.values()
        self.bootstrap = ",".join(f"{broker.host}:{broker.port}" for broker in brokers)

    def create(self, topic: str) -> None:
        """Makes a topic."""
        self._producer.list_topics(topic, timeout=10)

    def write(
        self, topic: str, name: str, record: wire.Record, partition: int = 0, key: str = ""
    ) -> None:
        """Writes a record, and all that was put before."""
        self.put(topic, name, record, partition, key)
        assert self._producer.flush(10) == 0

    def put(
        self, topic: str, name: str, record: wire.Record, partition: int = 0, key: str = ""
    ) -> None:
        """Writes a record with the next one that is written."""
        value = wire.encode(name, record)
        self._producer.produce(topic, value, key=key.encode(), partition=partition)

    def write_stream(self, stream: TestingStream) -> None:
        """Writes all sequences of a run named r."""
        for one in stream.sequences:
            self._producer.produce(
                "sluice.stream.r",
                one.value,
                partition=one.partition,
                timestamp=one.header.batch,
                headers=[(KEY, one.header.encode())],
            )
        assert self._producer.flush(10) == 0

    def read(self, topic: str, count: int) -> list[str]:
        """Types of the first records of a topic's first partition; waits for so many."""
        consumer = KafkaAccess(self.bootstrap).consumer()
        consumer.assign([TopicPartition(topic, 0, 0)])
        found = [wire.decode(message.value() or b"")[0] for message in consumer.consume(count, 10)]
        consumer.close()
        return found
