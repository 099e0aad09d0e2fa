from __future__ import annotations

import random
from dataclasses import replace

import pytest

from sluice.block.block import MASKED_DOMAIN
from sluice.block.reader import BlockReader
from sluice.errors import Rewound, StreamCorrupt, StreamGap
from sluice.run.state import StreamState
from sluice.stream.assembler import Awaited, StreamAssembler
from sluice.stream.open_batch import Taken
from writers import FaultyWriters, TestingStream, Written, offer

SIZES = [8, 8, 8, 3, 3, 1, 1, 8, 13, 13, 13, 2]
STREAM = TestingStream(4, SIZES)
START = StreamState("r-1")


def assembler(state: StreamState = START) -> StreamAssembler:
    return StreamAssembler(state, 4, BlockReader(STREAM.run))


def give(target: StreamAssembler, *indices: int) -> None:
    for index in indices:
        offer(target, STREAM.sequences[index])


def read(
    writers: FaultyWriters, target: StreamAssembler, rng: random.Random, limit: int
) -> list[Taken]:
    """Reads the partitions in a random interleaving until so many batches were taken."""
    offsets = [writers.seek(p, target.last_batch + 1) for p in range(4)]
    taken: list[Taken] = []
    while len(taken) < limit:
        batch = target.take()
        if batch is not None:
            taken.append(batch)
            continue
        unread = [p for p in range(4) if offsets[p] < len(writers.log[p])]
        if not unread:
            break
        partition = rng.choice(unread)
        start = offsets[partition]
        offsets[partition] += rng.choice([1, 1, 2, 9])
        offer(target, *writers.log[partition][start : offsets[partition]])
    return taken


def assert_whole_stream(batches: list[Taken]) -> None:
    assert [len(batch.blocks) for batch in batches] == SIZES
    assert [index for batch in batches for index in batch.rows] == list(range(sum(SIZES)))
    for batch in batches:
        first = STREAM.sequences[batch.rows.start].header
        assert (batch.shape.batch, batch.shape.first_index) == (first.batch, first.index)
    ordinals = [block.ordinal for batch in batches for block in batch.blocks]
    assert ordinals == list(range(len(STREAM.sequences)))


@pytest.mark.parametrize("seed", range(100))
def test_every_batch_once_and_in_order_whatever_writers_repeat_or_leave_out(seed: int) -> None:
    target = assembler()
    batches = read(FaultyWriters(STREAM, seed), target, random.Random(seed), len(SIZES))
    assert_whole_stream(batches)
    assert target.buffered == 0


@pytest.mark.parametrize("seed", range(100))
def test_restored_from_its_state_equals_never_having_stopped(seed: int) -> None:
    writers = FaultyWriters(STREAM, seed)
    rng = random.Random(seed)
    batches: list[Taken] = []
    state = START
    while len(batches) < len(SIZES):
        target = assembler(StreamState.from_dict(state.to_dict()))
        batches += read(writers, target, rng, rng.randrange(1, 5))
        state = target.state
    assert_whole_stream(batches)


def test_awaits_the_first_missing_sequence() -> None:
    target = assembler()
    give(target, 0, 1, 3)
    assert target.awaited == Awaited(batch=1, partition=2, index=2)
    assert target.awaits(0)
    give(target, 4)
    assert not target.awaits(0)


def test_reports_a_gap_only_after_reading_on_for_the_set_time() -> None:
    target = assembler()
    give(target, 0, 1, 3, 6)
    target.read_for(59)
    target.check_gaps(60)
    target.read_for(2)
    with pytest.raises(StreamGap) as gap:
        target.check_gaps(60)
    assert str(gap.value) == (
        "sequence 2 is missing from stream partition 2: "
        "later ones, up to 6, have been read for 61 s"
    )


def test_forgets_a_gap_that_was_filled_behind() -> None:
    target = assembler()
    give(target, 0, 1, 3, 6)
    target.read_for(59)
    give(target, 2, 6)
    target.read_for(59)
    target.check_gaps(60)
    give(target, 4, 5, 7)
    assert target.has_next


def test_does_not_report_a_gap_that_the_next_batch_does_not_wait_for() -> None:
    target = assembler()
    give(target, 0, 4, 12)
    target.read_for(3600)
    target.check_gaps(60)
    assert target.awaited.index == 1


def test_stops_at_a_newer_timeline_and_drops_an_older_one() -> None:
    target = assembler(StreamState("r-1", timeline=1))
    give(target, 0)
    assert target.expected(0) == 0
    rewound = STREAM.rewritten(48 - 8, timeline=2, batch=7)
    with pytest.raises(Rewound, match="rewound to batch 6 and goes on as timeline 2"):
        offer(target, rewound)


def test_names_partition_index_and_both_values_when_the_chain_differs() -> None:
    target = assembler()
    give(target, 0)
    claimed = STREAM.sequences[4].header
    with pytest.raises(StreamCorrupt) as corrupt:
        offer(target, Written(0, claimed, STREAM.sequences[5].value))
    assert str(corrupt.value).startswith(
        f"stream partition 0, sequence 4: the chain hash is {claimed.chain:x} "
        "but these blocks give "
    )


def test_takes_the_first_chain_hash_after_a_seek() -> None:
    target = assembler(StreamState("r-1", 0, 1, 8))
    give(target, *range(8, 16))
    assert target.has_next
    wrong = STREAM.rewritten(16, chain=99)
    with pytest.raises(StreamCorrupt, match="chain hash is 63 but"):
        offer(target, wrong)


def test_hands_on_a_block_that_cannot_be_used_as_masked_and_counts_it() -> None:
    blocks = BlockReader(STREAM.run)
    target = StreamAssembler(START, 4, blocks)
    for index, written in enumerate(STREAM.sequences[:8]):
        offer(target, replace(written, value=b"?") if index == 5 else written)
    give(target, 9)
    batch = target.take()
    assert batch is not None
    assert blocks.undecodable == 1
    assert batch.blocks[5].domain == MASKED_DOMAIN
    assert batch.blocks[5].tokens.tolist() == [0] * 5
    assert not batch.blocks[5].loss_mask.any()
    assert batch.blocks[4].loss_mask.all()


def test_refuses_a_header_that_contradicts_its_batch() -> None:
    target = assembler()
    give(target, 0)
    wrong = STREAM.rewritten(1, weights_version=2)
    with pytest.raises(StreamCorrupt, match=r"contradicts batch 1 \(sequences 0 to 7, weights"):
        offer(target, wrong)
    elsewhere = STREAM.rewritten(1, first_index=1)
    with pytest.raises(StreamCorrupt, match="contradicts batch 1 starting at sequence 0"):
        offer(assembler(), elsewhere)


def test_state_refuses_what_it_did_not_write() -> None:
    with pytest.raises(ValueError, match="version 1: 2"):
        StreamState.from_dict(START.to_dict() | {"version": 2})
    with pytest.raises(ValueError, match="has no 'runId'"):
        StreamState.from_dict({"version": 1})
    with pytest.raises(ValueError, match="must not be negative: 0, -1, 0"):
        StreamState("r", batch=-1)
