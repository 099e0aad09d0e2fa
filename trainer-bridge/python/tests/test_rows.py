"""A run's sequences, cut into rows that are shorter than its dataset's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from records import grant, revised, snapshot, started
from sluice.block.block import Block
from sluice.errors import Rewound, SequenceLengthMismatch, StreamCorrupt
from sluice.run.fits import require_fits
from sluice.run.info import RunInfo
from sluice.run.rank import TrainerRank
from sluice.stream.batch import Batch
from sluice.stream.rows import cut, rows_of
from test_loader import loader
from vectors import vectors
from writers import LENGTH, MemorySource, TestingStream

SIZES = [8] * 6
STREAM = TestingStream(4, SIZES)


def filled() -> MemorySource:
    source = MemorySource(4, 3, waits=True)
    source.write(STREAM.sequences)
    return source


def staged(*lengths: tuple[int, int]) -> RunInfo:
    """The stream's run, with rows of so many labels from a batch on."""
    rows = [{"fromBatch": batch, "labels": labels} for batch, labels in lengths]
    return RunInfo(STREAM.run.run_id, STREAM.run.spec | {"rowLengths": rows})


def block_of(vector: dict[str, Any]) -> Block:
    packed = memoryview(bytes.fromhex(vector["bytes"]))
    lengths, mask = vector["documentLengths"], vector["lossMask"]
    return Block(0, 0, 7, vector["width"], packed, lengths, mask, 5)


@pytest.mark.parametrize("vector", vectors("rows")["rows"])
def test_rows_follow_the_shared_vectors(vector: dict[str, Any]) -> None:
    cuts = block_of(vector).rows(vector["labels"])
    assert [row.tokens.tolist() for row in cuts] == [row["tokens"] for row in vector["rows"]]
    assert [list(row.document_lengths) for row in cuts] == [
        row["documentLengths"] for row in vector["rows"]
    ]
    rows = rows_of(cuts)
    assert rows.tokens.tolist() == [row["tokens"] for row in vector["rows"]]
    assert rows.loss_mask.tolist() == [row["trained"] for row in vector["rows"]]
    assert rows.position_ids.tolist() == [row["positions"] for row in vector["rows"]]


def test_a_block_is_not_cut_where_rows_do_not_fit() -> None:
    block = Block(0, 0, 0, 2, memoryview(bytes(18)), [9], None, 0)
    assert block.rows(8) == [block]
    assert cut([block], None) == [block]
    assert len(cut([block], lambda: 2)) == 4
    with pytest.raises(ValueError, match="labels of a row must divide the 8 of its block: 3"):
        block.rows(3)


def whole_batches(run: RunInfo = STREAM.run) -> list[Batch]:
    with loader(filled(), [started(run), grant(1, 0, 0, 6)], run=run) as steps:
        return [step.whole for step in (steps.next() for _ in SIZES)]


def expected(batch: Batch, labels: int) -> tuple[list[list[int]], list[int]]:
    """Rows and their indices, from uncut sequences."""
    rows = [
        sequence[start : start + labels + 1]
        for sequence in batch.tokens.tolist()
        for start in range(0, LENGTH, labels)
    ]
    return rows, np.repeat(batch.index, LENGTH // labels).tolist()


@pytest.mark.parametrize("world", [1, 2, 4])
def test_rows_are_as_long_as_their_batch_has_them_and_ranks_have_equally_many(world: int) -> None:
    whole, run = whole_batches(), staged((1, 1), (3, 2), (5, LENGTH))
    log = [started(run), grant(1, 0, 0, 6)]
    taken: list[list[Batch]] = []
    for rank in range(world):
        with loader(filled(), log, TrainerRank(rank, world), run) as steps:
            assert steps.row_length == 1
            taken.append([])
            for number in range(1, 7):
                step = steps.next()
                assert steps.row_length == step.info.row_length == run.row_length(number)
                assert step.metrics()["sluice/row_length"] == run.row_length(number)
                taken[-1].append(step.whole)
    for at, batch in enumerate(whole):
        rows, indices = expected(batch, run.row_length(at + 1))
        of_ranks = [ranks[at] for ranks in taken]
        assert {len(one) for one in of_ranks} == {len(rows) // world}
        assert [row for one in of_ranks for row in one.tokens.tolist()] == rows
        assert [index for one in of_ranks for index in one.index.tolist()] == indices
        assert of_ranks[0].info.rows == len(rows)
        assert of_ranks[0].info.size == SIZES[at]
        assert of_ranks[0].info.tokens_seen == batch.info.tokens_seen
        labels = sum(int(one.label_counts.sum()) for one in of_ranks)
        assert labels == int(batch.label_counts.sum())


def test_a_state_within_a_stage_goes_on_with_the_very_next_row() -> None:
    run = staged((3, 2), (6, 1))
    log = [started(run), grant(1, 0, 0, 6)]
    whole = whole_batches(run)
    for stopped in range(6):
        with loader(filled(), log, run=run) as steps:
            for _ in range(stopped):
                steps.next()
            state = steps.state_dict()
        with loader(filled(), log, run=run) as steps:
            steps.load_state_dict(state)
            for batch in whole[stopped:]:
                again = steps.next().whole
                assert again.tokens.tolist() == batch.tokens.tolist()
                assert again.index.tolist() == batch.index.tolist()
                assert again.position_ids.tolist() == batch.position_ids.tolist()


def test_a_revision_changes_rows_from_its_batch_on_and_a_rewind_takes_that_back() -> None:
    run, source = staged((3, 2)), MemorySource(4, 3, waits=True)
    source.write(STREAM.sequences[:16])
    source.write([STREAM.rewritten(at, weights_version=2) for at in range(16, 48)])
    log = [started(STREAM.run), grant(1, 0, 0, 2)]
    log.append(revised(2, 1, 0, run, snapshot(2, 16, 2, [8, 4, 4])))
    log.append(grant(3, 2, 2, 6, version=2))
    with loader(source, log, run=STREAM.run) as steps:
        assert [steps.next().info.row_length for _ in SIZES] == [LENGTH] * 2 + [2] * 4
        state = steps.state_after(3)
    log.append(revised(4, 3, 1, STREAM.run, snapshot(1, 8, 1, [4, 2, 2])))
    log.append(grant(5, 4, 1, 6, timeline=1))
    source.write(TestingStream(4, SIZES, timeline=1, after=1).sequences)
    with loader(source, log, run=STREAM.run) as steps:
        assert [steps.next().info.row_length for _ in SIZES] == [LENGTH] * 6
        with pytest.raises(Rewound):
            steps.load_state_dict(state)


def test_micro_batches_are_of_rows() -> None:
    run = staged((2, 2))
    log = [started(run), grant(1, 0, 0, 6)]
    with loader(filled(), log, run=run, micro_batch=4) as steps:
        assert list(steps.micro_batches(1, 3)) == [(1, 2), (2, 4)]
        assert [len(steps.next()) for _ in range(3)] == [2, 4, 4]


def test_a_model_is_held_against_the_longest_rows() -> None:
    require_fits(staged((3, 2)), None, LENGTH)
    require_fits(staged((1, 1), (3, 2)), None, 2)
    with pytest.raises(
        SequenceLengthMismatch,
        match="sequence_length must be 2, which the longest rows of run r-1 have: 4",
    ):
        require_fits(staged((1, 1), (3, 2)), None, 4)


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ([(1, 3)], r"sequence-length must be in \[1, 4\] tokens and divide the dataset's 4: 3"),
        ([(1, 0)], r"in \[1, 4\] tokens and divide the dataset's 4: 0"),
        ([(1, -2)], r"in \[1, 4\] tokens and divide the dataset's 4: -2"),
        ([(1, 8)], r"in \[1, 4\] tokens and divide the dataset's 4: 8"),
        ([(0, 2)], "must begin after batch 0, where the length before begins: batch 0"),
        ([(5, 2), (5, 4)], "must begin after batch 5, where the length before begins: batch 5"),
    ],
)
def test_a_log_with_other_rows_is_broken(lengths: list[tuple[int, int]], message: str) -> None:
    run = staged(*lengths)
    with pytest.raises(StreamCorrupt, match=message):
        whole_batches(run)
    log = [started(STREAM.run), revised(1, 0, 0, run, snapshot(0, 0, 2, [0, 0, 0]))]
    with pytest.raises(StreamCorrupt, match=message), loader(filled(), log) as steps:
        steps.next()
