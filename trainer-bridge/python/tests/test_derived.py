"""Batches that are derived, next to those of a stream that has the same run."""

from __future__ import annotations

import random
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from deliveries import LABELS, DeliveredRun
from sluice.errors import InvalidWorldSize, Rewound, RunEnded, StreamStalled
from sluice.run.rank import TrainerRank
from sluice.stream.batch import Step
from sluice.stream.exposed import EMISSION, GRANT
from sluice.stream.loader import Loader

ALL = TrainerRank()


def told(step: Step) -> dict[str, Any]:
    """All that a trainer is given."""
    whole, info = step.whole, step.info
    mixture = info.mixture
    assert mixture is not None
    return {
        "batch": (info.timeline, info.batch, info.first_index, info.size, info.weights_version),
        "rows": (info.tokens_seen, info.row_length, info.rows, info.digest, info.domain_names),
        "mixture": (mixture.weights.tolist(), mixture.tokens.tolist()),
        "tokens": (whole.tokens.dtype, whole.tokens.tolist()),
        "trained": (whole.loss_mask.tolist(), whole.label_counts.tolist()),
        "documents": [list(row) for row in whole.document_lengths],
        "varlen": (whole.cu_seqlens.tolist(), whole.position_ids.tolist()),
        "places": (whole.index.tolist(), whole.domains.tolist(), whole.produced_at.tolist()),
        "parts": [[list(row) for row in part.document_lengths] for part in step],
    }


@pytest.mark.parametrize("seed", range(25))
def test_is_what_the_stream_has(seed: int, tmp_path: Path) -> None:
    run, draw = DeliveredRun(seed, tmp_path), random.Random(seed)
    run.live()
    run.grant()
    run.end("completed")
    run.seal()
    for world in (1, 3):
        rank = TrainerRank(draw.randrange(world), world)
        with ExitStack() as opened:
            stream, derived = (
                opened.enter_context(Loader.over(reader, micro_batch=3))
                for reader in (run.streamed(rank), run.reader(rank))
            )
            states = [stream.state_dict()]
            for batch in range(1, run.batch + 1):
                step = derived.next(20)
                assert step.batch == batch
                assert told(step) == told(stream.next(20))
                assert derived.state_dict() == stream.state_dict()
                states.append(derived.state_dict())
            assert derived.undecodable == stream.undecodable
            with pytest.raises(RunEnded, match=f"batch {run.batch} was the last one handed out"):
                derived.next(20)
            back = draw.randrange(run.batch)
            stream.load_state_dict(states[back])
            derived.load_state_dict(states[back])
            assert told(derived.next(20)) == told(stream.next(20))
            derived.seek_to_batch(back + 1)
            stream.seek_to_batch(back + 1)
            assert told(derived.next(20)) == told(stream.next(20))


@pytest.fixture
def run(tmp_path: Path) -> DeliveredRun:
    return DeliveredRun(3, tmp_path)


def test_waits_for_what_is_not_granted_and_for_what_is_not_sealed(run: DeliveredRun) -> None:
    reader = run.reader(ALL)
    reader.awaited = True
    with pytest.raises(StreamStalled) as stalled:
        reader.next(1.0)
    assert str(stalled.value) == (
        "batch 1 did not come within 1 s: batch 1 is not granted yet: the last grant ends at "
        "batch 0"
    )
    assert reader.last_cause == GRANT
    run.grant()
    run.seal(1)
    with pytest.raises(StreamStalled) as stalled:
        reader.next(1.0)
    assert str(stalled.value).startswith(
        f"batch 1 did not come within 1 s: batch 1 is granted (to {run.batch}) but block 1 of "
        "domain d"
    )
    assert str(stalled.value).endswith(", is not sealed: 1 of the lane's are")
    assert reader.last_cause == EMISSION
    run.seal()
    assert reader.next(1.0).info.batch == 1


def test_a_wait_for_what_is_sealed_asks_less_and_less_often(run: DeliveredRun) -> None:
    run.grant()
    reader = run.reader(ALL)
    segments: Any = reader._segments
    reader.awaited = True
    with pytest.raises(StreamStalled):
        reader.next(60.0)
    assert segments.looks < 25


def test_a_rewind_is_told_once_what_was_granted_before_is_read(run: DeliveredRun) -> None:
    while run.batch < 4:
        run.grant()
    run.seal()
    reader = run.reader(ALL)
    assert [reader.next(1.0).info.batch for _ in range(2)] == [1, 2]
    known = run.batch
    run.ends = {3: run.ends[3]}
    run.rewind()
    run.grant()
    run.seal()
    with pytest.raises(Rewound, match="the run was rewound to batch 3"):
        for _ in range(known):
            reader.next(6.0)
    assert reader.state.batch == known
    reader.seek_to_batch(4)
    batch = reader.next(1.0)
    assert (batch.info.batch, batch.info.timeline) == (4, 1)


def test_a_rewind_is_told_while_there_is_what_was_granted_before(run: DeliveredRun) -> None:
    while run.batch < 9:
        run.grant()
    run.seal()
    reader = run.reader(ALL)
    assert reader.next(1.0).info.batch == 1
    run.ends = {3: run.ends[3]}
    run.rewind()
    run.idle(4.9)
    assert reader.next(1.0).info.batch == 2
    run.idle(0.1)
    assert reader.next(1.0).info.batch == 3
    with pytest.raises(Rewound, match="the run was rewound to batch 3"):
        reader.next(1.0)


def test_what_a_failed_run_was_granted_is_read_to_its_end(run: DeliveredRun) -> None:
    run.grant()
    run.seal()
    run.end("failed")
    reader = run.reader(ALL)
    for batch in range(1, run.batch + 1):
        assert reader.next(1.0).info.batch == batch
    with pytest.raises(RunEnded, match=f"r-1 is failed: batch {run.batch} was the last"):
        reader.next(1.0)


def test_a_broker_that_is_away_is_waited_for(run: DeliveredRun) -> None:
    away = [False]
    reader = run.reader(ALL, lambda: away[0])
    away[0] = True
    run.grant()
    run.seal()
    with pytest.raises(StreamStalled, match="no answer"):
        reader.next(7.0)
    away[0] = False
    assert reader.next(7.0).info.batch == 1


def test_ranks_that_cannot_share_batches_are_refused(run: DeliveredRun) -> None:
    with pytest.raises(InvalidWorldSize, match="world size 5 does not divide the 24 sequences"):
        run.reader(TrainerRank(0, 5))


def test_a_loader_of_rows_of_a_length_is_as_long_as_they(run: DeliveredRun) -> None:
    run.grant()
    run.seal()
    batch = run.reader(ALL).next(1.0)
    assert batch.tokens.shape == (24, LABELS + 1)
    assert len(batch.document_lengths[3:7]) == 4
