"""Which reports of trainers count, by the rules of the service."""

from __future__ import annotations

from typing import Any

import pytest

from sluice import wire
from sluice.steering.reports import MetricReports, Reports
from steered import LOSSES, record, report
from vectors import cases


@cases("reports")
def test_reports_win_as_in_the_service(case: Any) -> None:
    metrics: dict[str, MetricReports] = {}
    for one in case["reports"]:
        pairs = zip(one["sums"], one["counts"], strict=True)
        totals = {str(i): pair for i, pair in enumerate(pairs)}
        reports = metrics.setdefault(one["metric"], MetricReports())
        reading = reports.take(one["attempt"], one["worldSize"], one["rank"], totals)
        assert reading == one["reading"]
    for metric, expected in case["won"].items():
        won = metrics[metric].won
        if expected is None:
            assert won is None
            continue
        assert won is not None
        assert won.attempt == expected["attempt"]
        means = {str(i): mean for i, mean in enumerate(expected["means"]) if mean is not None}
        assert won.means() == means
        assert [count for _, count in won.totals.values()] == expected["counts"]


@pytest.mark.parametrize(
    "value",
    [
        b"",
        report(2)[:-3],
        wire.encode(
            "TrainerProgress",
            {
                "runId": "r-1",
                "timeline": 0,
                "batch": 2,
                "trainerStep": 2,
                "oldestCheckpoint": -1,
                "worldSize": 1,
                "rank": 0,
                "timeMillis": 0,
                "exposed": None,
                "read": None,
            },
        ),
        report(2, runId="r-2"),
        report(2, rank=1),
        report(2, attempt=""),
        report(2, means={"java": float("nan")}),
        report(2, entries=[{"domain": "java", "sum": 1.0, "count": 1}] * 2),
        report(2, entries=[{"domain": "java", "sum": 1.0, "count": -1}]),
    ],
)
def test_what_nobody_can_use_is_passed_over(value: bytes) -> None:
    reports = Reports("r-1")
    reports.take(record(value))
    assert reports.won(0, 2, "eval_loss") is None


def test_reports_of_many_steps_are_not_all_kept() -> None:
    reports = Reports("r-1")
    for step in range(2000):
        reports.take(record(report(step)))
    assert reports.won(0, 900, "eval_loss") is None
    assert reports.won(0, 1999, "eval_loss") == LOSSES
    reports.forget(0, 1990)
    reports.take(record(report(1980, attempt="b")))
    assert reports.won(0, 1980, "eval_loss") is None
    assert reports.won(0, 1991, "eval_loss") == LOSSES
