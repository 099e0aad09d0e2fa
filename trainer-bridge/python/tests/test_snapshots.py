"""A log that is read from a snapshot on says what all of it says."""

from __future__ import annotations

import random
from typing import Any

import pytest

from records import entry, grant, revised, snapshot, started
from sluice import wire
from sluice.run.control import ControlLog
from sluice.run.info import RunInfo
from sluice.run.snapshots import Beginning
from sluice.run.supply import Supply
from sluice.wire import chain
from writers import MemoryLog, run_info

RUN = run_info(1, [8])
OTHER = RunInfo("r-1", RUN.spec | {"seed": 77})


class Whole(MemoryLog):
    """The same log for a reader that knows no snapshots."""

    def begin(self, patience: float, batch: int | None) -> Beginning | None:
        return None


class Writer:
    """Writes the log of a run as a controller does, with what it read back."""

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)
        self.records: list[dict[str, Any]] = [started(RUN, 2)]
        self.offset = self.serial = self.timeline = 0
        self.version = 1
        self.state, self.why = "running", ""
        self.counts: list[list[int]] = []
        self.openings = [{"timeline": 0, "after": 0, "firstSequence": 0}]
        self.governing = [{"serial": 0, "offset": 0, "after": 0, "firstSequence": 0}]
        self.spec = RUN.spec
        self.earlier: list[dict[str, int]] = []

    @property
    def granted(self) -> int:
        return len(self.counts)

    def accept(self, record: dict[str, Any]) -> None:
        self.offset = len(self.records)
        self.serial += 1
        self.records.append(record | {"timeline": self.timeline})

    def ignored(self, record: dict[str, Any]) -> None:
        self.records.append(record)

    def grant(self, batches: int | None = None) -> None:
        size = batches or self.random.randint(1, 3)
        rows = [[a, 8 - a, 0] for a in self.random.choices(range(9), k=size)]
        after = self.granted
        self.counts += rows
        self.version += self.random.randrange(2)
        self.accept(
            grant(
                self.serial + 1,
                self.offset,
                after,
                self.granted,
                counts=rows,
                version=self.version,
            )
        )

    def revise(self, batch: int) -> None:
        if batch < self.granted:
            self.timeline += 1
            self.openings.append(
                {"timeline": self.timeline, "after": batch, "firstSequence": 8 * batch}
            )
            self.earlier = [one for one in self.earlier if one["batch"] <= batch]
        del self.counts[batch:]
        self.version += 1
        self.spec = OTHER.spec | {"seed": self.random.randrange(1000)}
        state = snapshot(batch, 8 * batch, self.version, self.ordinals())
        self.accept(
            revised(self.serial + 1, self.offset, self.timeline, RunInfo("r-1", self.spec), state)
        )
        self.governing = [one for one in self.governing if one["after"] < batch] + [
            {
                "serial": self.serial,
                "offset": self.offset,
                "after": batch,
                "firstSequence": 8 * batch,
            }
        ]

    def change(self, state: str) -> None:
        self.state, self.why = state, f"it is {state}"
        body = {"state": state, "commandId": ""}
        self.accept(entry(self.serial + 1, self.offset, "RunStateChanged", body, self.why))

    def ordinals(self) -> list[int]:
        return [sum(row[i] for row in self.counts) for i in range(3)]

    def snapshot_of_it(self) -> dict[str, Any]:
        base = wire.encode("ControlRecord", self.records[self.offset])
        state = snapshot(self.granted, 8 * self.granted, self.version, self.ordinals())
        body = {
            "digest": int.from_bytes(chain.fnv(base).to_bytes(8, "big"), "big", signed=True),
            "planVersion": 2,
            "streamTopicId": "",
            "spec": self.spec,
            "state": self.state,
            "why": self.why,
            "snapshot": state,
            "heardTo": 0,
            "rounds": 0,
            "openings": list(self.openings),
            "revisions": [],
            "governing": list(self.governing),
            "origin": None,
            "answered": [],
            "earlier": list(self.earlier),
        }
        record = entry(self.serial + 1, self.offset, "LogSnapshot", body)
        return record | {"timeline": self.timeline}

    def snap(self) -> None:
        self.accept(self.snapshot_of_it())
        self.earlier.append({"batch": self.granted, "serial": self.serial, "offset": self.offset})

    def step(self) -> None:
        """Any of what happens to a log."""
        kind = self.random.random()
        if kind < 0.75:
            self.grant()
        elif kind < 0.8:
            self.revise(self.random.randint(0, self.granted))
        elif kind < 0.85:
            self.change(self.random.choice(["paused", "running"]))
        elif kind < 0.9:
            self.ignored(self.random.choice(self.records))
        elif kind < 0.93:
            # Proposed by somebody who has not read the last entry.
            late = self.snapshot_of_it()
            self.grant()
            self.ignored(late)
        else:
            self.snap()
            if self.random.random() < 0.3:
                self.ignored(self.records[-1])


def followed(log: MemoryLog) -> ControlLog:
    control = ControlLog(RUN, lambda: log)
    control.refresh()
    return control


def told(control: ControlLog) -> Any:
    """All that a fold has but its mixtures."""
    fold = control.fold
    return (fold.position, fold.state, fold.why, fold.weights_version, fold.timeline)


def mixtures(control: ControlLog, after: int, granted: int) -> list[Any]:
    control.start_over(after)
    control.refresh()
    found = [control.mixture(batch, Supply(RUN)) for batch in range(after + 1, granted + 1)]
    return [one and (one.version, one.size, one.sequences.tolist()) for one in found]


@pytest.mark.parametrize("seed", range(150))
def test_says_the_same_as_a_reader_of_everything(seed: int) -> None:
    writer = Writer(seed)
    for _ in range(writer.random.randint(1, 120)):
        writer.step()
    log, whole = MemoryLog(writer.records), Whole(writer.records)
    control, reference = followed(log), followed(whole)
    assert told(control) == told(reference)
    for _ in range(4):
        after = writer.random.randint(0, writer.granted)
        assert mixtures(control, after, writer.granted) == mixtures(
            reference, after, writer.granted
        )
        assert told(control) == told(reference)
    writer.grant()
    control.refresh()
    assert control.fold.granted == writer.granted


def test_a_long_log_costs_what_is_after_its_newest_snapshot() -> None:
    writer = Writer()
    for number in range(1, 10_001):
        writer.grant()
        if number % 256 == 0:
            writer.snap()
    log = MemoryLog(writer.records)
    control = followed(log)
    assert control.fold.granted == writer.granted
    assert log.handed_out < 700
    log.handed_out = 0
    control.start_over(writer.granted - 5)
    control.refresh()
    assert control.mixture(writer.granted, Supply(RUN)) is not None
    assert log.handed_out < 1400


def test_the_mixture_of_a_batch_before_the_snapshot_is_read_from_before_it() -> None:
    writer = Writer()
    for _ in range(3):
        writer.grant()
    early = writer.granted
    writer.snap()
    control = followed(MemoryLog(writer.records))
    assert control.mixture(early, Supply(RUN)) is not None
    assert control.fold.granted == early


@pytest.mark.parametrize(
    "changed",
    [
        {"digest": 1},
        {"governing": []},
        {"governing": [{"serial": 0, "offset": 9, "after": 0, "firstSequence": 0}] * 2},
    ],
)
def test_a_snapshot_that_is_not_of_this_log_is_not_believed(changed: dict[str, Any]) -> None:
    writer = Writer()
    for _ in range(3):
        writer.grant()
    writer.snap()
    writer.records[-1]["body"][1].update(changed)
    control = followed(MemoryLog(writer.records))
    assert told(control) == told(followed(Whole(writer.records)))


def test_one_that_came_after_the_entry_that_took_its_place_is_not_believed() -> None:
    writer = Writer()
    for _ in range(3):
        writer.grant()
    late = writer.snapshot_of_it()
    writer.grant()
    writer.ignored(late)
    control = followed(MemoryLog(writer.records))
    assert control.fold.granted == writer.granted


def test_one_on_an_entry_that_the_log_lost_is_not_believed() -> None:
    writer = Writer()
    writer.grant(1)
    kept = len(writer.records)
    writer.grant(1)
    lost = writer.snapshot_of_it()
    del writer.records[kept:]
    again = Writer()
    again.records, again.offset, again.serial = writer.records, kept - 1, kept - 1
    again.version = again.records[-1]["body"][1]["weightsVersion"]
    again.counts = writer.counts[: again.records[-1]["body"][1]["to"]]
    again.grant(2)
    again.ignored(lost)
    control = followed(MemoryLog(again.records))
    assert lost["body"][1]["snapshot"]["batch"] != again.granted
    assert control.fold.granted == again.granted
    assert told(control) == told(followed(Whole(again.records)))
