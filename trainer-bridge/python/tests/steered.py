"""A run whose weights are decided elsewhere, in memory, and who decides them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from records import entry, grant, required, revised, snapshot, started
from senders import MemorySender
from sluice import wire
from sluice.feedback.reporter import FeedbackReporter
from sluice.kafka.access import KafkaAccess, LogRecord
from sluice.run.control import ControlLog
from sluice.run.info import RunInfo
from sluice.steering.followed import FollowedRun
from sluice.steering.policy import RunPolicy, policy
from sluice.steering.round import Round
from sluice.steering.runner import PolicyRunner
from writers import MemoryLog, run_info

TOPIC = "sluice.feedback.r"
ONE = 1 << 40
EXTERNAL = {"policy": "external", "updateEvery": 2, "metrics": [required("eval_loss")]}
RUN = RunInfo("r-1", run_info(1, [8]).spec | EXTERNAL)
LOSSES = {"java": 2.0, "prose": 3.0, "config": 4.0}


def report(
    step: int, metric: str = "eval_loss", means: dict[str, float] | None = None, **changes: Any
) -> bytes:
    record = {
        "runId": "r-1",
        "timeline": 0,
        "step": step,
        "trainerStep": step,
        "attempt": "a",
        "worldSize": 1,
        "rank": 0,
        "metric": metric,
        "entries": [
            {"domain": name, "sum": 10 * mean, "count": 10}
            for name, mean in (means or LOSSES).items()
        ],
        "timeMillis": 0,
    }
    return wire.encode("TrainerFeedback", record | changes)


def record(value: bytes) -> LogRecord:
    return LogRecord(TOPIC, 0, 0, 0, [], value)


class Topic:
    """The feedback topic; each wait lets the next thing happen."""

    def __init__(self, *happens: Callable[[], None]) -> None:
        self.values: list[bytes] = []
        self._happens = list(happens)
        self._read = 0

    def wait(self, seconds: float, sink: Callable[[LogRecord], None]) -> None:
        if self._happens:
            self._happens.pop(0)()
        self.catch_up(seconds, sink)

    def catch_up(self, patience: float, sink: Callable[[LogRecord], None]) -> None:
        for value in self.values[self._read :]:
            sink(record(value))
        self._read = len(self.values)

    def begin_at(self, offset: int) -> None:
        self._read = offset


class Sender(MemorySender):
    """A producer of that topic."""

    def __init__(self, topic: Topic) -> None:
        super().__init__()
        self._topic = topic

    def produce(
        self,
        topic: str,
        value: bytes,
        key: bytes,
        partition: int,
        on_delivery: Callable[[Any, Any], None],
    ) -> None:
        super().produce(topic, value, key, partition, on_delivery)
        self._topic.values.append(value)


def decision(number: int, weights: list[int], kept: bool = False) -> dict[str, Any]:
    return {
        "round": number,
        "step": 2 * number,
        "kept": kept,
        "attempt": "a",
        "weights": weights,
        "policyState": b"",
        "values": [],
        "levels": [],
    }


class Service:
    """A control log that is written to; decides what it is told to."""

    def __init__(self, run: RunInfo = RUN) -> None:
        self.records = [started(run)]
        self.timeline = 0
        self.granted = 0
        self.away = False

    def add(self, record: dict[str, Any]) -> None:
        self.records.append(record)

    def grant(self, to: int, decided: dict[str, Any] | None = None) -> None:
        serial = len(self.records)
        version = 1 + sum(1 for one in self.records if one["body"][1].get("decision"))
        made = grant(
            serial,
            serial - 1,
            self.granted,
            to,
            timeline=self.timeline,
            version=version + (decided is not None),
        )
        name = "io.sluice.schema.RoundDecision"
        made["body"][1]["decision"] = None if decided is None else (name, decided)
        self.add(made)
        self.granted = to

    def become(self, state: str, why: str = "") -> None:
        serial = len(self.records)
        body = {"state": state, "commandId": "c"}
        one = entry(serial, serial - 1, "RunStateChanged", body, why)
        self.add(one | {"timeline": self.timeline})

    def rewind(self, batch: int, closed: int) -> None:
        self.timeline, self.granted = self.timeline + 1, batch
        self.revise(RUN, closed)

    def revise(self, run: RunInfo, closed: int) -> None:
        serial = len(self.records)
        stands = snapshot(self.granted, 8 * self.granted, 2, [0, 0, 0]) | {"round": closed}
        self.add(revised(serial, serial - 1, self.timeline, run, stands))


def follow(
    service: Service, topic: Topic, mix: RunPolicy, run: RunInfo = RUN
) -> tuple[int, list[Any]]:
    """How many rounds were answered, and what was sent."""
    control = ControlLog(run, lambda: MemoryLog(service.records, lambda: service.away))
    sender = Sender(topic)
    with (
        FollowedRun(KafkaAccess(), run, control) as followed,
        FeedbackReporter(followed, sender=sender) as reporter,
    ):
        answered = PolicyRunner(followed, topic, reporter, mix, mix.metrics).run()
    return answered, [wire.decode(value)[1] for _, _, value in sender.sent]


def proposals(sent: list[Any]) -> list[tuple[int, int, dict[str, float]]]:
    """Timeline, step and weights of each."""
    assert {one["metric"] for one in sent} <= {"proposed_weight"}
    assert all(each["count"] == 1 for one in sent for each in one["entries"])
    return [
        (one["timeline"], one["step"], {e["domain"]: e["sum"] for e in one["entries"]})
        for one in sent
    ]


@policy("r")
def by_loss(asked: Round) -> dict[str, float]:
    return dict(asked.losses)
