"""What the processes around a service did, as they wrote it down; README.md has the lines."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TYPES = ("invoke", "ok", "info")
OPERATIONS = {
    "begin": {"run", "rank", "worldSize", "batch"},
    "take": {"run", "rank", "worldSize", "batch"},
    "report": {"run", "rank", "timeline", "step", "metric", "attempt"},
    "progress": {"run", "rank", "batch"},
    "flush": {"run", "rank", "batch"},
    "checkpoint": {"run", "rank", "timeline", "batch"},
    "drop": {"run", "rank", "batch"},
    "command": {"run", "command"},
    "ingest": {"domain", "text"},
    "fault": {"what"},
    "loss": {"since"},
    "end": {"run"},
}
Event = dict[str, Any]


def event(line: str, place: str) -> Event:
    """One line, checked."""
    found = json.loads(line)
    missing = {"at", "process", "type", "op"} - set(found)
    if missing:
        raise ValueError(f"{place} lacks {sorted(missing)}")
    if found["type"] not in TYPES or found["op"] not in OPERATIONS:
        names = (TYPES, tuple(OPERATIONS), (found["type"], found["op"]))
        raise ValueError("{}: type must be of {}, op of {}: {}".format(place, *names))
    lacks = OPERATIONS[found["op"]] - set(found)
    if lacks:
        raise ValueError(f"{place}: '{found['op']}' lacks {sorted(lacks)}")
    return dict(found)


class History:
    """Events, process by process in the order in which each wrote them, since clocks may jump."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.events = list(events)
        began: dict[str, int] = {}
        for each in self.events:
            began.setdefault(each["process"], each["at"])
        self.events.sort(key=lambda each: (began[each["process"]], each["process"]))

    @staticmethod
    def read(files: Iterable[Path]) -> History:
        """A last line without its end belongs to a process that was killed, and is none."""
        events = []
        for file in files:
            with file.open(encoding="utf-8", newline="\n") as lines:
                for number, line in enumerate(lines, 1):
                    if line.endswith("\n"):
                        events.append(event(line, f"{file}:{number}"))
        return History(events)

    def of(self, op: str, run: str | None = None, kind: str = "ok") -> list[Event]:
        """Events of an operation, of one run if it is given."""
        return [
            each
            for each in self.events
            if each["op"] == op and each["type"] == kind and run in (None, each.get("run"))
        ]

    def runs(self) -> list[str]:
        return sorted({each["run"] for each in self.events if "run" in each})

    def end(self) -> int:
        return max((int(each["at"]) for each in self.events), default=0)


def acknowledged(history: History, run: str) -> list[Event]:
    """Reports whose own ok was written, or that a flush of their process covers."""
    at = _acknowledged_at(history, run)
    return [each for each in history.of("report", run, "invoke") if _name(each) in at]


def perishable(history: History, run: str) -> set[tuple[Any, ...]]:
    """Names of reports that a power cut may have taken, acknowledged or not."""
    losses = [(each["since"], each["at"]) for each in history.of("loss")]
    at = _acknowledged_at(history, run)
    return {
        _name(each)
        for each in history.of("report", run, "invoke")
        if any(each["at"] <= to and at.get(_name(each), to) >= since for since, to in losses)
    }


def _acknowledged_at(history: History, run: str) -> dict[tuple[Any, ...], int]:
    """When each report was known to be in the log, by its name."""
    at = {_name(each): int(each["at"]) for each in history.of("report", run)}
    reached: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for each in history.of("flush", run):
        flushes = reached.setdefault((each["process"], each["rank"]), [])
        if not flushes or each["batch"] > flushes[-1][0]:
            flushes.append((each["batch"], each["at"]))
    for report in history.of("report", run, "invoke"):
        flushes = reached.get((report["process"], report["rank"]), [])
        first = bisect_left(flushes, (report["step"],))
        if first < len(flushes):
            known = flushes[first][1]
            at[_name(report)] = min(at.get(_name(report), known), known)
    return at


def _name(report: Event) -> tuple[Any, ...]:
    return tuple(report[name] for name in ("rank", "timeline", "step", "metric", "attempt"))
