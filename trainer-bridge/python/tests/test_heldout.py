from __future__ import annotations

import logging

import pytest

from sluice.block.block import Block
from sluice.block.reader import BlockReader
from sluice.errors import EvalSetError
from sluice.evaluation.held_out import HeldOut, ProbeBatches
from sluice.evaluation.sets import EvalSet, late
from sluice.evaluation.waiting import Waiting
from sluice.wire.codec import encode
from writers import block, run_info

RUN = run_info(1, [4])


def blocks(domain: str, count: int, first: int = 0, mask: list[int] | None = None) -> list[Block]:
    reader = BlockReader(RUN)
    return [
        reader.read(encode("TokenBlock", block(domain, first + i, lossMask=mask)))
        for i in range(count)
    ]


def ordinals(found: list[Block]) -> list[int]:
    return [one.ordinal for one in found]


def test_the_first_blocks_are_evaluated_and_no_block_is_both_target_and_probe() -> None:
    found = HeldOut.divided({"java": blocks("java", 6), "prose": blocks("prose", 3)}, 4, ["prose"])
    assert {name: ordinals(some) for name, some in found.evaluated.items()} == {
        "java": [0, 1, 2, 3],
        "prose": [0, 1, 2],
    }
    assert ordinals(found.target) == [0]
    assert {name: ordinals(some) for name, some in found.pools.items()} == {
        "java": [3, 4, 5],
        "prose": [1, 2],
    }


def test_targets_need_blocks_of_their_own() -> None:
    with pytest.raises(EvalSetError, match="target domains must be of java: sql"):
        HeldOut.divided({"java": blocks("java", 2)}, 1, ["sql"])
    with pytest.raises(EvalSetError, match="'java' must have at least 2 held-out blocks, .*: 1;"):
        HeldOut.divided({"java": blocks("java", 1)}, 1, ["java"])


def test_a_pool_is_walked_round_and_round_by_the_number_of_the_draw_alone() -> None:
    probes = ProbeBatches({"java": blocks("java", 3), "prose": blocks("prose", 1)}, 2)
    drawn = [ordinals(probes.batch(draw)["java"]) for draw in range(4)]
    assert drawn == [[0, 1], [2, 0], [1, 2], [0, 1]]
    assert ordinals(probes.batch(7)["prose"]) == [0]
    with pytest.raises(ValueError, match="blocks must be at least 1: 0"):
        ProbeBatches({"java": blocks("java", 1)}, 0)
    with pytest.raises(EvalSetError, match="needs? at least 1 domain: 0"):
        ProbeBatches({}, 1)


def test_a_pool_without_a_trained_label_is_refused() -> None:
    pools = {"java": blocks("java", 2, mask=[0, 4])}
    with pytest.raises(EvalSetError) as refused:
        ProbeBatches(pools, 1)
    assert str(refused.value) == (
        "domain 'java' must have at least 1 probe block with trained tokens: 0 of 2; "
        "raise the dataset's held-out share or add documents"
    )


def test_sets_are_sized_in_tokens() -> None:
    sized = type(RUN)("r-1", RUN.spec | {"evalTokens": 9, "probeTokens": 4, "removed": ["prose"]})
    assert (sized.eval_blocks, sized.probe_blocks) == (3, 1)
    assert sized.present_domains == ["java", "config"]
    unsized = type(RUN)("r-1", RUN.spec | {"evalTokens": 0, "probeTokens": 0, "removed": []})
    assert (unsized.eval_blocks, unsized.probe_blocks) == (0, 1)


def test_what_is_waited_for_is_said_after_ten_seconds_and_then_each_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = [100.0]
    waiting = Waiting(300.0, lambda: now[0])
    java = EvalSet("java", BlockReader(RUN), limit=1000, lanes=1)
    java.take(0, encode("TokenBlock", block("java", 0)))
    said: list[int] = []
    with caplog.at_level(logging.WARNING, "sluice"):
        for second in range(301):
            now[0] = 100.0 + second
            assert not waiting.over
            waiting.tell(lambda: late([java], ["prose"]))
            if len(caplog.records) > len(said):
                said.append(second)
    now[0] = 400.5
    assert waiting.over
    assert said == [10, 70, 130, 190, 250]
    assert caplog.records[1].getMessage() == (
        "held-out blocks have not come for 70 s, of 300 s that they may take: "
        "java (1 of 1000, end not reached), prose (no topic); "
        "fewer are enough of a domain that has ended"
    )
