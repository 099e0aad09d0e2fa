from __future__ import annotations

import random

import numpy as np
import pytest

from sluice.errors import InvalidWorldSize, StreamCorrupt, StreamGap
from sluice.run.rank import TrainerRank
from sluice.run.run_timeline import RunTimeline
from sluice.run.state import StreamState
from sluice.stream.batch import Batch
from writers import FaultyWriters, MemorySource, TestingStream, reader_over, run_info

SIZES = [12, 12, 24, 24, 12, 36, 12]
WORLDS = [1, 2, 3, 4, 6, 12]


def read(
    stream: TestingStream, rank: TrainerRank, seed: int, state: StreamState, end: int
) -> list[Batch]:
    """What a rank reads up to a batch, from a topic that unlucky writers filled."""
    source = MemorySource(stream.partitions, random.Random(seed).randrange(1, 40))
    source.log = FaultyWriters(stream, seed).log
    reader = reader_over(source, stream.run, [], rank)
    reader.seek(state)
    batches = [reader.next(20) for _ in range(state.batch, end)]
    assert reader.state.batch == end
    return batches


@pytest.mark.parametrize("seed", range(40))
def test_the_ranks_of_any_world_together_read_what_one_reads(seed: int) -> None:
    rng = random.Random(seed)
    stream = TestingStream(rng.choice([1, 2, 4, 6, 24]), SIZES)
    start = StreamState("r-1")
    whole = read(stream, TrainerRank(), seed, start, len(SIZES))
    assert [i for batch in whole for i in batch.index.tolist()] == list(range(sum(SIZES)))
    ends: list[int] = [*sorted(rng.sample(range(1, len(SIZES)), 2)), len(SIZES)]
    at = 0
    for end in ends:  # another world size after each resumption
        world = rng.choice(WORLDS)
        ranks = [read(stream, TrainerRank(r, world), seed + r, start, end) for r in range(world)]
        for number in range(at, end):
            parts = [batches[number - at] for batches in ranks]
            assert {len(part) for part in parts} == {SIZES[number] // world}
            for field in ("index", "domains", "tokens", "loss_mask", "position_ids"):
                joined = np.concatenate([getattr(part, field) for part in parts])
                assert np.array_equal(joined, getattr(whole[number], field)), (field, world)
        states = {batches[-1].info.end for batches in ranks}
        assert states == {whole[end - 1].info.end}
        start, at = states.pop(), end


@pytest.mark.parametrize(
    ("partitions", "sizes", "rank", "expected"),
    [
        (8, [8], TrainerRank(1, 4), {2, 3}),
        (8, [16], TrainerRank(1, 4), set(range(4, 8))),
        (8, [12], TrainerRank(0, 12), {0, 4}),
        (8, [10], TrainerRank(0, 10), {0, 2, 4, 6}),
        (4, [8], TrainerRank(0, 1), {0, 1, 2, 3}),
        (8, [8, 8, 16, 16], TrainerRank(0, 8), {0, 1}),
        (8, [8, 9], TrainerRank(0, 1), set(range(8))),
    ],
)
def test_reads_only_the_partitions_that_hold_its_rows(
    partitions: int, sizes: list[int], rank: TrainerRank, expected: set[int]
) -> None:
    assert rank.partitions(RunTimeline.of(run_info(partitions, sizes))) == expected


def test_a_finished_run_needs_only_the_partitions_of_its_batches() -> None:
    assert TrainerRank(0, 5).partitions(RunTimeline.of(run_info(8, [5], batches=2))) == {0, 5}


def test_a_world_that_does_not_divide_the_batch_is_refused() -> None:
    with pytest.raises(InvalidWorldSize) as refused:
        TrainerRank(0, 3).partitions(RunTimeline.of(run_info(4, [12, 8])))
    assert str(refused.value) == (
        "world size 3 does not divide the 8 sequences of batch 2: "
        "use a world size that divides every batch of the run"
    )


class Mesh:
    """The part of a DeviceMesh that tells a rank."""

    def __init__(self, rank: int, size: int, ndim: int = 1) -> None:
        self._rank, self._size, self.ndim = rank, size, ndim

    def get_local_rank(self) -> int:
        return self._rank

    def size(self) -> int:
        return self._size


def test_is_made_from_a_pair_or_a_mesh() -> None:
    given = (1, 4), Mesh(1, 4), TrainerRank(1, 4)
    assert [TrainerRank.of(dp) for dp in given] == [TrainerRank(1, 4)] * 3
    assert TrainerRank.of((1, 4), replica=2) == TrainerRank(1, 4, 2)
    with pytest.raises(InvalidWorldSize, match="at least 1: rank 4 of 4"):
        TrainerRank.of((4, 4))
    with pytest.raises(InvalidWorldSize, match=r"\(rank, world size\) or a DeviceMesh: 4"):
        TrainerRank.of(4)
    with pytest.raises(InvalidWorldSize, match=r"it has 2; pass the data-parallel one, mesh\['dp"):
        TrainerRank.of(Mesh(0, 4, ndim=2))


def test_a_batch_that_the_schedule_does_not_know_is_not_read_from_some_of_its_partitions() -> None:
    rank = TrainerRank(0, 4)
    source = MemorySource(4)
    reader = reader_over(source, run_info(4, [4]), [], rank)
    source.write(TestingStream(4, [8]).sequences)
    with pytest.raises(StreamCorrupt, match=r"rank 0 of 4 has rows in partitions \[0, 1\] but"):
        reader.next(20)


def test_a_gap_in_another_ranks_rows_is_reported_when_it_hides_ones_own() -> None:
    stream = TestingStream(2, [8, 8])
    source = MemorySource(2)
    reader = reader_over(source, stream.run, [], TrainerRank(1, 2), gap_timeout=5)
    source.write([one for one in stream.sequences if one.header.index != 1])
    with pytest.raises(StreamGap, match="sequence 1 is missing from stream partition 1"):
        reader.next(60)
