"""Every acknowledged report is in its round, or was refused: sections 19 and 21."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from checker.finding import Finding
from checker.history import acknowledged, perishable
from checker.log import Entry
from checker.reports import Step, stands
from checker.run import Run
from checker.topics import Topics
from checker.wire import of

NAME = ("rank", "timeline", "step", "metric", "attempt")


class Feedback:
    """What a run's partition of reports holds, each judged in its order."""

    def __init__(self, run: Run, topics: Topics) -> None:
        self.steps: dict[tuple[int, int], Step] = {}
        self.readings: dict[tuple[Any, ...], str] = {}
        self.perishable = perishable(run.history, run.id)
        self.topic = f"feedback.{run.name}"
        self.whole = self.topic in topics.names() and topics.start(self.topic, 0) == 0
        every = run.log.spec["updateEvery"]
        for message in topics.read(self.topic) if self.whole else ():
            report = of("TrainerFeedback", message.value)
            if report is None or report["runId"] != run.id or message.key != run.id.encode():
                continue
            name = tuple(report[key] for key in NAME)
            reading = "refused"
            if stands(report, every):
                place = (report["timeline"], report["step"])
                reading = self.steps.setdefault(place, Step()).take(report)
            self.readings.setdefault(name, reading)

    def won(self, timeline: int, step: int) -> dict[str, str]:
        found = self.steps.get((timeline, step))
        return found.won if found else {}


def heard(run: Run, topics: Topics) -> Iterator[Finding]:
    """Reports are in the log of feedback, and each round is of the attempts that won there."""
    feedback = Feedback(run, topics)
    if not feedback.whole:
        return
    for report in acknowledged(run.history, run.id):
        name = tuple(report[key] for key in NAME)
        if name not in feedback.readings and name not in feedback.perishable:
            place = ", ".join(f"{key} {report[key]}" for key in NAME)
            yield run.finding("heard", place, f"it is in {feedback.topic}", "it is not")
    last: int | None = None
    spec: dict[str, Any] = {}
    for entry in run.log.entries:
        spec = entry.body.get("spec", spec)
        if entry.kind in ("RunStarted", "RunRevised"):
            last = None
        decision = entry.body["decision"] if entry.kind == "MixtureGrant" else None
        if decision is None:
            continue
        found = decision[1]
        if last is not None and found["round"] != last + 1:
            place = f"entry at offset {entry.offset}"
            yield run.finding("heard", place, f"round {last + 1}", f"round {found['round']}")
        last = found["round"]
        if not found["kept"]:
            yield from _decided(run, feedback, spec, entry, found)


def _decided(
    run: Run, feedback: Feedback, spec: dict[str, Any], entry: Entry, decision: dict[str, Any]
) -> Iterator[Finding]:
    step, every = decision["step"], spec["updateEvery"]
    timelines = run.timelines_as_of(entry.timeline)
    won = feedback.won(timelines.owner(step) if step else 0, step)
    named = set(decision["attempt"].split(","))
    allowed = set(won.values())
    before = step - every
    if before >= 0:  # a policy may start from the step before its first round
        allowed |= set(feedback.won(timelines.owner(before) if before else 0, before).values())
    metrics = spec["metrics"][1] if isinstance(spec["metrics"], tuple) else spec["metrics"]
    needed = [m["name"] for m in metrics or () if m["every"] and step % m["every"] == 0]
    lacking = [metric for metric in needed if won.get(metric) not in named]
    lost = {name[NAME.index("attempt")] for name in feedback.perishable}
    if (named - allowed or lacking) and not named & lost:
        place = f"entry at offset {entry.offset}, round {decision['round']}, step {step}"
        expected = f"the attempts that won: {won}"
        yield run.finding("heard", place, expected, sorted(named))
