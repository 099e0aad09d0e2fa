"""Rows of a log that is read from a snapshot on are those of the whole log."""

from __future__ import annotations

import pytest

from sluice.history.reading import RunReading
from sluice.history.row import Mark, Row
from sluice.history.rows import RunRows
from sluice.run.control import ControlLog
from steered import Topic
from test_snapshots import RUN, Whole, Writer
from told import plain
from writers import MemoryLog


def granted(log: MemoryLog, after: Mark | None) -> list[Row]:
    rows: list[Row] = []
    one = RunReading(RunRows(RUN, ControlLog(RUN, lambda: log), after), Topic())
    one.catch_up(rows.append)
    one.give_granted(rows.append)
    assert one.rows.left == 0
    return rows


def marks(writer: Writer) -> list[Mark | None]:
    """Some batches that stand, and some that a rewind took back."""
    found: list[Mark | None] = [None]
    for one, later in zip(writer.openings, [*writer.openings[1:], None], strict=True):
        first = one["after"] + 1
        end = writer.granted if later is None else max(later["after"], first) + 2
        if first <= end:
            found.append(Mark(one["timeline"], writer.random.randint(first, end)))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_rows_are_the_same_from_wherever_the_log_is_read(seed: int) -> None:
    writer = Writer(seed)
    for _ in range(writer.random.randint(1, 120)):
        writer.step()
    log = MemoryLog(writer.records)
    every = granted(Whole(writer.records), None)
    assert [row.batch for row in every] == list(range(1, writer.granted + 1))
    assert [(8 * row.shares).tolist() for row in every] == writer.counts
    for mark in marks(writer):
        rows = [plain(row) for row in granted(log, mark)]
        assert rows == [plain(row) for row in every][len(every) - len(rows) :]
        assert rows == [plain(row) for row in granted(Whole(writer.records), mark)]
        if mark is not None and writer.granted >= mark.batch and mark.timeline == writer.timeline:
            assert len(rows) == writer.granted - mark.batch
