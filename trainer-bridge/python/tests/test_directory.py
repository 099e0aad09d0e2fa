"""Runs are found in the logs of their own, and in the one that all shared before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from confluent_kafka import KafkaError

from records import entry, grant, started
from sluice import wire
from sluice.errors import KafkaUnreachable
from sluice.kafka.access import KafkaAccess, LogRecord
from sluice.kafka.heads import TopicHeads
from sluice.run.control import ControlLog
from sluice.run.directory import RunDirectory
from sluice.run.info import RunInfo
from sluice.run.log import RunLog
from sluice.run.own_logs import OwnLogs
from writers import TestingStream

OLD = TestingStream(1, [4]).run


def run(run_id: str, seed: int = 1) -> RunInfo:
    return RunInfo(run_id, OLD.spec | {"run": run_id.split(".", maxsplit=1)[0], "seed": seed})


class Kafka:
    """Topics of one partition: the time and value of each record."""

    def __init__(self) -> None:
        self.topics: dict[str, list[tuple[int, bytes]]] = defaultdict(list)
        self.silent: set[str] = set()
        self.polled = 0
        self.now = 0.0

    def write(self, topic: str, time: int, *records: dict[str, Any]) -> None:
        values = [wire.encode("ControlRecord", record) for record in records]
        self.topics[f"sluice.{topic}"] += [(time, value) for value in values]

    def start(self, run_id: str, time: int, seed: int = 1) -> RunInfo:
        started_run = run(run_id, seed)
        self.write(f"control.{run_id}", time, started(started_run))
        return started_run

    def create(self, topic: str) -> None:
        self.topics[f"sluice.{topic}"] = []

    def directory(self) -> RunDirectory:
        own = OwnLogs(TopicHeads(Access(self), lambda: self.now), KafkaAccess().topics, patience=10)
        return RunDirectory(own, lambda: Reader(self, "sluice.control"), patience=10)

    def log(self, run_id: str) -> RunLog:
        return RunLog(KafkaAccess(), run_id, lambda _, topic: Reader(self, topic))  # type: ignore[arg-type, return-value]


class Access(KafkaAccess):
    def __init__(self, kafka: Kafka) -> None:
        super().__init__()
        object.__setattr__(self, "kafka", kafka)

    def consumer(self, **own: Any) -> Any:
        return Consumer(self.kafka)  # type: ignore[attr-defined]


class Message:
    """A record, or the news that a topic ends."""

    def __init__(self, topic: str, offset: int, record: tuple[int, bytes] | None) -> None:
        self._topic, self._offset, self._record = topic, offset, record

    def error(self) -> KafkaError | None:
        return None if self._record else KafkaError(KafkaError._PARTITION_EOF)

    def topic(self) -> str:
        return self._topic

    def partition(self) -> int:
        return 0

    def offset(self) -> int:
        return self._offset

    def timestamp(self) -> tuple[int, int]:
        return 1, self._record[0] if self._record else 0

    def headers(self) -> None:
        return None

    def key(self) -> None:
        return None

    def value(self) -> bytes:
        return self._record[1] if self._record else b""


class Consumer:
    """Gives one record, or end, of each topic at a time."""

    def __init__(self, kafka: Kafka) -> None:
        self._kafka = kafka
        self._at: dict[str, int] = {}

    def list_topics(self, timeout: float) -> Any:
        return type("All", (), {"topics": dict.fromkeys(self._kafka.topics)})

    def assign(self, places: Any) -> None:
        assert all(place.offset == -2 for place in places)
        self._at = {place.topic: 0 for place in places}

    def incremental_unassign(self, places: Any) -> None:
        for place in places:
            del self._at[place.topic]

    def consume(self, count: int, timeout: float) -> list[Message]:
        self._kafka.now += timeout
        found = []
        for topic, at in self._at.items():
            if topic in self._kafka.topics and topic not in self._kafka.silent:
                self._kafka.polled += 1
                records = [*self._kafka.topics[topic], None]
                if at < len(records):
                    found.append(Message(topic, at, records[at]))
                    self._at[topic] = at + 1
        return found

    def close(self) -> None:
        """Nothing is held."""


class Reader:
    """Reads one topic on; a topic that is gone does not answer."""

    def __init__(self, kafka: Kafka, topic: str) -> None:
        self._kafka, self._topic, self._at = kafka, topic, 0

    def exists(self, patience: float) -> bool:
        return self._topic in self._kafka.topics

    def is_gone(self, patience: float) -> bool:
        return not self.exists(patience)

    def span(self, patience: float) -> tuple[int, int]:
        return 0, len(self._kafka.topics[self._topic])

    def stretch(self, start: int, end: int, patience: float) -> list[LogRecord]:
        records = self._kafka.topics[self._topic]
        return [
            LogRecord(self._topic, 0, at, records[at][0], [], records[at][1])
            for at in range(start, end)
        ]

    def begin_at(self, offset: int) -> None:
        self._at = offset

    def catch_up(self, patience: float, sink: Callable[[LogRecord], None]) -> bool:
        if not self.exists(patience):
            if self._at > 0:
                raise KafkaUnreachable("no answer")
            return False
        for time, value in self._kafka.topics[self._topic][self._at :]:
            sink(LogRecord(self._topic, 0, self._at, time, [], value))
            self._at += 1
        return True

    def close(self) -> None:
        """Nothing is held."""


def test_finds_the_run_of_a_name_whose_own_log_started_last() -> None:
    kafka = Kafka()
    kafka.start("r.c", 100)
    newest = kafka.start("r.a", 300, seed=2)
    kafka.start("r.b", 200)
    kafka.start("r2.z", 900)
    directory = kafka.directory()
    assert directory.latest("r") == newest
    assert directory.latest("s") is None
    assert [each.run_id for each in directory.runs()] == ["r.c", "r.b", "r.a", "r2.z"]


def test_takes_the_larger_id_of_two_that_started_at_once() -> None:
    kafka = Kafka()
    larger = kafka.start("r.b", 100)
    kafka.start("r.a", 100)
    assert kafka.directory().latest("r") == larger


def test_passes_over_a_log_without_a_start_and_what_is_none_of_its_run() -> None:
    kafka = Kafka()
    first = kafka.start("r.a", 100)
    kafka.create("control.r.asked")
    kafka.topics["sluice.control.r.refused"] = [(200, b"noise"), (200, b"\xc3\x01unknown!")]
    elsewhere = started(run("r.refused")) | {"timeline": 1}
    kafka.write("control.r.refused", 201, started(run("r.a", 9)), elsewhere)
    kafka.write("control.r.refused", 202, grant(1, 0, 0, 9, run="r.refused"))
    directory = kafka.directory()
    assert directory.latest("r") == first
    assert directory.runs() == [first]
    kafka.topics["sluice.control.r.asked"] = [(300, b"noise")]
    asked = kafka.start("r.asked", 301)
    assert directory.latest("r") == asked


def test_reads_only_the_first_records_of_the_logs_that_have_the_name() -> None:
    kafka = Kafka()
    for i in range(50):
        kafka.start(f"other.{i}", i)
    found = kafka.start("r.a", 100)
    kafka.write("control.r.a", 101, *[grant(1, 0, 0, 5, run="r.a")] * 30)
    assert kafka.directory().latest("r") == found
    assert kafka.polled == 1


def test_reads_the_log_that_all_shared_where_no_run_of_the_name_has_its_own() -> None:
    kafka = Kafka()
    kafka.write("control", 100, started(OLD))
    directory = kafka.directory()
    assert directory.latest("r") == OLD
    other = kafka.start("s.a", 50)
    kafka.create("control.r.asked")
    assert directory.latest("r") == OLD
    assert directory.runs() == [OLD, other]
    own = kafka.start("r.b", 60)
    assert directory.latest("r") == own
    del kafka.topics["sluice.control.r.b"]
    assert directory.latest("r") == OLD


def test_believes_nothing_of_a_run_elsewhere_than_in_its_own_log() -> None:
    kafka = Kafka()
    kafka.create("control.r.a")
    kafka.write("control", 100, started(run("r.a")))
    assert kafka.directory().latest("r") is None
    assert kafka.directory().runs() == []


def test_a_log_that_is_deleted_meanwhile_has_no_run_and_one_that_is_silent_is_an_error() -> None:
    kafka = Kafka()
    kept = kafka.start("r.a", 100)
    kafka.start("r.b", 200)
    heads = TopicHeads(Access(kafka), lambda: kafka.now)
    logs = OwnLogs(heads, KafkaAccess().topics, patience=10)
    ids = logs.run_ids()
    del kafka.topics["sluice.control.r.b"]
    assert logs.started(ids) == [kept]
    kafka.silent.add("sluice.control.r.a")
    with pytest.raises(KafkaUnreachable, match="control.r.a at .* nothing came for 10 s"):
        logs.started(ids)


def test_a_run_is_followed_in_its_own_log_until_that_is_gone() -> None:
    kafka = Kafka()
    found = kafka.start("r.a", 100)
    kafka.write("control", 100, started(run("r.a", 9)), grant(1, 0, 0, 99, run="r.a"))
    kafka.write("control.r.a", 101, grant(1, 0, 0, 4, run="r.b"))
    kafka.topics["sluice.control.r.a"].append((102, b"noise"))
    kafka.write("control.r.a", 103, grant(1, 0, 0, 5, run="r.a", counts=[[2, 1, 1]] * 5))
    log = kafka.log("r.a")
    control = ControlLog(found, lambda: log)
    control.refresh()
    assert control.fold.granted == 5
    del kafka.topics["sluice.control.r.a"]
    control.refresh()
    assert control.fold.ended_before(1)
    assert "run r.a is deleted (its control log is gone)" in control.fold.describe(6)
    control.start_over(0)
    control.refresh()
    assert control.fold.state == "deleted"


def test_a_run_without_a_log_of_its_own_is_followed_where_it_is() -> None:
    kafka = Kafka()
    log = kafka.log("r-1")
    control = ControlLog(OLD, lambda: log)
    control.refresh()
    assert control.fold.state == "not started"
    kafka.write("control", 100, started(OLD))
    kafka.write(
        "control", 101, entry(1, 0, "RunStateChanged", {"state": "paused", "commandId": ""})
    )
    control.refresh()
    assert control.fold.state == "paused"
    del kafka.topics["sluice.control"]
    with pytest.raises(KafkaUnreachable):
        control.refresh()
    assert control.fold.state == "paused"
