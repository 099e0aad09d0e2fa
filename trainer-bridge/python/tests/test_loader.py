from __future__ import annotations

import itertools
import multiprocessing
import os
import pickle
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from records import (
    entry,
    grant,
    started,
    supplied,
)
from sluice import wire
from sluice.errors import (
    ForkedProcess,
    InvalidState,
    InvalidWorldSize,
    KafkaUnreachable,
    RunEnded,
    SequenceLengthMismatch,
    StreamCorrupt,
    StreamStalled,
    TokenizerMismatch,
)
from sluice.run.rank import TrainerRank
from sluice.run.sets import SetSource
from sluice.run.supply import Supply
from sluice.stream.assembler import WHOLE
from sluice.stream.batch import Batch
from sluice.stream.loader import Loader
from sluice.stream.reader import StreamReader
from writers import (
    MemorySource,
    TestingStream,
    Written,
    reader_over,
    run_info,
)

SIZES = [8, 8, 4, 8, 4, 8]
STREAM = TestingStream(4, SIZES)
COMPLETED = entry(1, 0, "RunStateChanged", {"state": "completed", "commandId": ""})


@contextmanager
def loader(
    source: MemorySource,
    control: list[dict[str, Any]] | None = None,
    rank: TrainerRank = WHOLE,
    run: Any = STREAM.run,
    supply: Supply | None = None,
    sets: SetSource | None = None,
    **settings: Any,
) -> Iterator[Loader]:
    control = [started(run)] if control is None else control
    reader = reader_over(source, run, control, rank, supply, status_interval=0.0625, sets=sets)
    with Loader.over(reader, **settings) as opened:
        yield opened
    assert source.closed
    assert not [t for t in threading.enumerate() if t.name == "sluice-fetch"]


def filled(limit: int = 3) -> MemorySource:
    source = MemorySource(4, limit, waits=True)
    source.write(STREAM.sequences)
    return source


class AskedByOneThread(MemorySource):
    """A source that only the thread which reads may ask what it misses, and none when closed."""

    def misses(self, assembler: Any) -> bool:
        assert threading.current_thread().name == "sluice-fetch"
        return super().misses(assembler)


def test_what_was_waited_is_known_without_asking_the_source() -> None:
    stream = TestingStream(4, [8] * 3)
    source = AskedByOneThread(4, 3, waits=True)
    source.write(stream.sequences[:-1])  # the last batch is granted, and has not all come
    with loader(source, [started(stream.run), grant(1, 0, 0, 3)], run=stream.run) as steps:
        for _ in itertools.islice(steps, 2):
            pass
        before = steps.exposed
        assert before.step_seconds > 0
    assert steps.exposed.step_seconds >= before.step_seconds


def test_yields_the_steps_of_a_run_and_ends_with_it() -> None:
    run = run_info(4, SIZES, batches=6)
    with loader(filled(), run=run, micro_batch=2) as steps:
        seen = [(step.batch, [len(part) for part in step]) for step in steps]
    assert seen == [(n, [2] * (size // 2)) for n, size in enumerate(SIZES, start=1)]


@pytest.mark.parametrize("seed", range(20))
def test_restored_at_any_step_with_any_world_size_equals_never_having_stopped(seed: int) -> None:
    rng = random.Random(seed)
    state: dict[str, Any] | None = None
    seen: list[int] = []
    batch = 0
    while batch < len(SIZES):
        world = rng.choice([1, 2, 4])
        until = rng.randrange(batch + 1, len(SIZES) + 1)
        states, rows = [], []
        for rank in range(world):
            with loader(filled(rng.randrange(1, 9)), rank=TrainerRank(rank, world)) as steps:
                if state is not None:
                    steps.load_state_dict(state)
                rows.append([steps.next(20).whole.index.tolist() for _ in range(batch, until)])
                states.append(steps.state_dict())
        assert all(one == states[0] for one in states)
        for parts in zip(*rows, strict=True):
            seen += [index for part in parts for index in part]
        state, batch = states[0], until
    assert seen == list(range(sum(SIZES)))
    assert state == {"version": 1, "runId": "r-1", "timeline": 0, "batch": 6, "firstIndex": 40}


def test_state_is_of_what_was_handed_out_not_of_what_was_read_ahead() -> None:
    source = filled(limit=100)
    with loader(source) as steps:
        assert steps.state_dict()["batch"] == 0
        steps.next(20)
        steps.next(20)
        state = steps.state_dict()
        assert (state["batch"], state["firstIndex"]) == (2, 16)
        steps.seek_to_batch(5)
        assert steps.next(20).batch == 5
        steps.load_state_dict(state)
        assert steps.state_dict() == state
        assert [steps.next(20).batch for _ in range(4)] == [3, 4, 5, 6]
        with pytest.raises(InvalidState, match="the state is of run r-9, this stream is of run"):
            steps.load_state_dict(state | {"runId": "r-9"})
        with pytest.raises(InvalidState, match="batch must be at least 1, the first of run r-1: 0"):
            steps.seek_to_batch(0)


def test_a_state_that_is_refused_changes_nothing() -> None:
    wrongs: list[tuple[dict[str, Any], str]] = [
        ({"runId": "r-9"}, "is of run r-9, this stream is of run r-1: open the run"),
        ({"version": 7}, "must be version 1: 7"),
        ({"batch": -1}, "must not be negative"),
        ({"firstIndex": 9}, "batch 2 starts at sequence 8, the state has 9"),
        ({"timeline": 1}, "is of timeline 1, run r-1 has timelines 0 to 0"),
    ]
    with loader(filled(limit=100)) as steps:
        assert steps.next(20).batch == 1
        for wrong, message in wrongs:
            with pytest.raises(InvalidState, match=message):
                steps.load_state_dict(steps.state_dict() | wrong)
        assert [steps.next(20).batch for _ in range(5)] == [2, 3, 4, 5, 6]


def test_hands_out_nothing_after_a_seek_that_failed_until_one_succeeds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = filled(limit=100)
    with loader(source) as steps:
        assert steps.next(20).batch == 1
        state = steps.state_dict()

        def away(batch: int, partitions: Any) -> None:
            raise KafkaUnreachable("Kafka at x did not answer within 30 s")

        with monkeypatch.context() as patched:
            patched.setattr(source, "seek", away)
            for call in (lambda: steps.load_state_dict(state), lambda: steps.next(20)):
                with pytest.raises(KafkaUnreachable):
                    call()
        with pytest.raises(KafkaUnreachable):
            steps.next(20)
        steps.load_state_dict(state)
        assert [steps.next(20).batch for _ in range(5)] == [2, 3, 4, 5, 6]


def test_reads_ahead_no_more_than_its_budget() -> None:
    source = filled(limit=8)
    with loader(source, ready_bytes=1) as steps:
        steps.next(20)
        steps.next(20)
        assert steps.metrics()["sluice/ready_bytes"] <= 8 * (5 * 2 + 4 + 24)
        assert [steps.next(20).batch for _ in range(4)] == [3, 4, 5, 6]


def test_an_error_of_the_thread_is_raised_as_it_was() -> None:
    source = MemorySource(4, limit=8, waits=True)
    source.write(STREAM.sequences[:8])
    with loader(source) as steps:
        assert steps.next(20).batch == 1
        source.write([*STREAM.sequences[8:12], STREAM.rewritten(12, chain=99)])
        for _ in range(2):
            with pytest.raises(StreamCorrupt, match="sequence 12: the chain hash is 63"):
                steps.next(20)
        assert steps.state_dict()["batch"] == 1


def test_a_thread_that_is_out_of_memory_tells_the_training_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with loader(filled()) as steps:
        assert steps.next(20).batch == 1

        def exhausted(self: StreamReader, timeout: float) -> Batch:
            raise SystemExit("no way on") from MemoryError()

        monkeypatch.setattr(StreamReader, "next", exhausted)
        with pytest.raises(SystemExit, match="no way on"):
            while True:
                steps.next(20)


def test_says_what_it_waits_for_and_goes_on_when_it_comes() -> None:
    source = MemorySource(4, waits=True)
    source.write(STREAM.sequences[:8])
    control = [started(STREAM.run), grant(1, 0, 0, 1)]
    seconds = itertools.count()
    to_come: list[list[Written]] = []

    def clock() -> float:
        if to_come:
            source.write(to_come.pop())
        return float(next(seconds))

    with loader(source, control, clock=clock) as steps:
        assert steps.next(20).batch == 1
        assert not steps.waits
        with pytest.raises(StreamStalled) as stalled:
            steps.next(20)
        assert steps.waits
        assert str(stalled.value) == (
            "batch 2 did not come within 20 s: sequence 8 of stream partition 0 is awaited; "
            "batch 2 is not granted yet: the last grant ends at batch 1"
        )
        control.append(grant(2, 1, 1, 2))
        to_come += [STREAM.sequences[8:16], []]  # the clock's first call is before the wait
        step = steps.next(20)
        assert step.batch == 2
        assert not steps.waits
        assert step.info.wait_seconds >= 2
        assert step.info.wait_reason.startswith("batch 2 is ")
        assert steps.metrics()["sluice/wait_seconds_total"] >= step.info.wait_seconds


def test_a_run_that_is_completed_or_stopped_is_an_end_one_that_fails_is_an_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with loader(filled(), [started(STREAM.run), COMPLETED]) as steps:
        assert [step.batch for step in steps] == [1, 2, 3, 4, 5, 6]
        assert steps.ended is not None
        assert (steps.ended.state, steps.ended.last_batch) == ("completed", 6)
        steps.seek_to_batch(6)
        assert steps.ended is None
    assert not caplog.records
    why = "java has ended after 20 sequences"
    stopped = entry(1, 0, "RunStateChanged", {"state": "stopped", "commandId": ""}, why)
    with loader(filled(), [started(STREAM.run), stopped]) as steps:
        assert [step.batch for step in steps] == [1, 2, 3, 4, 5, 6]
        assert steps.ended is not None
        assert steps.ended.state == "stopped"
        with pytest.raises(RunEnded, match=f"run r-1 is stopped .{why}.: batch 6 was the last"):
            steps.next(20)
    assert [record.getMessage() for record in caplog.records] == [
        f"run r-1 is stopped ({why}): batch 6 was the last one handed out"
    ]
    failed = entry(1, 0, "RunStateChanged", {"state": "failed", "commandId": ""}, "no block")
    with (
        loader(filled(), [started(STREAM.run), failed]) as steps,
        pytest.raises(RunEnded, match=r"run r-1 is failed \(no block\): batch 6 was the last"),
    ):
        list(steps)


def test_metrics_are_of_the_batch_that_was_trained_on() -> None:
    with loader(filled()) as steps:
        for batch in (1, 2, 3):
            steps.next(20)
            assert steps.metrics()["sluice/batch"] == batch
        steps.trained(2)
        assert steps.metrics()["sluice/batch"] == 2
        steps.next(20)
        assert steps.metrics()["sluice/batch"] == 2
        steps.trained(3)
        assert steps.metrics()["sluice/tokens_seen"] == 20 * 4
        steps.seek_to_batch(1)
        assert "sluice/batch" not in steps.metrics()
        steps.next(20)
        assert steps.metrics()["sluice/batch"] == 1


def test_closes_while_the_thread_waits_for_records_or_for_room() -> None:
    for source in (MemorySource(4, waits=True), filled(limit=100)):
        with loader(source, ready_bytes=1) as steps:
            if source.log[0]:
                steps.next(20)
            else:
                with pytest.raises(StreamStalled, match="the stream is being read"):
                    steps.next(0)  # holds the lock until it gives up: no status can come before
                while not source.polls:
                    with pytest.raises(StreamStalled, match="sequence 0 of stream partition 0"):
                        steps.next(0.01)
        steps.close()
        with pytest.raises(ValueError, match="the loader is closed"):
            steps.next(20)


def test_carries_weights_and_tokens_of_every_domain_from_the_control_log() -> None:
    control = [
        started(STREAM.run),
        grant(1, 0, 0, 2, counts=[[6, 2, 0], [5, 3, 0]]),
        grant(2, 1, 2, 6, weights=(1 << 40, 0, 0), counts=[[4, 0, 0], [8, 0, 0]] * 2),
    ]
    supply = Supply(STREAM.run)
    supply.take(supplied("java", 6, ended=True))
    supply.take(supplied("prose", 6, ended=False))
    supply.take(supplied("config", 0, ended=True))
    with loader(filled(), control, supply=supply) as steps:
        second = [steps.next(20) for _ in range(2)][1].info
        assert second.weights is not None
        assert second.domain_tokens is not None
        assert second.weights.tolist() == [0.5, 0.25, 0.25]
        assert second.domain_tokens.tolist() == [44, 20, 0]
        assert second.tokens_seen == 64
        assert second.epochs is not None
        assert second.epochs[0] == 11 / 6
        assert second.epochs[2] == 0.0  # none of no blocks
        assert "sluice/epochs/prose" not in second.metrics()
        state = steps.state_dict()
        metrics = [steps.next(20) for _ in range(2)][1].metrics()
        assert metrics["sluice/weight/java"] == 1.0
        assert metrics["sluice/tokens/java"] == (11 + 12) * 4
        assert metrics["sluice/tokens_seen"] == 28 * 4
        steps.load_state_dict(state)
        assert [steps.next(20) for _ in range(2)][1].metrics().items() >= {
            key: value for key, value in metrics.items() if "wait" not in key
        }.items()


def test_tells_how_old_the_data_is_when_it_is_taken() -> None:
    now = 1_800_000_000.0
    made = [0, 0, 1_799_999_990_000, 1_799_999_970_000, 0, 0, 0, 1_800_000_005_000]
    source = MemorySource(4, waits=True)
    source.write(
        [
            replace(one, value=produced(one.value, made[i] if i < 8 else 0))
            for i, one in enumerate(STREAM.sequences)
        ]
    )
    with loader(source, wall=lambda: now) as steps:
        first, second = steps.next(20), steps.next(20)
        assert steps.metrics().keys().isdisjoint({"sluice/age_seconds/max"})
    assert first.whole.produced_at.tolist() == made
    assert first.info.age is not None
    assert list(first.info.age) == pytest.approx([40 / 3, 30.0])
    assert first.metrics()["sluice/age_seconds/max"] == 30.0
    assert first.metrics()["sluice/age_seconds/mean"] == pytest.approx(40 / 3)
    assert second.info.age is None


def produced(value: bytes, at: int) -> bytes:
    record = wire.decode_as("TokenBlock", value)
    return wire.encode("TokenBlock", record | {"producedAtMillis": at})


def test_goes_on_without_weights_when_the_control_log_cannot_be_read() -> None:
    with loader(filled(), []) as steps:
        info = steps.next(20).info
        assert info.mixture is None
        assert info.weights is None
        assert "sluice/weight/java" not in steps.metrics()


def use_in_fork(steps: Loader, answers: Any) -> None:
    try:
        steps.next(1)
    except ForkedProcess as error:
        answers.put(str(error))


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_refuses_to_be_used_in_a_fork_or_sent_to_another_process() -> None:
    with loader(filled()) as steps:
        steps.next(20)
        context = multiprocessing.get_context("fork")
        answers = context.SimpleQueue()
        child = context.Process(target=use_in_fork, args=(steps, answers))
        child.start()
        child.join(60)
        assert not answers.empty()
        assert answers.get() == (
            f"this Loader was opened in process {os.getpid()} and is used in its fork {child.pid}, "
            "which a Kafka client does not survive: open the Loader in the process that uses it "
            "(torch DataLoader: num_workers=0, it fetches in a thread of its own)"
        )
        assert steps.next(20).batch == 2
        with pytest.raises(TypeError, match="cannot be sent to another process"):
            pickle.dumps(steps)


def test_bad_settings_are_refused_before_anything_is_opened() -> None:
    with pytest.raises(InvalidWorldSize, match="rank 2 of 2"):
        Loader(STREAM.run, dp=(2, 2))
    with pytest.raises(InvalidWorldSize, match="world size 3 does not divide the 8 sequences"):
        Loader(STREAM.run, dp=(0, 3))
    with pytest.raises(ValueError, match="micro_batch must be at least 1: 0"):
        Loader(STREAM.run, micro_batch=0)
    with pytest.raises(ValueError, match="prefetch_bytes must be at least 1: 0"):
        Loader(STREAM.run, prefetch_bytes=0)
    with pytest.raises(SequenceLengthMismatch) as mismatch:
        Loader(STREAM.run, sequence_length=2048)
    assert str(mismatch.value) == (
        "sequence_length must be 4, which the longest rows of run r-1 have: 2048"
    )
    with pytest.raises(TokenizerMismatch, match="vocabulary of 32000 is smaller than the 65536"):
        Loader(STREAM.run, vocabulary=32_000)
