"""The stream's topic, some of whose records were removed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException, TopicPartition

from records import entry, grant, started
from sluice.errors import BatchNoLongerRetained, StreamStalled
from sluice.kafka.access import KafkaAccess
from sluice.run.control import ControlLog
from sluice.run.rank import TrainerRank
from sluice.run.supply import Supply
from sluice.stream.reader import StreamReader
from sluice.stream.source import KafkaSource
from sluice.wire.header import KEY
from writers import MemoryLog, TestingStream

STREAM = TestingStream(4, [8] * 5, batches=5)


@dataclass(frozen=True)
class Message:
    """A record, or the error that there is none where it was looked for."""

    place: TopicPartition
    header: bytes = b""
    body: bytes = b""

    def error(self) -> KafkaError | None:
        return None if self.header else KafkaError(KafkaError._AUTO_OFFSET_RESET)

    def partition(self) -> int:
        return int(self.place.partition)

    def offset(self) -> int:
        return int(self.place.offset)

    def headers(self) -> list[tuple[str, bytes]]:
        return [(KEY, self.header)]

    def value(self) -> bytes:
        return self.body


class TestingConsumer:
    """A consumer of a topic in memory; records before ``starts`` are gone."""

    __test__ = False

    def __init__(self, stream: TestingStream) -> None:
        self.log: list[list[Any]] = [[] for _ in range(stream.partitions)]
        for written in stream.sequences:
            self.log[written.partition].append(written)
        self.starts = [0] * stream.partitions
        self.removals: list[list[int]] = []  # what becomes of starts before each later call
        self._at: dict[int, int] = {}
        self.unanswered = 0  # times that it is not told where a partition ends
        self.batch = 1000  # most records of a partition in one answer

    def get_watermark_offsets(
        self, place: TopicPartition, timeout: float = 0.0, cached: bool = False
    ) -> tuple[int, int]:
        if cached:
            return self.starts[place.partition], len(self.log[place.partition])
        if self.unanswered > 0:
            self.unanswered -= 1
            raise KafkaException(KafkaError(KafkaError._TIMED_OUT))
        return self.starts[place.partition], len(self.log[place.partition])

    def offsets_for_times(
        self, places: list[TopicPartition], timeout: float
    ) -> list[TopicPartition]:
        found = [self._first(place.topic, place.partition, place.offset) for place in places]
        self._remove()
        return found

    def _remove(self) -> None:
        if self.removals:
            self.starts = self.removals.pop(0)

    def _first(self, topic: str, partition: int, batch: int) -> TopicPartition:
        kept = enumerate(self.log[partition][self.starts[partition] :], self.starts[partition])
        found = (offset for offset, written in kept if written.header.batch >= batch)
        return TopicPartition(topic, partition, next(found, -1))

    def assign(self, places: list[TopicPartition]) -> None:
        self._at = {place.partition: place.offset for place in places}

    def consume(self, count: int, timeout: float) -> list[Message]:
        self._remove()
        found: list[Message] = []
        for partition, offset in self._at.items():
            if offset < self.starts[partition]:
                return [Message(TopicPartition("stream", partition, offset))]
            for at in range(
                offset, min(offset + min(count - len(found), self.batch), len(self.log[partition]))
            ):
                written = self.log[partition][at]
                place = TopicPartition("stream", partition, at)
                found.append(Message(place, written.header.encode(), written.value))
                self._at[partition] = at + 1
        return found

    def pause(self, places: list[TopicPartition]) -> None:
        """Everything is small."""

    resume = pause

    def close(self) -> None:
        """Nothing is held."""


def reader(
    consumer: TestingConsumer,
    *control: dict[str, Any],
    clock: Callable[[], float] = time.monotonic,
) -> StreamReader:
    class Access(KafkaAccess):
        def consumer(self, **own: Any) -> Any:
            return consumer

        def partitions(self, _: Any, topic: str, timeout: float) -> int:
            return STREAM.partitions

    log = [started(STREAM.run), *control]
    return StreamReader(
        STREAM.run,
        KafkaSource(Access(), STREAM.run, 1 << 20, clock),
        ControlLog(STREAM.run, lambda: MemoryLog(log)),
        TrainerRank(),
        Supply(STREAM.run),
        gap_timeout=300,
        status_interval=5,
    )


def test_names_the_oldest_batch_that_is_left() -> None:
    consumer = TestingConsumer(STREAM)
    consumer.starts = [3, 3, 4, 4]
    stream = reader(consumer)
    stream.seek_to_batch(2)
    with pytest.raises(BatchNoLongerRetained) as gone:
        stream.next(20)
    assert str(gone.value) == (
        "batch 2 is no longer retained in sluice.stream.r: the oldest batch left is 3; "
        "resume from a later checkpoint, or keep the stream for longer"
    )
    assert (gone.value.batch, gone.value.oldest) == (2, 3)
    stream.seek_to_batch(gone.value.oldest)
    assert stream.next(20).info.batch == 3


def test_notices_that_records_were_removed_while_it_was_reading() -> None:
    consumer = TestingConsumer(STREAM)
    stream = reader(consumer)
    consumer.starts = [2] * 4
    with pytest.raises(BatchNoLongerRetained, match="batch 1 is no longer .* batch left is 2"):
        stream.next(20)


def test_notices_that_records_are_removed_while_it_looks_them_up() -> None:
    consumer = TestingConsumer(STREAM)
    consumer.removals = [[4] * 4]
    stream = reader(consumer)
    with pytest.raises(BatchNoLongerRetained, match="batch 1 is no longer .* batch left is 3"):
        stream.next(20)


def test_finds_the_oldest_batch_while_more_is_removed() -> None:
    consumer = TestingConsumer(STREAM)
    stream = reader(consumer)
    consumer.removals = [[2] * 4, [2] * 4, [2] * 4, [6] * 4]
    with pytest.raises(BatchNoLongerRetained, match="batch 1 is no longer .* batch left is 4"):
        stream.next(20)


@pytest.mark.parametrize("unanswered", [0, 3])
def test_goes_on_where_what_it_needs_is_left(unanswered: int) -> None:
    consumer = TestingConsumer(STREAM)
    for partition, written in enumerate(consumer.log):
        consumer.log[partition] = written[:4] + written  # batches 1 and 2 were written twice
    stream = reader(consumer)
    consumer.batch = 4
    assert [stream.next(20).info.batch for _ in range(2)] == [1, 2]
    consumer.batch = 1000
    consumer.starts = [8] * 4  # it has not come to the second copies yet
    consumer.unanswered = unanswered
    assert [stream.next(20).info.batch for _ in range(3)] == [3, 4, 5]


def test_tells_of_a_failed_run_of_which_nothing_is_left() -> None:
    consumer = TestingConsumer(STREAM)
    consumer.starts = [10] * 4
    ended = entry(2, 1, "RunStateChanged", {"state": "failed", "commandId": ""}, "")
    stream = reader(consumer, grant(1, 0, 0, 5), ended)
    stream.seek_to_batch(2)
    with pytest.raises(BatchNoLongerRetained, match=r"stream\.r: no batch is left"):
        stream.next(0)


class DeafConsumer(TestingConsumer):
    """Hears nothing more of one partition after some records, until it is assigned anew."""

    def __init__(self, stream: TestingStream) -> None:
        super().__init__(stream)
        self.now = 0.0
        self.closed = 0
        self._left = 0

    def assign(self, places: list[TopicPartition]) -> None:
        super().assign(places)
        self._left = 3

    def consume(self, count: int, timeout: float) -> list[Message]:
        self.now += 1
        self._left -= 1
        return super().consume(1, timeout) if self._left >= 0 else []

    def close(self) -> None:
        self.closed += 1


def test_a_consumer_that_hears_nothing_of_what_is_there_is_replaced() -> None:
    consumer = DeafConsumer(STREAM)
    stream = reader(consumer, clock=lambda: consumer.now)
    assert [stream.next(20).info.batch for _ in range(5)] == [1, 2, 3, 4, 5]
    assert consumer.closed > 3


def test_a_consumer_that_has_heard_all_is_kept() -> None:
    consumer = DeafConsumer(STREAM)
    consumer.log = [written[:-2] for written in consumer.log]  # nothing of batch 5 is there yet
    stream = reader(consumer, clock=lambda: consumer.now)
    for _ in range(4):
        stream.next(20)
    replaced = consumer.closed
    while consumer.now < 100:
        with pytest.raises(StreamStalled):
            stream.next(0.01)
    assert consumer.closed == replaced


class SlowConsumer(DeafConsumer):
    """Hears nothing at first."""

    def assign(self, places: list[TopicPartition]) -> None:
        super().assign(places)
        self._left = -1

    def consume(self, count: int, timeout: float) -> list[Message]:
        self.now += 0.1
        if self._left < 0:
            self._left = 0
            return []
        return TestingConsumer.consume(self, count, timeout)


def test_a_consumer_that_nobody_asked_for_long_is_given_time_to_answer() -> None:
    consumer = SlowConsumer(STREAM)
    stream = reader(consumer, clock=lambda: consumer.now)
    consumer.now += 60
    assert [stream.next(20).info.batch for _ in range(2)] == [1, 2]
    assert consumer.closed == 0
