"""What must hold whoever wrote the log and the stream is checked where it is used."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest

from records import (
    entry,
    grant,
    revised,
    snapshot,
    started,
    supplied,
)
from sluice.block.reader import BlockReader
from sluice.errors import StreamCorrupt, StreamStalled
from sluice.kafka.access import LogRecord
from sluice.run.entry import Entry, read_entry
from sluice.run.fold import RunLogFold
from sluice.run.mixture import Granted
from sluice.run.rank import TrainerRank
from sluice.run.state import StreamState
from sluice.run.supply import Supply
from sluice.run.timelines import Timelines
from sluice.stream.assembler import StreamAssembler
from sluice.stream.loader import Loader
from sluice.stream.open_batches import OpenBatches
from sluice.wire import encode
from writers import (
    MemorySource,
    TestingStream,
    offer,
    reader_over,
    run_info,
)

SIZES = [8] * 6
STREAM = TestingStream(4, SIZES)


def fold(*records: dict[str, Any]) -> RunLogFold:
    found = RunLogFold("r-1")
    for offset, record in enumerate(records):
        found.apply(Entry(0, offset, record))
    return found


def test_a_grant_begins_where_the_one_before_ended() -> None:
    with pytest.raises(StreamCorrupt) as broken:
        fold(started(STREAM.run), grant(1, 0, 0, 2), grant(2, 1, 2, 4, first=17))
    assert str(broken.value) == (
        "control log of run r-1: the MixtureGrant at offset 2 goes on after batch 2 with sequence "
        "17 and weights version 1: expected sequence 16 and at least version 1"
    )
    with pytest.raises(StreamCorrupt, match="the RunRevised at offset 2 goes on after batch 2"):
        back = revised(2, 1, 1, STREAM.run, snapshot(2, 15, 1, [0, 0, 0]))
        fold(started(STREAM.run), grant(1, 0, 0, 4), back)


def test_weights_versions_go_back_in_a_new_timeline_only() -> None:
    ahead = [started(STREAM.run), grant(1, 0, 0, 2), grant(2, 1, 2, 4, version=3)]
    with pytest.raises(StreamCorrupt, match="weights version 2: .* at least version 3"):
        fold(*ahead, grant(3, 2, 4, 5, version=2))
    with pytest.raises(StreamCorrupt, match="weights version 2: .* at least version 3"):
        fold(*ahead, revised(3, 2, 0, STREAM.run, snapshot(4, 32, 2, [0, 0, 0])))
    rewound = fold(*ahead, revised(3, 2, 1, STREAM.run, snapshot(2, 16, 1, [0, 0, 0])))
    assert (rewound.weights_version, rewound.granted) == (1, 2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"batchSizes": [8, 9]}, "the counts of batch 2 must not be negative and sum to its 9"),
        ({"counts": [4, 2, 2, 9, -2, 1]}, "the counts of batch 2 must not be negative and sum to"),
        ({"batchSizes": [8]}, "must have 2 sizes and 6 counts: 1 and 6"),
        ({"counts": [4, 2, 2]}, "must have 2 sizes and 6 counts: 2 and 3"),
    ],
)
def test_the_counts_of_a_batch_sum_to_its_size(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(StreamCorrupt, match=message):
        Granted.of(0, grant(1, 0, 0, 2)["body"][1] | changes)


@pytest.mark.parametrize(
    ("granted", "message"),
    [
        (grant(1, 0, 0, 6, version=2), "weights version 1 in the stream, its grant has 8 .* 2$"),
        (grant(1, 0, 0, 6, counts=[[4, 2, 1]] * 6), "has 8 sequences of .* its grant has 7 of"),
    ],
)
def test_a_batch_is_what_its_grant_says(granted: dict[str, Any], message: str) -> None:
    source = MemorySource(4)
    source.write(STREAM.sequences)
    with pytest.raises(StreamCorrupt, match=message):
        reader_over(source, STREAM.run, [started(STREAM.run), granted]).next(20)


def test_weights_versions_of_a_stream_do_not_go_back() -> None:
    assembler = StreamAssembler(StreamState("r-1"), 4, BlockReader(STREAM.run))
    for index in range(8):
        offer(assembler, STREAM.rewritten(index, weights_version=2))
    assert assembler.take() is not None
    with pytest.raises(StreamCorrupt, match=r"contradicts batch 2 starting at sequence 8"):
        offer(assembler, STREAM.sequences[8])


def test_a_batch_has_no_more_sequences_than_any_run_is_given() -> None:
    assembler = StreamAssembler(StreamState("r-1"), 4, BlockReader(STREAM.run))
    with pytest.raises(StreamCorrupt, match="contradicts batch 1"):
        offer(assembler, STREAM.rewritten(0, batch_size=(1 << 20) + 1))


def test_later_batches_are_not_read_on_once_too_many_are_open() -> None:
    stream = TestingStream(2, [2] * 1030)
    assembler = StreamAssembler(StreamState("r-1"), 2, BlockReader(stream.run))
    for at, written in enumerate(one for one in stream.sequences if one.partition == 0):
        assert assembler.is_full(1 << 30) == (at > 1024)
        offer(assembler, written)
    assert not assembler.awaits(0)
    assert assembler.awaits(1)


def test_of_the_batches_that_were_handed_out_only_the_last_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sluice.stream.open_batches._MOST_PASSED", 3)
    stream = TestingStream(2, [2] * 9)
    start, first = StreamState("r-1"), TrainerRank(0, 2)
    batches = OpenBatches(start, first, Timelines(), 2, [0, 1])
    reader = BlockReader(stream.run)
    for written in stream.sequences[::2]:
        of = batches.of(0, written.header)
        batches.put(of, written.header.index, [reader.read(written.value)])
        assert batches.take() is not None
        batches.forget(1)  # the other partition is late
    assert len(batches._passed) == 3
    for late in stream.sequences[1::2]:
        assert batches.of(1, late.header).rows.stop <= late.header.index
    wrong = replace(stream.sequences[1].header, batch_size=40)
    with pytest.raises(StreamCorrupt, match="contradicts batch 10"):
        batches.of(1, wrong)


def test_steps_come_in_order_whatever_was_read_ahead() -> None:
    source = MemorySource(4, waits=True)
    source.write(STREAM.sequences)
    reader = reader_over(source, STREAM.run, [started(STREAM.run)])
    with Loader.over(reader) as steps:
        assert steps.next(20).batch == 1
        steps._state = replace(steps._state, first_index=9)
        with pytest.raises(StreamCorrupt, match="batch 2 starting at sequence 8 came instead of"):
            steps.next(20)


def test_what_an_ended_run_has_left_is_not_waited_for_without_end() -> None:
    source = MemorySource(4)
    failed = entry(1, 0, "RunStateChanged", {"state": "failed", "commandId": ""})
    reader = reader_over(source, STREAM.run, [started(STREAM.run), failed])
    source.mark_end = lambda: None  # type: ignore[method-assign]
    source._ends = [1] * 4  # a record that the broker never gives
    with pytest.raises(StreamStalled, match="batch 1 is not granted yet"):
        reader.next(20)
    assert 60 < source.now < 70


def test_a_record_that_nobody_can_read_decides_nothing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    assert read_entry(LogRecord("sluice.control", 0, 7, 0, [], b"{}")) is None
    end = encode("EndOfDomain", {"domain": "java", "lane": 0, "size": 3})
    assert read_entry(LogRecord("sluice.control", 0, 8, 0, [], end)) is None
    assert [record.getMessage()[:38] for record in caplog.records] == [
        "sluice.control-0, offset 7 is ignored:",
        "sluice.control-0, offset 8 is ignored:",
    ]


def test_the_first_end_of_a_lane_counts_for_good() -> None:
    supply = Supply(run_info(1, [6]))
    supply.take(supplied("java", 5, ended=True))
    supply.take(supplied("java", 9, ended=True))
    supply.take(supplied("prose", 9, ended=True, lane=-1))
    assert supply.blocks(["java", "prose"]).tolist()[0] == 5
    assert supply.blocks(["prose"]) != 9
