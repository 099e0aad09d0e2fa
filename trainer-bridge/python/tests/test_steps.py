"""What the run's specification asks for is measured, whoever wrote the policy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from claims import MemoryClaims
from records import grant, required, revised, snapshot, started
from senders import MemorySender, sent
from sluice import wire
from sluice.claim.claim import RankClaim
from sluice.errors import FeedbackLost, InvalidFeedback
from sluice.feedback.losses import train_loss
from sluice.feedback.reporter import FeedbackReporter
from sluice.feedback.steps import Due, StepReporter
from sluice.run.info import RunInfo
from sluice.run.metric import RequiredMetric
from sluice.run.rank import TrainerRank
from sluice.stream.loader import Loader
from writers import (
    DOMAINS,
    MemorySource,
    TestingStream,
    reader_over,
)

NOTHING: dict[str, tuple[float, int]] = {}
STREAM = TestingStream(2, [4] * 6, batches=6)
HARDNESS = required("hardness", 3, atStepZero=True, of=["easy", "hard"], tokens=9)


@contextmanager
def loader(
    *metrics: dict[str, Any],
    rank: TrainerRank | None = None,
    claim: RankClaim | None = None,
    **spec: Any,
) -> Iterator[Loader]:
    source = MemorySource(2, waits=True)
    source.write(STREAM.sequences)
    specified = {"policy": "theirs", "updateEvery": 3, "metrics": list(metrics)} | spec
    run = RunInfo("r-1", STREAM.run.spec | specified)
    reader = reader_over(source, run, [started(run)], rank or TrainerRank())
    with Loader.over(reader, claim=claim) as steps:
        yield steps


def test_a_metric_of_another_jar_is_measured_when_the_run_waits_for_it() -> None:
    asked: list[Due] = []

    def hardness(due: Due) -> dict[str, tuple[float, int]]:
        asked.append(due)
        return {"easy": (0.5 * due.step, 2), "hard": (2.0, 1)}

    def unasked(due: Due) -> dict[str, tuple[float, int]]:
        raise AssertionError("nobody waits for it")

    sender = MemorySender()
    with loader(HARDNESS) as steps:
        measures = {"hardness": hardness, "unasked": unasked}
        reporter = StepReporter(steps, measures, feedback=FeedbackReporter(steps, sender=sender))
        with reporter:
            for step in reporter:
                reporter.after(step.batch, step.batch + 100)
    assert sent(sender) == [
        ("hardness", 0),
        (None, 0),
        (None, 1),
        (None, 2),
        ("hardness", 3),
        (None, 3),
        (None, 4),
        (None, 5),
        ("hardness", 6),
        (None, 6),
    ]
    assert [due.step for due in asked] == [0, 3, 6]
    assert asked[0].metric == RequiredMetric("hardness", 3, True, ("easy", "hard"), (), 9)
    assert asked[0].run.measured_blocks("hardness") == 3
    last = wire.decode(sender.sent[-2][2])[1]
    assert last["trainerStep"] == 106
    assert last["entries"] == [
        {"domain": "easy", "sum": 3.0, "count": 2},
        {"domain": "hard", "sum": 2.0, "count": 1},
    ]
    attempts = {wire.decode(sender.sent[at][2])[1]["attempt"] for at in (0, 4, 8)}
    assert len(attempts) == 3


def test_a_trainer_says_what_it_measures_once_it_takes_its_rank() -> None:
    claims = MemoryClaims()
    claim = RankClaim("r-1", claims, TrainerRank())
    with loader(HARDNESS, claim=claim) as steps:
        measures = {"hardness": lambda due: NOTHING, "eval_loss": lambda due: NOTHING}
        client = FeedbackReporter(steps, sender=MemorySender())
        with StepReporter(steps, measures, feedback=client):
            steps.next(20)
            while not claims.said:
                claim.look(0.01)
            assert [said["metrics"] for said in claims.said] == [["hardness", "eval_loss"]]
            client.train_loss(1, train_loss([1.0], [0], [4], DOMAINS))
            client.eval_loss(1, {"java": (1.0, 1)})
            while len(claims.said) < 2:
                claim.look(0.01)
    assert claims.said[-1]["metrics"] == ["hardness", "eval_loss", "train_loss"]
    assert (claims.said[-1]["batch"], len(claims.said)) == (1, 2)


def test_what_was_sent_can_be_waited_for() -> None:
    sender = MemorySender(answers=False)
    with loader() as steps:
        reporter = StepReporter(steps, {}, feedback=FeedbackReporter(steps, sender=sender))
        reporter.begin()
        with pytest.raises(FeedbackLost, match="1 records were not acknowledged within 0.1 s"):
            reporter.flush(0.1)
        reporter.close()


def test_after_a_switch_what_is_measured_is_for_the_next_batch() -> None:
    before = {"policy": "old", "updateEvery": 2, "metrics": [required("old", 2)]}
    after = {"policy": "new", "updateEvery": 2, "metrics": [required("new", 2, of=["easy"])]}
    runs = [RunInfo("r-1", STREAM.run.spec | spec) for spec in (before, after)]
    source = MemorySource(2, waits=True)
    source.write([STREAM.rewritten(i, weights_version=1 if i < 16 else 2) for i in range(24)])
    control = [
        started(runs[0]),
        grant(1, 0, 0, 4, counts=[[2, 1, 1]] * 4),
        revised(2, 1, 0, runs[1], snapshot(4, 16, 2, [8, 4, 4])),
        grant(3, 2, 4, 6, version=2, counts=[[2, 1, 1]] * 2, first=16),
    ]
    sender = MemorySender()
    with Loader.over(reader_over(source, runs[0], control)) as steps:
        measures = {"old": lambda due: {"java": (1.0, 1)}, "new": lambda due: {"easy": (1.0, 1)}}
        with StepReporter(
            steps, measures, feedback=FeedbackReporter(steps, sender=sender)
        ) as reporter:
            for step in reporter:
                reporter.after(step.batch)
                if step.batch == 6:
                    break
    measured = [one for one in sent(sender) if one[0] is not None]
    assert measured == [("old", 2), ("new", 4), ("new", 6)]


def test_each_metric_has_a_cadence_of_its_own_and_nothing_is_not_sent() -> None:
    every = [required("often", 1), required("once", 0, atStepZero=True), required("never", 2)]
    sender = MemorySender()
    with loader(*every) as steps:
        reporter = StepReporter(
            steps,
            {
                "often": lambda due: {"java": (1.0, 1)},
                "once": lambda due: {"java": (1.0, 1)},
                "never": lambda due: {},
            },
            progress_every=7,
            feedback=FeedbackReporter(steps, sender=sender),
        )
        with reporter:
            reporter.begin()
            for batch in (1, 2, 3):
                reporter.after(batch)
    assert sent(sender) == [("once", 0), (None, 0), ("often", 1), ("often", 2), ("often", 3)]


def test_a_metric_that_nobody_measures_is_named() -> None:
    with loader(HARDNESS, required("eval_loss")) as steps:
        with pytest.raises(InvalidFeedback) as refused:
            StepReporter(steps, {"eval_loss": lambda due: {}})
        assert str(refused.value) == (
            "policy theirs of run r-1 waits for hardness: "
            "give StepReporter measures={'hardness': ...}"
        )


def test_values_are_of_what_the_run_says() -> None:
    with loader(HARDNESS) as steps:
        reporter = FeedbackReporter(steps, sender=MemorySender())
        with pytest.raises(InvalidFeedback) as refused:
            reporter.measure("hardness", 3, {"java": (1.0, 1)})
        assert str(refused.value) == ("'java' is not what hardness is of: run r-1 has easy, hard")
        with pytest.raises(InvalidFeedback, match="unknown domain 'easy': run r-1 has java, prose"):
            reporter.measure("eval_loss", 3, {"easy": (1.0, 1)})
        reporter.close()


def test_a_run_of_an_earlier_build_is_given_held_out_losses_and_a_remedy_is_named_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    losses = dict.fromkeys(DOMAINS, (1.0, 1))
    sender = MemorySender()
    with loader(metrics=None) as steps:
        assert steps.run.metrics == {"eval_loss": RequiredMetric("eval_loss", 3, True)}
        reporter = StepReporter(
            steps,
            {"eval_loss": lambda due: losses},
            feedback=FeedbackReporter(steps, sender=sender),
        )
        with reporter:
            for step in reporter:
                reporter.after(step.batch)
    assert [step for metric, step in sent(sender) if metric == "eval_loss"] == [0, 3, 6]
    assert [record.getMessage() for record in caplog.records] == [
        (
            "run r-1 was begun by a build that did not keep what its policy theirs waits for: "
            "eval_loss is measured; 'sluice run policy' sets the policy anew, and keeps it"
        )
    ]
    with loader(metrics=None, updateEvery=0) as steps:
        assert steps.run.metrics == {}


def test_ranks_share_the_names_of_their_measurements() -> None:
    with loader(rank=TrainerRank(1, 2)) as steps:
        with pytest.raises(InvalidFeedback, match="2 ranks must agree on the names of their"):
            StepReporter(steps, {})
        StepReporter(steps, {}, nonce="shared", feedback=FeedbackReporter(steps)).close()


def test_sets_are_sized_by_the_metric_and_by_the_run_otherwise() -> None:
    spec: dict[str, Any] = {"evalTokens": 9, "probeTokens": 4}
    with loader(required("eval_loss", tokens=20), required("alignment"), **spec) as steps:
        assert (steps.run.eval_blocks, steps.run.probe_blocks) == (5, 1)
    with loader(required("gradient_norm", tokens=17), **spec) as steps:
        assert (steps.run.eval_blocks, steps.run.probe_blocks) == (3, 5)
