"""What the service answers, and whether it goes on."""

from __future__ import annotations

from collections.abc import Iterator

from checker.finding import Finding
from checker.log import Entry
from checker.run import Run

LIVE = ("running",)


def command(run: Run, clock_error: int) -> Iterator[Finding]:
    """A command acknowledged before a grant was proposed governs it: it is before it in the log."""
    for event in run.history.of("command", run.id):
        answer = next((e for e in run.log.entries if _answers(e, event["command"])), None)
        place = f"command {event['command']}, acknowledged at {event['at']}"
        if answer is None:
            yield run.finding("command", place, "an answer in the log", "there is none")
            continue
        for entry in run.log.entries:
            proposed_after = entry.at > event["at"] + clock_error
            if entry.kind == "MixtureGrant" and entry.offset < answer.offset and proposed_after:
                found = f"one at offset {entry.offset} was proposed at {entry.at}"
                expected = f"no grant before its answer at offset {answer.offset} is later"
                yield run.finding("command", place, expected, found)
                break


def _answers(entry: Entry, command: str) -> bool:
    """A start answers its run's ApplyRun, whatever that was called."""
    given = entry.body.get("commandId")
    return given == command or (command == "" and entry.kind == "RunStarted")


def flow(run: Run, bound: int) -> Iterator[Finding]:
    """Every run that goes on gives a new batch within the bound after the last fault."""
    history = run.history
    last = max((each["at"] for each in history.of("fault")), default=None)
    if last is None or not run.takes:
        return
    before = max((take["batch"] for take in run.takes if take["at"] <= last), default=0)
    later = [take["at"] for take in run.takes if take["at"] > last and take["batch"] > before]
    watched = min([history.end(), *(each["at"] for each in history.of("end", run.id))])
    late = later and min(later) > last + bound
    if late or (not later and watched > last + bound and run.log.state in LIVE):
        found = f"after {min(later) - last} ms" if later else "none came"
        place = f"after the last fault, at {last}"
        yield run.finding("flow", place, f"a new batch within {bound} ms", found)
