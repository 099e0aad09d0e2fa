"""A sample of what was trained on, and pools that follow distributions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sluice.block.block import Block
from sluice.block.reader import BlockReader
from sluice.errors import EvalSetError, InvalidState
from sluice.evaluation.distributions import distribution_pools
from sluice.evaluation.held_out import ProbeBatches
from sluice.evaluation.probes import ProbeOptions
from sluice.run.info import RunInfo
from sluice.stream.batch import Batch, Step
from sluice.stream.step_info import StepInfo
from sluice.stream.trained import TrainedRows
from sluice.wire.codec import encode
from writers import LENGTH, block, run_info

RUN = run_info(1, [4])


def held_out(domain: str, count: int, first: int = 0) -> list[Block]:
    reader = BlockReader(RUN)
    return [reader.read(encode("TokenBlock", block(domain, first + i))) for i in range(count)]


APART = {name: held_out(name, 1, 900) for name in ("java", "prose")}


def step(
    batch: int, first: int, rows: int, domain: int = 0, labels: int = LENGTH, trained: bool = True
) -> Step:
    """Rows of a domain whose first tokens are their numbers."""
    tokens = np.ones((rows, labels + 1), np.dtype("<u2"))
    tokens[:, 0] = np.arange(first, first + rows)
    info = StepInfo("r-1", 0, batch, first, rows, 1, RUN.domains, first, labels, rows, digest=0)
    mask = np.full((rows, labels), trained)
    mask[:, 1:2] = False
    return Step(
        Batch(
            tokens=tokens,
            loss_mask=mask,
            document_lengths=[(labels + 1,)] * rows,
            info=info,
            index=np.arange(first, first + rows),
            domains=np.full(rows, domain, np.int64),
            produced_at=np.zeros(rows, np.int64),
        )
    )


def gathering(most: int, seed: int = 1) -> TrainedRows:
    return TrainedRows(RunInfo("r-1", RUN.spec | {"seed": seed}), lambda run: most)


def train(rows: TrainedRows, *steps: Step) -> None:
    for one in steps:
        rows.handed_out(one)
        rows.trained(one.batch)


def kept(rows: TrainedRows, domain: str = "java", labels: int = LENGTH) -> list[int]:
    return [int(row.tokens[0]) for row in rows.over({domain: []}, labels)[domain]]


def test_every_row_is_in_the_sample_with_the_same_probability() -> None:
    times, seeds = np.zeros(40), 1000
    one = step(1, 0, 40)
    for seed in range(seeds):
        rows = gathering(10, seed)
        train(rows, one)
        found = kept(rows)
        assert len(set(found)) == 10
        times[found] += 1
    # Four standard deviations of a binomial of 1,000 with p = 1/4 are 55.
    assert np.abs(times - seeds / 4).max() < 56


def test_a_row_is_kept_as_it_was_trained_on() -> None:
    rows = gathering(4)
    one = step(1, 5, 1)
    train(rows, one)
    [found] = rows.over(APART, LENGTH)["java"]
    one.whole.tokens[:] = 0  # it is a copy
    assert found.tokens.tolist() == [5, 1, 1, 1, 1]
    assert found.loss_mask.tolist() == [True, False, True, True]
    assert (found.ordinal, list(found.document_lengths)) == (5, [LENGTH + 1])


def test_a_domain_that_was_not_trained_on_has_what_is_held_out() -> None:
    rows = gathering(4)
    train(rows, step(1, 0, 2), step(2, 9, 3, domain=1, trained=False))
    found = rows.over(APART, LENGTH)
    assert list(found) == ["java", "prose"]
    assert kept(rows) == [0, 1]
    assert found["prose"] == APART["prose"]


def test_nothing_is_kept_for_a_run_that_needs_none_or_of_one_that_needs_less() -> None:
    needs = {"static": 0, "dga": 3, "less": 2}
    runs = {name: RunInfo("r-1", RUN.spec | {"policy": name}) for name in needs}
    rows = TrainedRows(runs["static"], lambda run: needs[run.spec["policy"]])
    train(rows, step(1, 0, 3))
    assert rows.state_dict() == {}
    rows.handed_out(step(2, 3, 3))
    rows.follow(runs["dga"])
    rows.trained(2)
    train(rows, step(3, 6, 3))
    assert kept(rows) == [6, 7, 8]
    rows.follow(runs["less"])
    assert kept(rows) == []
    train(rows, step(4, 9, 2))
    assert kept(rows) == [9, 10]


def test_only_what_was_trained_on_is_taken_in_and_once() -> None:
    rows = gathering(9)
    for batch in (1, 2, 3):
        rows.handed_out(step(batch, batch, 1))
    rows.trained(2)
    assert kept(rows) == [1, 2]
    rows.handed_out(step(3, 3, 1))  # the loader went back
    rows.trained(3)
    assert kept(rows) == [1, 2, 3]
    rows.handed_out(step(4, 4, 1))
    rows.begin(7, RUN)
    rows.handed_out(step(8, 8, 1))
    rows.trained(8)
    assert kept(rows) == [1, 2, 3, 8]


def test_what_many_steps_followed_was_trained_on_though_nobody_said_so() -> None:
    rows = gathering(99)
    for batch in range(1, 20):
        rows.handed_out(step(batch, batch, 1))
    assert kept(rows) == [1, 2, 3]


def test_rows_of_another_length_begin_a_new_sample() -> None:
    rows = gathering(2)
    train(rows, step(1, 0, 9))
    train(rows, step(2, 20, 3, labels=2), step(3, 30, 1, domain=1, labels=2))
    assert kept(rows, labels=2) == [20, 21, 22]  # as many labels as two sequences have, at most
    assert kept(rows) == []
    assert [len(row.tokens) for row in rows.over(APART, 1)["java"]] == [2] * LENGTH


def test_goes_on_from_a_state_as_if_it_had_never_stopped() -> None:
    steps = [step(batch, batch * 10, 10, domain=batch % 2) for batch in range(1, 13)]
    whole, first, second = gathering(5), gathering(5), gathering(5)
    train(whole, *steps)
    train(first, *steps[:7])
    first.handed_out(steps[7])  # fetched ahead
    second.load_state_dict(first.state_dict())
    train(second, *steps[7:])
    assert second.over(APART, LENGTH) == whole.over(APART, LENGTH)
    assert second.state_dict() == whole.state_dict()
    second.load_state_dict({})
    assert second.over(APART, LENGTH) == APART


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 2}, "version of a sample of trained rows must be 1: 2"),
        ({"domains": 3}, "a sample of trained rows cannot be read: .*no attribute 'items'"),
        ({"labels": 3}, "cannot be read: .*2 rows seen, 2 kept, 16 of 20 bytes"),
        ({"labels": 9}, "cannot be read: .*20 bytes of tokens for rows of 9 labels"),
    ],
)
def test_refuses_a_state_that_is_none(changes: dict[str, Any], message: str) -> None:
    rows = gathering(5)
    train(rows, step(1, 0, 2))
    with pytest.raises(InvalidState, match=message):
        rows.load_state_dict(rows.state_dict() | changes)
    assert kept(rows) == [0, 1]


def test_probe_batches_are_drawn_from_the_sample() -> None:
    rows = gathering(3)
    train(rows, step(1, 0, 3))
    probes = ProbeBatches(rows.over(APART, LENGTH), 2)
    drawn = [[int(one.tokens[0]) for one in probes.batch(draw)["java"]] for draw in range(2)]
    assert drawn == [[0, 1], [2, 0]]


def test_the_policy_s_settings_say_what_is_probed() -> None:
    def options(**settings: str) -> ProbeOptions:
        named = {name.replace("_", "."): value for name, value in settings.items()}
        return ProbeOptions.of(RunInfo("r-1", RUN.spec | {"policySettings": named}))

    assert options() == ProbeOptions(training=True, clip=True)
    assert options(probes="held-out") == ProbeOptions(training=False, clip=True)
    assert options(groups_web_policy_dga_probes="held-out").training is False
    assert options(probes="training", myprobes="held-out").training is True
    assert options(**{"clip-gradients": "false"}) == ProbeOptions(training=True, clip=False)
    assert options(**{"a_clip-gradients": "true"}).clip is True


def named(blocks: list[Block]) -> list[str]:
    return [f"{RUN.domains[one.domain]}{one.ordinal}" for one in blocks]


def distributed(basis: dict[str, str], *names: str) -> dict[str, list[str]]:
    settings = {f"basis.{name}": shares for name, shares in basis.items()}
    run = RunInfo("r-1", RUN.spec | {"policy": "dga-distribution", "policySettings": settings})
    pools = {"java": held_out("java", 6), "prose": held_out("prose", 2), "config": []}
    found = distribution_pools(run, names, pools)
    return {name: named(pool) for name, pool in found.items()}


def test_a_pool_has_the_shares_of_its_distribution() -> None:
    """In the order that the trainer for Java gives."""
    basis = {"mild": "java=1 prose=3", "wild": " java=0.2  prose=0", "even": "prose=.5 java=.5"}
    found = distributed(basis, "wild", "mild", "even")
    assert list(found) == ["wild", "mild", "even"]
    assert found["wild"] == ["java0", "java1", "java2", "java3", "java4", "java5"]
    assert found["mild"] == [
        "prose0",
        "java0",
        "prose1",
        "prose0",
        "prose1",
        "java1",
        "prose0",
        "prose1",
    ]
    assert found["even"] == [
        "prose0",
        "java0",
        "prose1",
        "java1",
        "prose0",
        "java2",
        "prose1",
        "java3",
    ]


def test_a_distribution_that_is_not_said_is_refused() -> None:
    with pytest.raises(EvalSetError) as refused:
        distributed({}, "mild")
    assert str(refused.value) == (
        "policy 'dga-distribution' waits for alignment of 'mild', and no setting basis.mild says "
        "which domains that is of"
    )
    with pytest.raises(EvalSetError) as refused:
        distributed({"mild": "java=1 config=1"}, "mild")
    assert str(refused.value) == (
        "domain config of distribution mild must have probe blocks: found none"
    )
    with pytest.raises(EvalSetError, match="basis.mild must be domain=share …: 'java=x'"):
        distributed({"mild": "java=x"}, "mild")
