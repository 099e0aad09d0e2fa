"""A Python function that steers a run: which round is answered, when, and by whom."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from broker import Broker
from sluice import wire
from sluice.errors import InvalidFeedback, InvalidWeights, RunEnded
from sluice.kafka.access import KafkaAccess
from sluice.run.control import ControlLog
from sluice.run.info import RunInfo
from sluice.steering.followed import FollowedRun
from sluice.steering.policy import policy
from sluice.steering.round import Round
from steered import (
    LOSSES,
    ONE,
    RUN,
    TOPIC,
    Service,
    Topic,
    by_loss,
    decision,
    follow,
    proposals,
    report,
)
from writers import DOMAINS, MemoryLog


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


def test_a_function_learns_from_the_rounds_that_others_answer(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "sluice")
    service, asked = Service(), list[int]()

    @policy("r")
    def mix(round: Round) -> dict[str, float]:
        asked.append(round.step)
        return {"java": len(asked)}

    topic = Topic(
        lambda: topic.values.append(report(2, "proposed_weight", {"java": 1})),
        lambda: topic.values.append(report(2)),
        lambda: None,
        lambda: service.grant(4, decision(1, [ONE, 0, 0])),
        lambda: topic.values.append(report(4)),
        lambda: service.become("stopped"),
    )
    service.grant(2)
    answered, sent = follow(service, topic, mix)
    assert asked == [2, 4]
    assert (answered, proposals(sent)) == (1, [(0, 4, {"java": 2.0})])
    assert "the round of step 2 is answered already" in caplog.text


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
