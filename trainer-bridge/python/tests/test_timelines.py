"""Rewinds, forks and revisions, as a reader sees them."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from records import (
    entry,
    grant,
    revised,
    snapshot,
    start_of,
    started,
)
from sluice.errors import InvalidState, Rewound, StreamCorrupt
from sluice.run.entry import Entry
from sluice.run.fold import RunLogFold
from sluice.run.info import RunInfo
from sluice.run.run_timeline import RunTimeline
from sluice.run.state import StreamState
from sluice.run.timelines import Opened, Timelines
from sluice.stream.batch import Batch
from sluice.stream.loader import Loader
from writers import (
    DOMAINS,
    MemorySource,
    TestingStream,
    reader_over,
    run_info,
)

SIZES = [8] * 8
OLD = TestingStream(4, SIZES)
NEW = TestingStream(4, SIZES, timeline=1, after=3, version=2)
COUNTS = [4, 2, 2]
REWOUND = [
    started(OLD.run),
    grant(1, 0, 0, 6),
    revised(2, 1, 1, OLD.run, snapshot(3, 24, 1, [12, 6, 6])),
    grant(3, 2, 3, 8, timeline=1, version=2, counts=[[0, 0, 8]] * 5, weights=(0, 0, 1 << 40)),
]


def rewound_topic() -> MemorySource:
    """Batches 4 to 6 of timeline 0 are dead."""
    source = MemorySource(4)
    source.write(OLD.sequences[:48])
    source.write(NEW.sequences)
    return source


def ordinals(batch: Batch) -> list[int]:
    return [int(ids[0]) - 60_000 for ids in batch.tokens]


def test_a_batch_is_owned_by_the_last_timeline_opened_before_it() -> None:
    known = Timelines().opening(1, 7, 70).opening(2, 4, 40)
    assert [known.owner(batch) for batch in (0, 4, 5, 7, 8, 99)] == [0, 0, 2, 2, 2, 2]
    assert [known.of_index(index).timeline for index in (0, 39, 40, 70, 99)] == [0, 0, 2, 2, 2]
    assert [known.limit(index) for index in (0, 39, 40, 80)] == [40, 40, *[sys.maxsize] * 2]
    assert [known.end(timeline) for timeline in (0, 1, 2)] == [4, 4, sys.maxsize]
    assert known.newest == 2
    assert Timelines.starting_after(5, 50).first == Opened(0, 5, 50)


def test_reads_each_batch_of_the_timeline_that_owns_it() -> None:
    reader = reader_over(rewound_topic(), OLD.run, REWOUND)
    batches = [reader.next(20) for _ in range(8)]
    assert [batch.info.timeline for batch in batches] == [0, 0, 0, 1, 1, 1, 1, 1]
    first = [ordinals(batch)[0] for batch in batches]
    assert first == [0, 8, 16, *(1000 + 8 * batch for batch in range(3, 8))]
    assert [batch.info.weights_version for batch in batches] == [1] * 3 + [2] * 5
    tokens = [batch.info.domain_tokens for batch in batches]
    assert all(found is not None for found in tokens)
    assert [found.tolist() for found in tokens if found is not None][2:5] == [
        [48, 24, 24],
        [48, 24, 56],
        [48, 24, 88],
    ]
    assert reader.state == StreamState("r-1", 1, 8, 64)


@pytest.mark.parametrize("last", range(8))
def test_a_state_of_the_lineage_is_resumed(last: int) -> None:
    reader = reader_over(rewound_topic(), OLD.run, REWOUND)
    reader.seek(StreamState("r-1", 0 if last <= 3 else 1, last, 8 * last))
    found = reader.next(20)
    assert found.info.batch == last + 1
    assert ordinals(found)[0] == 8 * last + (1000 if last >= 3 else 0)
    reader.seek_to_batch(last + 1)
    assert ordinals(reader.next(20)) == ordinals(found)


def test_a_state_of_what_was_taken_back_is_refused() -> None:
    reader = reader_over(rewound_topic(), OLD.run, REWOUND)
    with pytest.raises(Rewound) as back:
        reader.seek(StreamState("r-1", 0, 5, 40))
    assert str(back.value) == (
        "the run was rewound to batch 3 and goes on as timeline 1 (this reader follows timeline "
        "0): resume from a checkpoint at or before batch 3"
    )
    with pytest.raises(Rewound, match="at or before batch 2"):
        reader.seek(StreamState("r-1", 1, 3, 24))
    with pytest.raises(InvalidState, match="of timeline 2, run r-1 has timelines 0 to 1"):
        reader.seek(StreamState("r-1", 2, 3, 24))
    with pytest.raises(InvalidState, match="batch must be at least 1, the first of run r-1: 0"):
        reader.seek_to_batch(0)
    assert reader.next(20).info.batch == 1


def test_a_reader_of_the_old_timeline_is_told_where_to_resume() -> None:
    source, control = MemorySource(4), REWOUND[:2]
    reader = reader_over(source, OLD.run, control)
    source.write(OLD.sequences[:40])
    assert [reader.next(20).info.batch for _ in range(5)] == [1, 2, 3, 4, 5]
    control.extend(REWOUND[2:])
    source.write(NEW.sequences[16:])
    with pytest.raises(Rewound) as back:
        reader.next(20)
    assert (back.value.timeline, back.value.batch) == (1, 3)


def test_a_reader_that_waits_learns_of_a_rewind_from_the_log_alone() -> None:
    source, control = MemorySource(4), REWOUND[:2]
    reader = reader_over(source, OLD.run, control)
    source.write(OLD.sequences[:40])
    for _ in range(5):
        reader.next(20)
    control.extend(REWOUND[2:])
    with pytest.raises(Rewound, match="resume from a checkpoint at or before batch 3"):
        reader.next(20)


def test_what_was_read_ahead_is_not_handed_out_once_it_was_taken_back() -> None:
    source, control = MemorySource(4, waits=True), REWOUND[:2]
    source.write(OLD.sequences[:40])
    reader = reader_over(source, OLD.run, control, status_interval=0.01)
    with Loader.over(reader) as steps:
        assert [steps.next(20).batch for _ in range(2)] == [1, 2]
        control.extend(REWOUND[2:])
        while reader.run_timeline.timelines.newest == 0:
            source.write(NEW.sequences[40:])
        assert steps.next(20).batch == 3
        assert steps.timeline_of(3) == 0
        assert steps.timeline_of(4) == 0
        with pytest.raises(Rewound, match="at or before batch 3"):
            steps.next(20)
        source.write(NEW.sequences)
        steps.load_state_dict(steps.state_dict())
        assert steps.timeline_of(3) == 0
        assert steps.timeline_of(4) == 1
        assert ordinals(steps.next(20).whole)[0] == 1024


def test_a_revision_is_known_before_its_first_batch_is_handed_out() -> None:
    names = [*DOMAINS, "new"]
    more = RunInfo("r-1", OLD.run.spec | {"domains": names, "updateEvery": 5})
    chains = [one.header.chain for one in OLD.sequences[20:24]]
    later = TestingStream(4, SIZES, after=3, version=2, domains=["new"], chains=chains)
    source, control = MemorySource(4), [started(OLD.run), grant(1, 0, 0, 3)]
    reader = reader_over(source, OLD.run, control)
    source.write(OLD.sequences[:24])
    assert [reader.next(20).info.update_every for _ in range(3)] == [0] * 3
    control.append(revised(2, 1, 0, more, snapshot(3, 24, 2, [12, 6, 6, 0])))
    row = [[0, 0, 0, 8]] * 5
    control.append(grant(3, 2, 3, 8, version=2, counts=row, weights=(0, 0, 0, 1 << 40)))
    source.write(later.sequences)
    found = reader.next(20)
    assert found.info.update_every == 5
    assert found.info.domain_names == tuple(names)
    assert found.domains.tolist() == [3] * 8
    assert found.info.domain_tokens is not None
    assert found.info.domain_tokens.tolist() == [48, 24, 24, 32]
    assert reader.blocks.undecodable == 0
    reader.seek_to_batch(2)
    assert reader.next(20).info.domain_names == tuple(DOMAINS)
    assert [reader.next(20).info.update_every for _ in range(2)] == [0, 5]


def test_a_fork_goes_on_from_a_checkpoint_of_the_run_it_continues() -> None:
    origin = {"runId": "p-1", "timeline": 2, "snapshot": snapshot(3, 24, 7, [40, 20, 10])}
    start = entry(0, -1, "RunStarted", start_of(OLD.run, origin))
    branch = TestingStream(4, SIZES, after=3, version=7)
    source = MemorySource(4)
    source.write(branch.sequences)
    control = [start, grant(1, 0, 3, 8, version=7, counts=[[8, 0, 0]] * 5)]
    reader = reader_over(source, OLD.run, control)
    first = reader.next(20)
    assert (first.info.batch, first.info.first_index) == (4, 24)
    assert first.info.domain_tokens is not None
    assert first.info.domain_tokens.tolist() == [4 * 48, 4 * 20, 4 * 10]
    reader.seek(StreamState("p-1", 2, 3, 24))
    assert reader.next(20).info.batch == 4
    with pytest.raises(InvalidState) as refused:
        reader.seek(StreamState("p-1", 2, 4, 32))
    assert str(refused.value) == (
        "run r-1 continues run p-1 after batch 3 of timeline 2: resume from a checkpoint of "
        "exactly that batch, not of batch 4 of timeline 2"
    )
    with pytest.raises(InvalidState, match="batch must be at least 4, the first of run r-1: 3"):
        reader.seek_to_batch(3)


def test_a_refused_command_changes_nothing() -> None:
    run = RunLogFold("r-1")
    refusal = {"state": "running", "commandId": "x", "refused": True}
    for offset, record in enumerate(
        [started(OLD.run), entry(1, 0, "RunStateChanged", refusal, "no such batch")]
    ):
        run.apply(Entry(0, offset, record))
    assert (run.state, run.why) == ("running", "")


@pytest.mark.parametrize(
    "record",
    [
        revised(2, 1, 0, OLD.run, snapshot(3, 24, 2, [0, 0, 0])),
        revised(2, 1, 1, OLD.run, snapshot(7, 56, 2, [0, 0, 0])),
        revised(2, 1, 2, OLD.run, snapshot(3, 24, 2, [0, 0, 0])),
        grant(2, 1, 6, 7, timeline=1),
    ],
)
def test_a_record_that_does_not_go_on_is_loud(record: dict[str, Any]) -> None:
    run = RunLogFold("r-1")
    run.apply(Entry(0, 0, started(OLD.run)))
    run.apply(Entry(0, 1, grant(1, 0, 0, 6)))
    with pytest.raises(StreamCorrupt, match="does not continue after batch 6 of timeline 0"):
        run.apply(Entry(0, 2, record))


def test_batch_sizes_may_change_with_a_revision() -> None:
    run = run_info(4, [8])
    wider = RunInfo("r-1", run.spec | {"batchSizes": [{"fromBatch": 1, "sequences": 12}]})
    body = revised(2, 1, 0, wider, snapshot(3, 24, 2, [0, 0, 0]))["body"][1]
    timeline = RunTimeline.of(run).revised(0, body)
    assert [timeline.first_index(batch) for batch in (1, 3, 4, 5, 6)] == [0, 16, 24, 36, 48]
    assert [(one.batch, one.sequences, one.first_index) for one in timeline.schedule(1)] == [
        (2, 8, 8),
        (4, 12, 24),
    ]
    assert timeline.run_at(3) is run
    assert timeline.run_at(4).spec == wider.spec
