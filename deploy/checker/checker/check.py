"""All rules over all runs and documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from checker.blocks import Blocks
from checker.contents import digest, emitted, kept, partitions
from checker.documents import document, specifications
from checker.finding import RULES, Finding
from checker.heard import heard
from checker.history import History
from checker.log import Log
from checker.read import read, sealed
from checker.run import Run
from checker.service import command, flow
from checker.taken import granted, mixture, order, version
from checker.topics import Topics
from checker.wire import of

MOST = 20
"""Findings of one rule and run that are shown; the rest is counted."""


class Bounds(NamedTuple):
    flow: int = 60_000
    """Milliseconds after the last fault within which every run gives a new batch."""

    clocks: int = 0
    """Milliseconds by which two clocks may differ."""


class Report(NamedTuple):
    findings: list[Finding]
    more: dict[str, int]
    """Findings beyond those that are shown, by rule and run."""

    checked: dict[str, int]
    gone: list[str]
    """Runs of the history whose log is no more, of which nothing could be checked."""

    def holds(self) -> bool:
        return not self.findings

    def json(self) -> dict[str, Any]:
        findings = [finding._asdict() for finding in self.findings]
        return {**self._asdict(), "findings": findings, "holds": self.holds()}


def logs(topics: Topics) -> dict[str, Log]:
    """Each run's log: in a topic of its own if it has one, else in the one of all."""
    names, found = topics.names(), {}
    for topic in sorted(name for name in names if name.startswith("control.")):
        run = topic.partition(".")[2]
        log = found[run] = Log(run)
        for message in topics.read(topic):
            if log.read(message.offset, message.value) == "applies" and len(log.entries) == 1:
                log.standing = (1, message.timestamp)
    for message in topics.read("control") if "control" in names else ():
        record = of("ControlRecord", message.value)
        if record is not None and f"control.{record['runId']}" not in names:
            run = record["runId"]
            log = found.setdefault(run, Log(run))
            if log.read(message.offset, message.value) == "applies" and len(log.entries) == 1:
                log.standing = (0, message.offset)
    return {run: log for run, log in found.items() if log.entries}


def check(
    topics: Topics, history: History, bounds: Bounds | None = None, only: str | None = None
) -> Report:
    """Findings in the order of the rules; without those of documents if a run is named."""
    bounds = bounds or Bounds()
    found, checked = logs(topics), {"runs": 0, "batches": 0, "sequences": 0, "documents": 0}
    findings: list[Finding] = []
    more: dict[str, int] = {}
    blocks = Blocks(topics)
    for log in (each for each in found.values() if only in (None, each.run_id)):
        run = Run(log, history, blocks)
        checked["runs"] += 1
        checked["batches"] += len(run.takes)
        checked["sequences"] += sum(len(take["rows"]) for take in run.takes)
        _gather(_of_run(run, topics, bounds, _newest(log, found)), findings, more)
    for spec in specifications(topics).values() if only is None else ():
        for domain in spec["domains"]:
            _gather(document(topics, history, spec, domain), findings, more)
    checked["documents"] = len(history.of("ingest")) if only is None else 0
    rules = list(RULES)
    findings.sort(key=lambda each: (rules.index(each.rule), each.run))
    gone = [run for run in history.runs() if run not in found and only in (None, run)]
    return Report(findings, more, checked, gone)


def _newest(log: Log, found: dict[str, Log]) -> bool:
    """Whether it is the run of its name, whose the topics of that name are."""
    same = [each for each in found.values() if each.spec["run"] == log.spec["run"]]
    newest = max(same, key=lambda each: (each.standing, each.run_id))
    return log is newest and log.state != "deleted"


def _of_run(run: Run, topics: Topics, bounds: Bounds, newest: bool) -> Iterator[Finding]:
    for rule, place, expected, is_now in run.log.wrong:
        yield run.finding(rule, place, expected, is_now)
    yield from granted(run)
    yield from order(run)
    yield from version(run)
    yield from mixture(run)
    yield from digest(run)
    yield from sealed(run)
    yield from command(run, bounds.clocks)
    yield from flow(run, bounds.flow)
    if newest:
        yield from heard(run, topics)
        yield from read(run, topics)
        there = partitions(run, topics)
        yield from emitted(run, there)
        yield from kept(run, there)


def _gather(found: Iterator[Finding], findings: list[Finding], more: dict[str, int]) -> None:
    counted: dict[str, int] = {}
    for finding in found:
        key = f"{finding.rule}: {finding.run}"
        counted[key] = counted.get(key, 0) + 1
        if counted[key] <= MOST:
            findings.append(finding)
        else:
            more[key] = more.get(key, 0) + 1
