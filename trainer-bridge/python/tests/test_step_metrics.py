"""The keys of a step's metrics, of few domains and of thousands."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from records import grant, started
from sluice.run.heaviest import TOP, heaviest, others
from sluice.run.info import RunInfo
from sluice.run.mixture import Mixture
from sluice.stream.loader import Loader
from sluice.stream.step_info import StepInfo
from writers import MemorySource, TestingStream, reader_over

ONE = 1 << 40
KINDS = ("weight", "tokens", "epochs")


def info(units: list[int]) -> StepInfo:
    """Of domains with weights in units of 2^-40."""
    count = len(units)
    tokens = np.arange(count, dtype=np.int64) * 1_000_003
    epochs = np.where(np.arange(count) % 2 == 0, 0.5, np.nan)
    weights = np.array(units, dtype=np.float64) / ONE
    mixture = Mixture(1, 8, weights, tokens // 4, tokens, epochs)
    names = tuple(f"d{place}" for place in range(count))
    return StepInfo("r-1", 0, 3, 16, 8, 1, names, 96, 4, 8, 0, mixture=mixture)


def named(metrics: dict[str, float], kind: str = "weight") -> list[str]:
    start = f"sluice/{kind}/"
    return [key.removeprefix(start) for key in metrics if key.startswith(start)]


def drawn(seed: int, count: int) -> list[int]:
    """Weights in the log's units, many of them equal, which sum to 1."""
    rng = random.Random(seed)
    units = [rng.choice([0, 1, 2, 3]) * (ONE >> 16) for _ in range(count - 1)]
    return [*units, ONE - sum(units)]


def test_thousands_of_domains_are_a_bounded_number_of_keys() -> None:
    step = info(drawn(1, 4096))
    metrics = step.metrics()
    assert len(named(metrics)) == len(named(metrics, "tokens")) == TOP
    assert len(metrics) <= 6 + len(KINDS) * TOP + 3
    assert metrics["sluice/others/domains"] == 4096 - TOP
    assert len(named(step.metrics(top=None))) == 4096


@pytest.mark.parametrize("seed", range(5))
def test_the_greatest_are_named_and_the_others_are_a_sum(seed: int) -> None:
    units = drawn(seed, 100)
    step = info(units)
    assert step.mixture is not None
    by_weight = sorted(range(100), key=lambda place: (-units[place], place))
    for top in (1, 7, 99):
        metrics, chosen = step.metrics(top), sorted(by_weight[:top])
        assert named(metrics) == [f"d{place}" for place in chosen]
        weights = [metrics[f"sluice/weight/d{place}"] for place in chosen]
        assert weights == step.mixture.weights[chosen].tolist()
        assert sum(weights) + metrics["sluice/others/weight"] == 1.0
        tokens = sum(metrics[f"sluice/tokens/d{place}"] for place in chosen)
        assert tokens + metrics["sluice/others/tokens"] == step.mixture.tokens.sum()
        assert metrics["sluice/others/domains"] == 100 - top


def test_of_equal_weights_the_first_of_the_run_go_before() -> None:
    assert named(info([ONE // 4] * 4).metrics(top=2)) == ["d0", "d1"]
    assert named(info([0, ONE // 2, 0, ONE // 2]).metrics(top=3)) == ["d0", "d1", "d3"]


def test_no_sum_is_told_where_all_are_named() -> None:
    step = info([ONE // 4] * 4)
    for top in (None, 4, 5, TOP):
        metrics = step.metrics(top=top)
        assert named(metrics) == ["d0", "d1", "d2", "d3"]
        assert named(metrics, "epochs") == ["d0", "d2"]
        assert not any(key.startswith("sluice/others/") for key in metrics)
    nobody = step.metrics(top=0)
    assert [named(nobody, kind) for kind in KINDS] == [[], [], []]
    assert nobody["sluice/others/weight"] == 1.0


@pytest.mark.parametrize("top", [-1, 2.5, True, "8"])
def test_a_number_that_is_none_is_refused(top: Any) -> None:
    stream = TestingStream(1, [4])
    source = MemorySource(1, waits=True)
    source.write(stream.sequences)
    message = "top must be a whole number from 0, or None for all domains: "
    with (
        Loader.over(reader_over(source, stream.run, [started(stream.run)])) as steps,
        pytest.raises(ValueError, match=message + repr(top)),
    ):
        steps.metrics(top=top)
    with pytest.raises(ValueError, match=message):
        info([ONE]).metrics(top=top)


def test_a_loader_and_its_steps_name_as_many() -> None:
    names = [f"d{place}" for place in range(40)]
    stream = TestingStream(1, [4], domains=names)
    run = RunInfo("r-1", stream.run.spec | {"domains": names})
    units = [ONE // 64] * 39 + [ONE - 39 * (ONE // 64)]
    control = [started(run), grant(1, 0, 0, 1, counts=[[4] + [0] * 39], weights=units)]
    source = MemorySource(1, waits=True)
    source.write(stream.sequences)
    with Loader.over(reader_over(source, run, control)) as steps:
        step = steps.next(20)
        expected = [*names[:31], "d39"]
        for metrics in (steps.metrics(), step.metrics(), step.whole.metrics()):
            assert named(metrics) == expected
            assert metrics["sluice/others/domains"] == 8
        assert named(steps.metrics(top=1)) == named(step[0].metrics(top=1)) == ["d39"]
        assert named(steps.metrics(top=None)) == named(step.metrics(top=None)) == names


def test_places_are_of_either_kind() -> None:
    weights = np.array([0.1, 0.4, 0.1, 0.4])
    places = heaviest(weights, 3)
    assert places.tolist() == [0, 1, 3]
    assert others(places, 4).tolist() == [2]
