"""What a rank that waits says again, and when."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from senders import MemorySender, sent
from sluice import wire
from sluice.errors import RankTaken
from sluice.feedback.outbox import Outbox
from sluice.feedback.repeater import OpenRounds, Repeater, Repetition
from sluice.feedback.reporter import FeedbackReporter
from sluice.kafka.access import KafkaAccess
from sluice.run.info import RunInfo
from sluice.run.rank import TrainerRank
from sluice.stream.exposed import SUPPLY, ExposedTime
from writers import run_info

EVERY = 10


class Source:
    """A trainer, and the time."""

    def __init__(self) -> None:
        self.access = KafkaAccess()
        self.rank = TrainerRank(1, 2)
        self.run = run_info(1, [4])
        self.announced: list[str] = []
        self.rewound_to: int | None = None
        self.waits = True
        self.exposed: ExposedTime | None = None
        self.taken = False
        self.now = 0.0

    def run_at(self, batch: int) -> RunInfo:
        return self.run

    def announce(self, metrics: Iterable[str]) -> None:
        self.announced.extend(metrics)

    def timeline_of(self, step: int) -> int:
        return 0 if self.rewound_to is None or step <= self.rewound_to else 1

    def read(self, batch: int) -> list[dict[str, Any]]:
        return []

    def require_held(self) -> None:
        if self.taken:
            raise RankTaken(
                {
                    "runId": "r-1",
                    "rank": 1,
                    "worldSize": 2,
                    "replica": 0,
                    "host": "host",
                    "pid": 1,
                    "timeMillis": 1,
                }
            )


def repeater(source: Source) -> Repeater:
    return Repeater(source, clock=lambda: source.now, draw=random.Random(1).random)


def measured(target: Repeater, timeline: int, step: int, attempt: str) -> None:
    record = {"timeline": timeline, "step": step, "metric": "eval_loss"}
    target.reported(record, attempt.encode(), step + EVERY)


def trained(target: Repeater, timeline: int, batch: int) -> None:
    target.progressed({"timeline": timeline, "batch": batch}, f"batch {batch}".encode())


def again(target: Repeater, source: Source, seconds: int) -> list[str]:
    """What is said again within that time: the last lot of it."""
    last: list[str] = []
    for _ in range(seconds):
        source.now += 1
        last = [value.decode() for value in target.due()] or last
    return last


def test_who_waits_says_its_last_progress_and_the_reports_of_open_steps_again() -> None:
    source = Source()
    target = repeater(source)
    measured(target, 0, 0, "closed")
    trained(target, 0, 10)
    measured(target, 0, 20, "first")
    measured(target, 0, 15, "again")
    trained(target, 0, 20)
    measured(target, 0, 20, "second")
    trained(target, 0, 21)
    assert again(target, source, 60) == ["again", "second", "batch 21"]


def test_nothing_is_said_again_while_batches_come() -> None:
    source = Source()
    target = repeater(source)
    trained(target, 0, 1)
    source.waits = False
    assert again(target, source, 3600) == []
    source.waits = True
    assert again(target, source, 29) == []
    trained(target, 0, 2)
    assert again(target, source, 29) == []
    assert again(target, source, 31) == ["batch 2"]


def test_progress_that_is_said_again_says_what_was_waited_until_now() -> None:
    source = Source()
    target = repeater(source)
    record = {"runId": "r-1", "timeline": 0, "batch": 1, "trainerStep": 1, "worldSize": 2}
    record |= {"rank": 1, "oldestCheckpoint": -1, "timeMillis": 1}
    target.progressed(record, wire.encode("TrainerProgress", record))
    source.exposed = ExposedTime(100.0, {SUPPLY: 90.0})
    source.now += 60
    (value,) = target.due()
    name, said = wire.decode(value)
    assert name == "TrainerProgress"
    waited = ("io.sluice.schema.ExposedWait", source.exposed.record())
    assert said == record | {"exposed": waited, "read": None}
    assert waited[1]["supplyMillis"] == 90_000


def test_who_has_lost_the_rank_says_nothing_more() -> None:
    source = Source()
    target = repeater(source)
    trained(target, 0, 1)
    source.taken = True
    assert again(target, source, 3600) == []


def test_what_a_rewind_took_back_is_not_said_again() -> None:
    source = Source()
    target = repeater(source)
    measured(target, 0, 5, "stands")
    measured(target, 0, 10, "taken back")
    trained(target, 0, 10)
    source.rewound_to = 8
    assert again(target, source, 60) == ["stands"]
    trained(target, 1, 9)
    assert again(target, source, 60) == ["stands", "batch 9"]


def test_the_first_step_of_a_policy_is_open_for_two_rounds() -> None:
    rounds = OpenRounds()
    run = run_info(1, [4])
    run = replace(run, spec=run.spec | {"policy": "dga", "updateEvery": 10, "lag": 2})
    assert [rounds.open_to(run, step) for step in (0, 0, 10, 20)] == [12, 12, 12, 22]
    other = replace(run, spec=run.spec | {"policy": "velocitune"})
    assert [rounds.open_to(other, step) for step in (30, 40)] == [42, 42]
    # Back to an earlier batch, where the policy may begin anew.
    assert rounds.open_to(other, 20) == 32


def test_only_so_many_reports_are_kept() -> None:
    source = Source()
    target = repeater(source)
    for step in range(1, 71):
        measured(target, 0, step, f"step {step}")
    kept = again(target, source, 60)
    assert len(kept) == 64
    assert (kept[0], kept[-1]) == ("step 7", "step 70")


def test_repetitions_become_rare_and_those_of_many_ranks_do_not_fall_together() -> None:
    times: Counter[int] = Counter()
    for rank in range(800):
        source = Source()
        repetition = Repetition(lambda now=source: now.now, random.Random(rank).random)  # type: ignore[misc]
        due = 0
        for second in range(1, 3601):
            source.now = second
            if repetition.is_due():
                due += 1
                times[second] += 1
        assert 5 <= due <= 9
    assert min(times) >= 30
    assert max(times.values()) < 60  # 27 a second on average in the first half minute of them


def test_an_outbox_sends_what_it_is_told_to_while_nothing_is_pending() -> None:
    left = [[b"c", b"d"]]
    asked_with: list[int] = []

    def more() -> list[bytes]:
        asked_with.append(box.pending)
        return left.pop() if left and len(sender.sent) == 2 else []

    sender = MemorySender()
    box = Outbox(sender, "feedback", "r-1", 10, more)
    box.put(lambda: b"a")
    box.put(lambda: b"b")
    while left:
        box.flush(10)
    box.flush(10)
    box.close(10)
    assert [value for _, _, value in sender.sent] == [b"a", b"b", b"c", b"d"]
    assert set(asked_with) == {0}


def test_a_reporter_says_again_what_it_sent(monkeypatch: Any) -> None:
    source = Source()
    monkeypatch.setattr("sluice.feedback.reporter.Repeater", repeater)
    sender = MemorySender()
    with FeedbackReporter(source, sender=sender) as feedback:
        feedback.eval_loss(4, {"java": (3.0, 2)}, attempt="nonce")
        feedback.progress(4)
        feedback.flush()
        source.now = 60.0
        while len(sender.sent) < 4:
            feedback.flush()
    assert sent(sender) == [("eval_loss", 4), (None, 4)] * 2
    values = [wire.decode(value) for _, _, value in sender.sent]
    assert values[2:] == values[:2]
    assert source.announced == ["eval_loss"]
