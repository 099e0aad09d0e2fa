from __future__ import annotations

from dataclasses import replace

import pytest

from records import entry, grant, started
from sluice.block.reader import BlockReader
from sluice.errors import (
    EvalSetError,
    InvalidState,
    KafkaUnreachable,
    RunEnded,
    StreamCorrupt,
    StreamGap,
    StreamStalled,
)
from sluice.evaluation.sets import EvalSet
from sluice.run.directory import SharedLog
from sluice.run.entry import Entry
from sluice.run.fold import RunLogFold
from sluice.run.info import RunInfo
from sluice.wire import chain
from sluice.wire.codec import encode
from writers import (
    MemorySource,
    TestingStream,
    block,
    reader_over,
    run_info,
)

SIZES = [8, 8, 3, 8, 2, 8]
STREAM = TestingStream(4, SIZES)


class Setup:
    def __init__(self, run: RunInfo = STREAM.run, gap_timeout: float = 300) -> None:
        self.source = MemorySource(4)
        self.control = [started(run)]
        self.reader = reader_over(self.source, run, self.control, gap_timeout=gap_timeout)

    def write(self, start: int, end: int) -> None:
        self.source.write(STREAM.sequences[start:end])

    def batches(self, count: int) -> list[int]:
        return [self.reader.next(20).info.batch for _ in range(count)]


def test_hands_out_every_batch_and_goes_back_to_a_state() -> None:
    setup = Setup()
    setup.write(0, 37)
    assert setup.batches(2) == [1, 2]
    state = setup.reader.state
    assert setup.batches(4) == [3, 4, 5, 6]
    setup.reader.seek_to_batch(5)
    assert setup.reader.state.first_index == 27
    assert setup.batches(1) == [5]
    setup.reader.seek(state)
    assert setup.batches(4) == [3, 4, 5, 6]
    with pytest.raises(ValueError, match="the state is of run r-9, this stream is of run r-1"):
        setup.reader.seek(replace(state, run_id="r-9"))
    with pytest.raises(InvalidState, match="batch must be at least 1, the first of run r-1: 0"):
        setup.reader.seek_to_batch(0)


def test_takes_no_record_of_another_run_of_its_name() -> None:
    own, other = (
        TestingStream(4, [8, 8], chains=[chain.start(2, run)] * 4) for run in ("r-1", "r-2")
    )
    source = MemorySource(4)
    source.write(own.sequences[:8])
    reader = reader_over(source, own.run, [started(own.run, plan_version=2)])
    assert reader.next(20).info.batch == 1
    source.write(other.sequences)
    with pytest.raises(StreamCorrupt, match="sequence 8: the chain hash is"):
        reader.next(20)
    run = replace(own.run, run_id="r-3")
    source = MemorySource(4)
    source.write(other.sequences)
    reader = reader_over(source, run, [started(run, plan_version=2)])
    with pytest.raises(StreamCorrupt, match="sequence 0: the chain hash is"):
        reader.next(20)


def test_refuses_a_run_of_a_plan_that_it_does_not_know() -> None:
    control = [started(STREAM.run, plan_version=99)]
    with pytest.raises(StreamCorrupt, match=r"run r-1: plan version must be in \[1, 2\]: 99"):
        reader_over(MemorySource(4), STREAM.run, control)


def test_says_that_the_awaited_batch_is_not_granted_yet() -> None:
    setup = Setup()
    setup.write(0, 16)
    setup.control.append(grant(1, 0, 0, 2))
    setup.batches(2)
    with pytest.raises(StreamStalled) as stalled:
        setup.reader.next(20)
    assert str(stalled.value) == (
        "batch 3 did not come within 20 s: sequence 16 of stream partition 0 is awaited; "
        "batch 3 is not granted yet: the last grant ends at batch 2"
    )
    setup.control.append(grant(2, 1, 2, 4, counts=[[1, 1, 1], [4, 2, 2]]))
    with pytest.raises(StreamStalled, match=r"batch 3 is granted \(to 4\) but not all of it"):
        setup.reader.next(20)
    setup.write(16, 19)
    assert setup.batches(1) == [3]


def test_ends_only_after_reading_what_an_ended_run_has_left() -> None:
    setup = Setup()
    change = {"state": "failed", "commandId": ""}
    setup.control.append(entry(1, 0, "RunStateChanged", change, "stream topic was deleted"))
    setup.write(0, 10)
    assert setup.batches(1) == [1]
    with pytest.raises(RunEnded) as ended:
        setup.reader.next(20)
    assert str(ended.value) == (
        "run r-1 is failed (stream topic was deleted): batch 1 was the last one handed out"
    )
    assert setup.source.now < 6


@pytest.mark.parametrize("state", ["deleted", "failed"])
def test_ends_with_the_run_when_its_stream_is_deleted(state: str) -> None:
    setup = Setup()
    setup.write(0, 10)
    assert setup.batches(1) == [1]
    setup.control.append(entry(1, 0, "RunStateChanged", {"state": state, "commandId": ""}, "gone"))
    setup.source.gone = True
    with pytest.raises(RunEnded, match=rf"run r-1 is {state} \(gone\)"):
        setup.reader.next(20)


def test_ends_at_once_after_the_last_batch_of_the_specification() -> None:
    setup = Setup(run_info(4, SIZES, batches=6))
    setup.write(0, 37)
    setup.batches(6)
    before = setup.source.now
    with pytest.raises(RunEnded, match="is completed"):
        setup.reader.next(20)
    assert setup.source.now == before


def test_reports_a_hole_that_stays() -> None:
    setup = Setup(gap_timeout=7)
    setup.write(0, 5)
    setup.write(6, 37)
    with pytest.raises(StreamGap, match="sequence 5 is missing from stream partition 1"):
        setup.reader.next(20)


def test_waits_for_a_broker_that_does_not_answer_and_says_so() -> None:
    setup = Setup()
    setup.write(0, 16)
    assert setup.batches(1) == [1]
    setup.source.fail(KafkaUnreachable("Kafka at x did not answer within 30 s: down"))
    with pytest.raises(StreamStalled, match=r"last grant ends at batch 0; Kafka at x did not ans"):
        setup.reader.next(20)
    setup.source.error = None
    assert setup.batches(1) == [2]


def test_time_in_which_kafka_is_away_makes_no_hole() -> None:
    source, control = MemorySource(4), [started(STREAM.run)]
    source.write(STREAM.sequences[:5] + STREAM.sequences[6:])
    reader = reader_over(
        source,
        STREAM.run,
        control,
        gap_timeout=7,
        status_interval=2,
        away=lambda: 0 < source.now < 20,
    )
    with pytest.raises(StreamGap):
        reader.next(60)
    assert source.now > 24


def test_an_ended_run_is_at_its_end_only_where_its_stream_is_known_to_be() -> None:
    setup = Setup()
    change = {"state": "failed", "commandId": ""}
    setup.control.append(entry(1, 0, "RunStateChanged", change, "by hand"))
    setup.write(0, 10)
    assert setup.batches(1) == [1]
    told = setup.source.mark_end

    def mark_end() -> None:
        if setup.source.now < 8:
            raise KafkaUnreachable("no answer")
        setup.write(10, 16)
        told()

    setup.source.mark_end = mark_end  # type: ignore[method-assign]
    assert setup.batches(1) == [2]


def test_looks_again_before_it_reports_a_hole() -> None:
    setup = Setup(gap_timeout=7)
    setup.write(0, 5)
    setup.write(6, 37)
    with pytest.raises(StreamStalled):
        setup.reader.next(2)
    setup.source.log[1].insert(1, STREAM.sequences[5])
    setup.source.log[1].pop()  # its broker lost them, and they lie elsewhere now
    assert setup.batches(5) == [1, 2, 3, 4, 5]
    assert setup.source.now < 7


def test_control_records_that_lost_do_not_apply() -> None:
    run = RunLogFold("r-1")
    run.apply(Entry(0, 10, started(STREAM.run)))
    run.apply(Entry(0, 11, grant(1, 9, 0, 99)))
    run.apply(Entry(0, 12, grant(1, 10, 0, 99, run="r-2")))
    run.apply(Entry(1, 13, grant(1, 10, 0, 99)))
    run.apply(Entry(0, 15, grant(1, 10, 0, 30)))
    run.apply(Entry(0, 16, grant(1, 10, 0, 99)))
    assert run.describe(31) == "batch 31 is not granted yet: the last grant ends at batch 30"
    with pytest.raises(StreamCorrupt, match="serial 2 at offset 17 does not continue after batch"):
        run.apply(Entry(0, 17, grant(2, 15, 40, 50)))


def test_a_log_that_has_lost_its_tail_is_folded_anew() -> None:
    run = RunLogFold("r-1")
    run.apply(Entry(0, 0, started(STREAM.run)))
    run.apply(Entry(0, 1, grant(1, 0, 0, 2)))
    run.apply(Entry(0, 3, started(STREAM.run)))
    assert run.granted == 2, "a start that was written twice changes nothing"
    run.apply(Entry(0, 0, started(STREAM.run)))
    assert run.granted == 0
    failed = {"state": "failed", "commandId": "", "refused": False}
    run.apply(Entry(0, 1, entry(1, 0, "RunStateChanged", failed, "the tail is lost")))
    assert run.ended_before(1)
    assert run.why == "the tail is lost"


def test_directory_knows_the_last_run_of_each_name() -> None:
    again = RunInfo("r-2", STREAM.run.spec | {"seed": 9})
    directory = SharedLog()
    directory.apply(Entry(0, 0, started(STREAM.run)))
    directory.apply(Entry(0, 0, started(RunInfo("r-1", again.spec))))
    assert directory.latest("r") == STREAM.run
    directory.apply(Entry(0, 0, started(again)))
    assert directory.latest("r") == again
    assert directory.latest("s") is None
    assert [run.run_id for run in directory.runs()] == ["r-1", "r-2"]


def test_batch_starts_follow_the_schedule() -> None:
    run = run_info(2, [5, 5, 7])
    assert [run.first_index(batch) for batch in (1, 2, 3, 4, 14)] == [0, 5, 10, 17, 87]
    assert [run.batch_size(batch) for batch in (1, 2, 3, 9)] == [5, 5, 7, 7]


def test_eval_set_is_the_first_blocks_by_ordinal_and_lane() -> None:
    found = EvalSet("java", BlockReader(STREAM.run), limit=3, lanes=2)
    for ordinal in range(3):
        done = found.take(0, encode("TokenBlock", block("java", ordinal)))
    assert done
    assert not found.complete
    found.take(1, encode("TokenBlock", block("java", 0, lane=1)))
    found.take(1, encode("EndOfDomain", {"domain": "java", "lane": 1, "size": 1}))
    assert found.complete
    assert [(b.ordinal, b.lane) for b in found.blocks] == [(0, 0), (0, 1), (1, 0)]


def test_eval_set_names_its_domain() -> None:
    found = EvalSet("prose", BlockReader(STREAM.run), limit=3, lanes=1)
    assert str(found) == "prose (0 of 3, end not reached)"
    with pytest.raises(EvalSetError, match="domain 'prose' has no held-out block"):
        found.take(0, encode("EndOfDomain", {"domain": "prose", "lane": 0, "size": 0}))
    foreign = EvalSet("prose", BlockReader(STREAM.run), limit=3, lanes=1)
    with pytest.raises(EvalSetError, match="'prose' is not of the run's dataset"):
        foreign.take(0, encode("TokenBlock", block("prose", 0, fingerprint=1)))
