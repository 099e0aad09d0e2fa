from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from sluice import wire
from sluice.errors import FeedbackLost, InvalidFeedback
from sluice.feedback import FeedbackClient
from writers import run_info

RUN = run_info(1, [4])


class MemorySender:
    """A producer that acknowledges when it is told to."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, int, bytes]] = []
        self._callbacks: list[Callable[[Any, Any], None]] = []

    def produce(
        self,
        topic: str,
        value: bytes,
        key: bytes,
        partition: int,
        on_delivery: Callable[[Any, Any], None],
    ) -> None:
        assert key == b"r-1"
        self.sent.append((topic, partition, value))
        self._callbacks.append(on_delivery)

    def acknowledge(self, error: str | None = None) -> None:
        for callback in self._callbacks:
            callback(error, None)
        self._callbacks.clear()

    def poll(self, timeout: float) -> int:
        return 0

    def flush(self, timeout: float) -> int:
        return len(self._callbacks)


def client(sender: MemorySender, **settings: Any) -> FeedbackClient:
    return FeedbackClient(RUN, sender=sender, clock=lambda: 0.042, **settings)


def test_sends_sums_and_then_progress_to_the_one_partition() -> None:
    sender = MemorySender()
    feedback = client(sender, timeline=1, rank=3, world_size=8)
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
        ("TrainerProgress", who | {"batch": 10, "trainerStep": 11, "oldestCheckpoint": 5}),
    ]


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
        client(MemorySender(), world_size=2).eval_loss(1, {"java": (1.0, 1)})
    with pytest.raises(ValueError, match="rank 2 of 2"):
        client(MemorySender(), rank=2, world_size=2)
    with pytest.raises(InvalidFeedback, match=r"oldestCheckpoint must be in \[-1, 3\]: 4"):
        client(MemorySender()).progress(3, 3, 4)


def test_takes_nothing_more_once_a_record_is_lost() -> None:
    sender = MemorySender()
    feedback = client(sender)
    feedback.progress(1)
    sender.acknowledge("too late")
    with pytest.raises(FeedbackLost, match="not acknowledged by sluice.feedback.r: too late"):
        feedback.progress(2)
    with pytest.raises(FeedbackLost):
        feedback.flush()
    assert len(sender.sent) == 1


def test_flush_tells_whether_all_was_acknowledged() -> None:
    sender = MemorySender()
    feedback = client(sender)
    feedback.progress(1)
    sender.acknowledge()
    feedback.flush()
    feedback.progress(2)
    with pytest.raises(FeedbackLost, match="1 records were not acknowledged within 3 s"):
        feedback.flush(timeout=3)
