"""Histories as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checker.history import History, acknowledged, perishable

REPORT: dict[str, Any] = {"run": "r.1", "rank": 0, "timeline": 0, "metric": "train_loss"}


def line(at: int, kind: str, op: str, process: str = "p", **values: Any) -> str:
    return json.dumps({"at": at, "process": process, "type": kind, "op": op, **values}) + "\n"


def test_a_line_that_was_not_finished_is_none(tmp_path: Path) -> None:
    whole = line(5, "ok", "fault", what="kill")
    (tmp_path / "a").write_text(whole + '{"at": 6, "proc')
    (tmp_path / "b").write_text(
        line(3, "ok", "end", "q", run="r.1") + line(1, "ok", "end", run="r")
    )
    history = History.read([tmp_path / "a", tmp_path / "b"])
    assert [each["at"] for each in history.events] == [3, 5, 1]
    assert (history.end(), history.runs()) == (5, ["r", "r.1"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (line(1, "ok", "dance"), "op of .*dance"),
        (line(1, "done", "end", run="r"), "type must be of .*done"),
        (line(1, "ok", "end"), "'end' lacks ..run"),
        ('{"at": 1}\n', "lacks ..op., .process., .type"),
    ],
)
def test_other_lines_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a").write_text(text)
    with pytest.raises(ValueError, match=f"a:1.* {message}|a:1: {message}"):
        History.read([tmp_path / "a"])


def test_a_flush_acknowledges_what_its_process_said_before() -> None:
    lines = [
        line(1, "invoke", "report", step=4, attempt="a", **REPORT),
        line(2, "invoke", "report", step=8, attempt="b", **REPORT),
        line(3, "ok", "flush", run="r.1", rank=0, batch=4),
        line(4, "invoke", "report", "q", step=4, attempt="c", **REPORT),
        line(5, "invoke", "report", "q", step=8, attempt="d", **REPORT),
        line(6, "ok", "report", "q", step=8, attempt="d", **REPORT),
    ]
    history = History(map(json.loads, lines))
    assert [each["attempt"] for each in acknowledged(history, "r.1")] == ["a", "d"]


def test_a_power_cut_may_take_what_was_acknowledged_after_the_last_that_was_written_back() -> None:
    lines = [
        line(1, "invoke", "report", step=4, attempt="a", **REPORT),
        line(2, "invoke", "report", step=8, attempt="b", **REPORT),
        line(3, "ok", "flush", run="r.1", rank=0, batch=4),
        line(6, "ok", "flush", run="r.1", rank=0, batch=8),
        line(7, "invoke", "report", step=9, attempt="c", **REPORT),
        line(9, "invoke", "report", step=10, attempt="d", **REPORT),
        line(8, "ok", "loss", "q", since=5),
    ]
    history = History(map(json.loads, lines))
    assert {name[-1] for name in perishable(history, "r.1")} == {"b", "c"}
