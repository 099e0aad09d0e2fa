"""A Python function as a run's policy, in the simulator and live."""

from __future__ import annotations

import io
import json
import logging
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from broker import Broker
from records import entry, grant, required, revised, snapshot, started
from senders import MemorySender
from sluice import wire
from sluice.errors import (
    InvalidFeedback,
    InvalidWeights,
    PolicyFailed,
    RunEnded,
    WireFormatError,
)
from sluice.feedback.reporter import FeedbackReporter
from sluice.kafka.access import KafkaAccess, LogRecord
from sluice.run.control import ControlLog
from sluice.run.info import RunInfo
from sluice.steering.followed import FollowedRun
from sluice.steering.policy import RunPolicy, policy
from sluice.steering.reports import MetricReports, Reports
from sluice.steering.round import Round
from sluice.steering.runner import PolicyRunner
from vectors import cases
from writers import DOMAINS, MemoryLog, run_info

EXAMPLES = Path(__file__).parents[1] / "examples"
TOPIC = "sluice.feedback.r"
ONE = 1 << 40
EXTERNAL = {
    "policy": "external",
    "updateEvery": 2,
    "metrics": [required("eval_loss")],
}
RUN = RunInfo("r-1", run_info(1, [8]).spec | EXTERNAL)
ASKED = Round(4, {"java": 0.5, "prose": 0.25, "config": 0.25})
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


def test_answers_each_round_once_its_losses_are_there() -> None:
    service, asked = Service(), list[Round]()

    @policy("r")
    def mix(round: Round) -> dict[str, float]:
        asked.append(round)
        return {"java": 3, "prose": 1}

    topic = Topic(
        lambda: service.grant(2),
        lambda: topic.values.append(report(2, worldSize=2, rank=1)),
        lambda: topic.values.append(report(2, worldSize=2, rank=0)),
        lambda: topic.values.append(report(4)),
        lambda: service.grant(4, decision(1, [ONE // 2, ONE // 2, 0])),
        lambda: service.become("completed"),
    )
    answered, sent = follow(service, topic, mix)
    assert answered == 2
    assert proposals(sent) == [(0, step, {"java": 3.0, "prose": 1.0}) for step in (2, 4)]
    assert [one["attempt"] for one in sent] == ["policy-0-2", "policy-0-4"]
    assert [one.step for one in asked] == [2, 4]
    assert [dict(one.losses) for one in asked] == [LOSSES, LOSSES]
    assert [list(one.weights.values()) for one in asked] == [[0.5, 0.25, 0.25], [0.5, 0.5, 0]]
    assert asked[0].domains == tuple(DOMAINS)


def test_what_was_sent_is_said_again_while_its_round_is_open() -> None:
    service = Service()
    service.grant(2)
    control = ControlLog(RUN, lambda: MemoryLog(service.records))
    with FollowedRun(KafkaAccess(), RUN, control) as followed:
        followed.refresh()
        assert not followed.waits
        followed.proposed(2)
        assert followed.waits
        assert followed.timeline_of(2) == 0
        service.grant(4, decision(1, [ONE, 0, 0]))
        followed.refresh()
        assert not followed.waits
        assert [followed.timeline_of(step) for step in (2, 4)] == [-1, 0]
        assert followed.read(2) == []


def test_another_process_goes_on_where_one_ended() -> None:
    service = Service()
    service.grant(2)
    topic = Topic(lambda: None, lambda: service.become("stopped"))
    topic.values += [report(2), report(2, "proposed_weight", {"java": 1})]
    assert follow(service, topic, by_loss) == (0, [])
    service = Service()
    service.grant(2)
    service.grant(4, decision(1, [ONE, 0, 0]))
    topic = Topic(lambda: None, lambda: service.become("stopped"))
    topic.values += [report(2), report(2, "proposed_weight", {"java": 1}), report(4)]
    answered, sent = follow(service, topic, by_loss)
    assert (answered, proposals(sent)) == (1, [(0, 4, LOSSES)])


def test_a_round_that_was_kept_without_an_answer_gets_none() -> None:
    service = Service()
    service.grant(2)
    service.grant(4, decision(1, [ONE, 0, 0], kept=True))
    topic = Topic(lambda: None, lambda: service.become("completed"))
    topic.values.append(report(2))
    assert follow(service, topic, by_loss) == (0, [])


def test_rounds_that_a_rewind_opens_again_are_answered_in_their_timeline() -> None:
    service = Service()
    topic = Topic(
        lambda: service.grant(2),
        lambda: service.grant(4, decision(1, [ONE, 0, 0], kept=True)),
        lambda: topic.values.append(report(4)),
        lambda: service.rewind(2, 0),
        lambda: service.grant(4, decision(1, [ONE, 0, 0])),
        lambda: topic.values.append(report(4, timeline=1)),
        lambda: service.become("completed"),
    )
    topic.values.append(report(2))
    service.grant(1)
    _, sent = follow(service, topic, by_loss)
    assert [one[:2] for one in proposals(sent)] == [(0, 2), (0, 4), (1, 4)]


def test_nothing_is_asked_while_another_policy_decides(caplog: pytest.LogCaptureFixture) -> None:
    still = RunInfo("r-1", RUN.spec | {"policy": "static", "updateEvery": 0, "metrics": []})
    service = Service()
    topic = Topic(
        lambda: service.grant(2),
        lambda: service.revise(still, 0),
        lambda: topic.values.append(report(2)),
        lambda: service.become("completed"),
    )
    topic.values.append(report(0))
    service.grant(1)
    with caplog.at_level(logging.INFO, "sluice"):
        answered, sent = follow(service, topic, by_loss)
    assert (answered, sent) == (0, [])
    assert "policy static takes no weights: another is waited for" in caplog.text


def test_a_decorator_without_a_call_is_refused() -> None:
    with pytest.raises(TypeError, match="must be called"):
        policy(lambda asked: None)  # type: ignore[arg-type]


def test_waits_for_metrics_of_ones_own() -> None:
    service, found = Service(), list[Any]()

    @policy("r", metrics=["reward"])
    def mix(round: Round) -> None:
        found.append({name: dict(means) for name, means in round.metrics.items()})

    topic = Topic(
        lambda: topic.values.append(report(2)),
        lambda: topic.values.append(report(2, "reward", {"java": 7.0})),
        lambda: service.become("completed"),
    )
    service.grant(2)
    _, sent = follow(service, topic, mix)
    assert found == [{"eval_loss": LOSSES, "reward": {"java": 7.0}}]
    assert proposals(sent) == [(0, 2, {"java": 0.5, "prose": 0.25, "config": 0.25})]


def test_says_what_it_does(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "sluice")
    service = Service()
    service.grant(2)

    def go() -> None:
        service.away = True

    def come() -> None:
        service.away = False

    topic = Topic(
        go, go, come, lambda: topic.values.append(report(2)), lambda: service.become("completed")
    )
    follow(service, topic, by_loss)
    assert caplog.messages == [
        "nothing is heard of run r-1: no answer",
        "run r-1: the round of step 2 waits for eval_loss",
        (
            "run r-1: the round of step 2: java 0.5 -> 0.2222, config 0.25 -> 0.4444, "
            "prose 0.25 -> 0.3333"
        ),
        "run r-1 is completed: 1 rounds were answered",
    ]


def test_only_a_run_that_takes_weights_is_followed_until_it_ends() -> None:
    other = RunInfo("r-1", RUN.spec | {"policy": "odm"})
    message = r"policy of run r-1 must be external, which takes weights: odm; 'sluice run policy'"
    with pytest.raises(InvalidFeedback, match=message):
        follow(Service(other), Topic(), by_loss, other)
    service = Service()
    topic = Topic(lambda: service.become("failed", "lost"))
    with pytest.raises(RunEnded, match=r"run r-1 is failed \(lost\)"):
        follow(service, topic, by_loss)
    with pytest.raises(ValueError, match=r"run must be named: @sluice.policy\(NAME\)"):
        policy()(lambda asked: None).run()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"web": 1}, "unknown domain 'web' (1): the run has java, prose, config"),
        ({"java": float("nan")}, "weight of domain 'java' must be a number in [0, 1e+09]: nan"),
        ({"prose": -0.5}, "weight of domain 'prose' must be a number in [0, 1e+09]: -0.5"),
        ({"prose": 2e9}, "weight of domain 'prose' must be a number in [0, 1e+09]: 2000000000.0"),
        ({"java": "much"}, "weight of domain 'java' must be a number in [0, 1e+09]: 'much'"),
        ([1, 2], "weights must be one for each of the 3 domains java, prose, config: shape (2,)"),
        ([1, float("inf"), 2], "weight of domain 'prose' must be a number in [0, 1e+09]: inf"),
        ("all", "weights must be a mapping of domains, or an array of 3 numbers: 'all'"),
        (dict.fromkeys(DOMAINS, 0), "one of the weights must be above 0: all are 0"),
    ],
)
def test_an_answer_that_no_run_could_follow_is_refused(
    answer: Any, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    def mix(asked: Round) -> Any:
        return answer

    with pytest.raises(InvalidWeights) as refused:
        policy()(mix)(ASKED)
    assert str(refused.value) == f"policy mix at step 4: {message}"
    assert policy(on_error="keep")(mix)(ASKED) == ASKED.weights
    assert caplog.messages == [f"the weights of step 4 are kept: {refused.value}"]


def test_weights_are_by_domain_or_in_order() -> None:
    assert policy()(lambda asked: np.array([1, 2, 3]))(ASKED) == dict(
        zip(DOMAINS, [1, 2, 3], strict=True)
    )
    assert policy()(lambda asked: {"java": np.float32(2)})(ASKED) == {"java": 2.0}
    assert policy()(lambda asked: {})(ASKED) == ASKED.weights
    assert policy()(lambda asked: None)(ASKED) == ASKED.weights


def test_what_a_function_raises_is_told_with_its_step() -> None:
    @policy()
    def mix(asked: Round) -> dict[str, float]:
        return {"java": 1 / len(asked.losses)}

    message = "policy mix at step 4 failed: ZeroDivisionError: division by zero"
    with pytest.raises(PolicyFailed, match=message) as failed:
        mix(ASKED)
    assert isinstance(failed.value.__cause__, ZeroDivisionError)
    with pytest.raises(ValueError, match="on_error must be 'stop' or 'keep': 'go'"):
        policy(on_error="go")(lambda asked: None)  # type: ignore[arg-type]


def test_a_failure_ends_the_process_and_the_round_is_answered_by_the_next() -> None:
    service = Service()
    service.grant(2)
    topic = Topic()
    topic.values.append(report(2))
    with pytest.raises(InvalidWeights):
        follow(service, topic, policy()(lambda asked: {"java": -1}))
    assert len(topic.values) == 1
    again = Topic(lambda: None, lambda: service.become("completed"))
    again.values = topic.values
    assert follow(service, again, by_loss)[0] == 1


def test_answers_the_lines_of_the_simulator(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @policy("r")
    def mix(asked: Round) -> dict[str, float]:
        print("thinks")
        return {name: asked.losses[name] * asked.weights[name] for name in asked.losses}

    lines = [
        {"step": 2, "weights": {"a": 0.5, "b": 0.5}, "eval_loss": {"a": 2.0, "b": 4.0}},
        {"step": 4, "weights": {"a": 0.5, "b": 0.5}, "eval_loss": {"a": 2.0, "b": "NaN"}},
    ]
    monkeypatch.setenv("SLUICE_EXTERNAL", "lines")
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(json.dumps(one) + "\n" for one in lines)))
    mix.main([])
    said = capsys.readouterr()
    assert list(map(json.loads, said.out.splitlines())) == [
        {"weights": {"a": 1.0, "b": 2.0}},
        {"weights": {"a": 1.0}},
    ]
    assert said.err == "thinks\nthinks\n"
    with pytest.raises(WireFormatError, match="a round must be a line of JSON"):
        mix.simulate(io.StringIO("7\n"), io.StringIO())


def test_as_a_program_it_follows_the_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = list[RunPolicy]()
    monkeypatch.setattr(RunPolicy, "run", lambda self: ran.append(self))
    file = tmp_path / "kafka.properties"
    file.write_text("security.protocol=SSL\n", encoding="utf-8")
    by_loss.main([])
    by_loss.main(
        ["--run", "s", "--bootstrap", "b:1", "--prefix", "p.", "--kafka-config", str(file)]
    )
    assert [one.name for one in ran] == ["r", "s"]
    assert ran[0].access == by_loss.access
    assert ran[1].access == KafkaAccess("b:1", "p.", {"security.protocol": "SSL"})
    with pytest.raises(SystemExit):
        policy()(lambda asked: None).main([])
    assert "--run" in capsys.readouterr().err


@cases("reports")
def test_reports_win_as_in_the_service(case: Any) -> None:
    metrics: dict[str, MetricReports] = {}
    for one in case["reports"]:
        pairs = zip(one["sums"], one["counts"], strict=True)
        totals = {str(i): pair for i, pair in enumerate(pairs)}
        reports = metrics.setdefault(one["metric"], MetricReports())
        reading = reports.take(one["attempt"], one["worldSize"], one["rank"], totals)
        assert reading == one["reading"]
    for metric, expected in case["won"].items():
        won = metrics[metric].won
        if expected is None:
            assert won is None
            continue
        assert won is not None
        assert won.attempt == expected["attempt"]
        means = {str(i): mean for i, mean in enumerate(expected["means"]) if mean is not None}
        assert won.means() == means
        assert [count for _, count in won.totals.values()] == expected["counts"]


@pytest.mark.parametrize(
    "value",
    [
        b"",
        report(2)[:-3],
        wire.encode(
            "TrainerProgress",
            {
                "runId": "r-1",
                "timeline": 0,
                "batch": 2,
                "trainerStep": 2,
                "oldestCheckpoint": -1,
                "worldSize": 1,
                "rank": 0,
                "timeMillis": 0,
                "exposed": None,
                "read": None,
            },
        ),
        report(2, runId="r-2"),
        report(2, rank=1),
        report(2, attempt=""),
        report(2, means={"java": float("nan")}),
        report(2, entries=[{"domain": "java", "sum": 1.0, "count": 1}] * 2),
        report(2, entries=[{"domain": "java", "sum": 1.0, "count": -1}]),
    ],
)
def test_what_nobody_can_use_is_passed_over(value: bytes) -> None:
    reports = Reports("r-1")
    reports.take(record(value))
    assert reports.won(0, 2, "eval_loss") is None


def test_reports_of_many_steps_are_not_all_kept() -> None:
    reports = Reports("r-1")
    for step in range(2000):
        reports.take(record(report(step)))
    assert reports.won(0, 900, "eval_loss") is None
    assert reports.won(0, 1999, "eval_loss") == LOSSES
    reports.forget(0, 1990)
    reports.take(record(report(1980, attempt="b")))
    assert reports.won(0, 1980, "eval_loss") is None
    assert reports.won(0, 1991, "eval_loss") == LOSSES


def test_the_actor_critic_prefers_the_domain_that_improves_most() -> None:
    mix: RunPolicy = runpy.run_path(str(EXAMPLES / "actor_critic.py"))["mix"]
    asked = {"fast": 1 / 3, "slow": 1 / 3, "still": 1 / 3}
    trained = dict.fromkeys(asked, 1.0)
    slopes = {"fast": 0.5, "slow": 0.1, "still": 0.0}
    shares = []
    for step in range(1, 31):
        losses = {name: 3 * trained[name] ** -slope for name, slope in slopes.items()}
        line = json.dumps({"step": step, "weights": asked, "eval_loss": losses})
        answers = io.StringIO()
        assert mix.simulate(io.StringIO(line + "\n"), answers) == 1
        weights = json.loads(answers.getvalue())["weights"]
        asked = {name: weight / sum(weights.values()) for name, weight in weights.items()}
        trained = {name: trained[name] + asked[name] for name in trained}
        shares.append(asked)
    assert shares[0] == pytest.approx(dict.fromkeys(asked, 1 / 3))
    assert shares[5]["fast"] > 0.6
    assert all(each["fast"] > each["slow"] > each["still"] for each in shares[2:10])
    assert shares[-1]["fast"] > 0.6


def test_follows_a_run_by_a_brokers_address() -> None:
    broker = Broker()
    service = Service()
    service.grant(2)

    @policy("r", bootstrap=broker.bootstrap)
    def mix(asked: Round) -> dict[str, float]:
        service.become("completed")
        broker.write("sluice.control", "ControlRecord", service.records[-1])
        return dict(asked.losses)

    for one in service.records:
        broker.write("sluice.control", "ControlRecord", one)
    broker.write(TOPIC, *wire.decode(report(2)))
    assert mix.run() == 1
    assert mix.run() == 0  # the run is completed
    assert broker.read(TOPIC, 2) == ["TrainerFeedback"] * 2
