"""A topic is read to its end, whatever its offsets leave out."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from confluent_kafka import KafkaError, Producer

from sluice.errors import KafkaUnreachable
from sluice.kafka.access import BEGINNING, KafkaAccess, LogRecord, is_removed
from sluice.kafka.log import LogReader


class Message:
    """A record, or news of a partition: without more, that it ends."""

    def __init__(
        self, offset: int, value: bytes | None, news: int = KafkaError._PARTITION_EOF
    ) -> None:
        self._offset, self._value, self._news = offset, value, news

    def error(self) -> KafkaError | None:
        return KafkaError(self._news) if self._value is None else None

    def topic(self) -> str:
        return "log"

    def partition(self) -> int:
        return 0

    def offset(self) -> int:
        return self._offset

    def timestamp(self) -> tuple[int, int]:
        return 1, 0

    def headers(self) -> None:
        return None

    def key(self) -> None:
        return None

    def value(self) -> bytes | None:
        return self._value


class TestingConsumer:
    """One partition, whose records and ends are scripted."""

    __test__ = False

    def __init__(self, *answers: tuple[int, list[Message]]) -> None:
        self.answers = list(answers)
        self.then: list[Message] = []
        self.assigned: list[int] = []

    def list_topics(self, topic: str, timeout: float) -> Any:
        class Metadata:
            error = None
            partitions = (0,)

        return type("All", (), {"topics": {topic: Metadata}})

    def assign(self, places: Any) -> None:
        self.assigned += [place.offset for place in places]

    def close(self) -> None:
        """Nothing is held."""

    def get_watermark_offsets(self, place: Any, timeout: float) -> tuple[int, int]:
        return 0, self.answers[0][0]

    def consume(self, count: int, timeout: float) -> list[Message]:
        found = self.answers[0][1]
        self.answers[0], self.then = (self.answers[0][0], self.then), []
        return found


def reader(
    consumer: TestingConsumer, clock: Callable[[], float] = time.monotonic
) -> tuple[LogReader, list[bytes]]:
    class Access(KafkaAccess):
        def consumer(self, **own: Any) -> Any:
            assert own == {"enable_partition_eof": True}
            return consumer

    return LogReader(Access(), "log", clock, lambda seconds: None), []


def test_reads_on_from_the_last_call() -> None:
    consumer = TestingConsumer((2, [Message(0, b"a"), Message(1, b"b")]), (3, [Message(2, b"c")]))
    log, seen = reader(consumer)

    def sink(record: LogRecord) -> None:
        seen.append(record.value)

    log.catch_up(5, sink)
    assert seen == [b"a", b"b"]
    log.catch_up(5, sink)
    assert seen == [b"a", b"b"]
    consumer.answers.pop(0)
    log.catch_up(5, sink)
    assert seen == [b"a", b"b", b"c"]


def test_a_topic_that_has_lost_its_tail_is_read_again() -> None:
    both = [Message(0, b"a"), Message(1, b"b")]
    consumer = TestingConsumer((2, both), (1, [Message(0, b"a")]))
    log, seen = reader(consumer)
    log.catch_up(5, lambda record: seen.append(record.value))
    consumer.answers.pop(0)
    log.catch_up(5, lambda record: seen.append(record.value))
    assert seen == [b"a", b"b", b"a"]


def test_so_is_one_whose_tail_goes_while_it_is_read() -> None:
    gone = Message(2, None, KafkaError._AUTO_OFFSET_RESET)
    consumer = TestingConsumer((2, [Message(0, b"a"), Message(1, b"b")]))
    log, seen = reader(consumer)
    log.catch_up(5, lambda record: seen.append(record.value))
    consumer.answers = [(4, [gone])]

    def sink(record: LogRecord) -> None:
        seen.append(record.value)

    consumer.then = [Message(0, b"a"), Message(1, b"c"), Message(2, b"d"), Message(3, b"e")]
    log.catch_up(5, sink)
    assert b"".join(seen) == b"abacde"
    assert consumer.assigned == [BEGINNING, BEGINNING]


def test_librdkafka_reads_again_once_it_has_found_that_a_place_is_gone() -> None:
    writer = Producer({"test.mock.num.brokers": 1, "log_level": 0})
    for value in (b"a", b"b", b"c"):
        writer.produce("log", value, partition=0)
    assert writer.flush(30) == 0
    broker = next(iter(writer.list_topics(timeout=30).brokers.values()))
    log = LogReader(KafkaAccess(f"{broker.host}:{broker.port}"), "log")
    log.begin_at(50)
    assert [is_removed(news) for news in log._consumer.consume(1, 30)] == [True]
    seen: list[bytes] = []
    log.catch_up(30, lambda record: seen.append(record.value))
    log.close()
    assert seen == [b"a", b"b", b"c"]


def test_passes_over_offsets_without_a_record() -> None:
    consumer = TestingConsumer((9, [Message(3, b"a"), Message(9, None)]))
    log, seen = reader(consumer)
    log.catch_up(5, lambda record: seen.append(record.value))
    assert seen == [b"a"]


def test_says_so_when_the_end_is_not_reached_in_time() -> None:
    log, _ = reader(TestingConsumer((2, [Message(0, b"a")])))
    with pytest.raises(KafkaUnreachable) as late:
        log.catch_up(0.05, lambda record: None)
    assert str(late.value) == (
        "log at localhost:9092 could not be read to its end: nothing came for 0.05 s"
    )


class SlowConsumer(TestingConsumer):
    """Gives a record every few seconds of its clock, as long as there are any."""

    def __init__(self, records: int, end: int, seconds: float) -> None:
        super().__init__((end, []))
        self.left = [Message(offset, b"a") for offset in range(records)]
        self.seconds = seconds
        self.now = 0.0

    def consume(self, count: int, timeout: float) -> list[Message]:
        self.now += self.seconds
        return [self.left.pop(0)] if self.left else []


def test_a_log_that_comes_slowly_is_read_for_as_long_as_it_comes() -> None:
    consumer = SlowConsumer(records=20, end=20, seconds=9)
    log, seen = reader(consumer, lambda: consumer.now)
    log.catch_up(10, lambda record: seen.append(record.value))
    assert len(seen) == 20


def test_a_log_that_stops_coming_is_given_up_after_the_patience() -> None:
    consumer = SlowConsumer(records=3, end=20, seconds=9)
    log, seen = reader(consumer, lambda: consumer.now)
    with pytest.raises(KafkaUnreachable, match="nothing came for 10 s"):
        log.catch_up(10, lambda record: seen.append(record.value))
    assert len(seen) == 3
    assert consumer.now == 5 * 9


class DeafConsumer(SlowConsumer):
    """Never fetches again after some records, until it is assigned anew."""

    def __init__(self) -> None:
        super().__init__(records=6, end=6, seconds=1)
        self.hears = 3

    def assign(self, places: Any) -> None:
        super().assign(places)
        self.hears = 3

    def consume(self, count: int, timeout: float) -> list[Message]:
        self.now += self.seconds
        self.hears -= 1
        return [self.left.pop(0)] if self.hears >= 0 else []


def test_a_consumer_that_never_fetches_again_is_replaced() -> None:
    consumer = DeafConsumer()
    log, seen = reader(consumer, lambda: consumer.now)
    log.catch_up(10, lambda record: seen.append(record.value))
    assert len(seen) == 6
    assert consumer.assigned == [BEGINNING, 3]


class AwayConsumer(TestingConsumer):
    """A topic that the broker does not know at first."""

    def __init__(self, unknown: int) -> None:
        super().__init__((0, []))
        self.unknown = unknown
        self.now = 0.0

    def list_topics(self, topic: str, timeout: float) -> Any:
        self.now += 3
        self.unknown -= 1
        metadata = type("Topic", (), {"error": self.unknown >= 0 or None, "partitions": (0,)})
        return type("All", (), {"topics": {topic: metadata}})


@pytest.mark.parametrize(("unknown", "gone"), [(0, False), (3, False), (100, True)])
def test_a_topic_is_gone_once_the_broker_has_said_so_for_the_patience(
    unknown: int, gone: bool
) -> None:
    consumer = AwayConsumer(unknown)
    log, _ = reader(consumer, lambda: consumer.now)
    assert log.is_gone(10) == gone
