from __future__ import annotations

import math
import time
from typing import Any

import pytest

from senders import MemorySender
from sluice import wire
from sluice.errors import FeedbackLost, InvalidFeedback, InvalidWorldSize
from sluice.feedback.losses import train_loss
from sluice.feedback.progress import ProgressReporter
from sluice.feedback.reporter import FeedbackReporter
from writers import run_info

RUN = run_info(1, [4])


def client(sender: MemorySender, **settings: Any) -> FeedbackReporter:
    return FeedbackReporter(RUN, sender=sender, clock=lambda: 0.042, **settings)


def test_sends_sums_and_then_progress_to_the_one_partition() -> None:
    sender = MemorySender()
    with client(sender, timeline=1, dp=(3, 8)) as feedback:
        feedback.eval_loss(10, {"prose": (12.5, 4)}, trainer_step=11, attempt="nonce")
        feedback.progress(10, 11, 5)
    assert {(topic, partition) for topic, partition, _ in sender.sent} == {("sluice.feedback.r", 0)}
    who = {"runId": "r-1", "timeline": 1, "worldSize": 8, "rank": 3, "timeMillis": 42}
    assert [wire.decode(value) for _, _, value in sender.sent] == [
        (
            "TrainerFeedback",
            who
            | {
                "step": 10,
                "trainerStep": 11,
                "attempt": "nonce",
                "metric": "eval_loss",
                "entries": [{"domain": "prose", "sum": 12.5, "count": 4}],
            },
        ),
        (
            "TrainerProgress",
            who
            | {
                "batch": 10,
                "trainerStep": 11,
                "oldestCheckpoint": 5,
                "exposed": None,
                "read": None,
            },
        ),
    ]


def test_keeps_the_order_of_many_calls_and_never_waits_for_the_broker() -> None:
    sender = MemorySender(answers=False)
    feedback = client(sender, capacity=1000)
    start = time.perf_counter()
    for batch in range(1000):
        feedback.progress(batch)
    assert time.perf_counter() - start < 5
    sender.answers = True
    feedback.flush(20)
    sent = [wire.decode(value)[1]["batch"] for _, _, value in sender.sent]
    assert sent == list(range(1000))
    feedback.close()
    with pytest.raises(ValueError, match="the feedback reporter is closed"):
        feedback.progress(1001)


@pytest.mark.parametrize(
    ("step", "domains", "message"),
    [
        (1, {"sql": (1.0, 1)}, "unknown domain 'sql': run r-1 has java, prose, config"),
        (1, {"java": (math.nan, 1)}, "sum of domain 'java' must be finite: nan"),
        (1, {"java": (math.inf, 1)}, "sum of domain 'java' must be finite: inf"),
        (1, {"java": (1.0, 0)}, "count of domain 'java' must be at least 1: 0"),
        (1, {}, "a measurement must have at least one domain"),
        (-1, {"java": (1.0, 1)}, "step must not be negative: -1"),
    ],
)
def test_refuses_what_no_run_could_use(
    step: int, domains: dict[str, tuple[float, int]], message: str
) -> None:
    sender = MemorySender()
    with pytest.raises(InvalidFeedback) as refused:
        client(sender).eval_loss(step, domains)
    assert str(refused.value) == message
    assert not sender.sent


def test_ranks_must_share_their_attempt() -> None:
    with pytest.raises(InvalidFeedback, match="attempt must be given"):
        client(MemorySender(), dp=(0, 2)).eval_loss(1, {"java": (1.0, 1)})
    with pytest.raises(InvalidWorldSize, match="rank 2 of 2"):
        client(MemorySender(), dp=(2, 2))
    with pytest.raises(InvalidFeedback, match=r"oldestCheckpoint must be in \[-1, 3\]: 4"):
        client(MemorySender()).progress(3, 3, 4)
    with pytest.raises(InvalidWorldSize, match="replica must not be negative: -1"):
        client(MemorySender(), replica=-1)
    with pytest.raises(ValueError, match="capacity must be at least 1: 0"):
        client(MemorySender(), capacity=0)


def test_a_client_that_is_forgotten_sends_what_it_was_given() -> None:
    sender = MemorySender()
    feedback = client(sender)
    feedback.eval_loss(1, {"java": (1.0, 1)})
    feedback.progress(1)
    del feedback
    assert len(sender.sent) == 2


def test_takes_nothing_more_once_a_record_is_lost() -> None:
    sender = MemorySender(error="too late")
    feedback = client(sender)
    feedback.progress(1)
    with pytest.raises(FeedbackLost, match="not acknowledged by sluice.feedback.r: too late"):
        feedback.flush()
    with pytest.raises(FeedbackLost):
        feedback.progress(2)
    assert len(sender.sent) == 1


def test_a_record_that_cannot_be_encoded_is_told_by_the_next_call() -> None:
    feedback = client(MemorySender())
    feedback.progress(1, "one")  # type: ignore[arg-type]
    with pytest.raises(FeedbackLost, match="not acknowledged by sluice.feedback.r: "):
        feedback.flush()


def test_flush_tells_whether_all_was_acknowledged() -> None:
    sender = MemorySender()
    feedback = client(sender)
    feedback.progress(1)
    feedback.flush()
    sender.answers = False
    feedback.progress(2)
    with pytest.raises(FeedbackLost, match="1 records were not acknowledged within 0.05 s"):
        feedback.flush(timeout=0.05)


def test_a_box_that_is_full_is_an_error_not_a_wait() -> None:
    sender = MemorySender(answers=False)
    feedback = client(sender, capacity=2)
    feedback.progress(1)
    feedback.progress(2)
    for _ in range(2):
        with pytest.raises(FeedbackLost) as lost:
            feedback.progress(3)
        assert str(lost.value) == (
            "feedback was not acknowledged by sluice.feedback.r: "
            "2 records wait for the broker, the most that are kept"
        )


def test_only_the_first_replica_of_a_rank_reports() -> None:
    sender = MemorySender()
    with client(sender, replica=1) as feedback:
        feedback.eval_loss(1, {"java": (1.0, 1)})
        feedback.progress(1)
        feedback.flush()
        with pytest.raises(InvalidFeedback, match="unknown domain 'sql'"):
            feedback.eval_loss(1, {"sql": (1.0, 1)})
    assert not sender.sent


def test_progress_is_reported_now_and_then_with_the_oldest_checkpoint() -> None:
    sender = MemorySender()
    with client(sender) as feedback:
        progress = ProgressReporter(feedback, every=2)
        for batch in range(1, 9):
            if batch == 7:
                progress.removed(3)
            progress.trained(batch, batch + 100)
            if batch in (3, 5):
                progress.saved(batch)
    sent = [wire.decode(value)[1] for _, _, value in sender.sent]
    assert [one["batch"] for one in sent] == [2, 4, 6, 8]
    assert [one["trainerStep"] for one in sent] == [102, 104, 106, 108]
    assert [one["oldestCheckpoint"] for one in sent] == [-1, 3, 3, 5]
    with pytest.raises(ValueError, match="every must be at least 1: 0"):
        ProgressReporter(feedback, every=0)


def test_sends_the_losses_of_the_trained_rows() -> None:
    sender = MemorySender()
    with client(sender) as feedback:
        losses = train_loss([2.0, 3.0, 1.0], [0, 2, 0], [4, 4, 3], RUN.domains)
        feedback.train_loss(5, losses)
        feedback.train_loss(6, train_loss([0.0], [-1], [0], RUN.domains))
    [(_, _, value)] = sender.sent
    record = wire.decode(value)[1]
    assert (record["metric"], record["step"]) == ("train_loss", 5)
    assert record["entries"] == [
        {"domain": "java", "sum": 3.0, "count": 7},
        {"domain": "config", "sum": 3.0, "count": 4},
    ]
