"""What a training loop stood still for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from records import grant, started
from sluice.stream.assembler import StreamAssembler
from sluice.stream.exposed import (
    BROKER,
    CAUSES,
    DECODE,
    EMISSION,
    GRANT,
    NETWORK,
    SUPPLY,
    ExposedTime,
    WaitMarks,
)
from sluice.stream.handed_out import HandedOut
from sluice.stream.step_info import StepInfo
from writers import MemorySource, TestingStream, reader_over

STREAM = TestingStream(4, [8, 8, 3])


def marks(*stretches: tuple[float, str]) -> WaitMarks:
    found = WaitMarks()
    for until, cause in stretches:
        found.add(until, cause)
    return found


def step(seconds: float, causes: dict[str, float]) -> StepInfo:
    return StepInfo(
        "r-1", 0, 1, 0, 8, 1, ("a",), 8, 1, 8, 0, wait_seconds=seconds, wait_causes=causes
    )


def test_only_what_the_loop_stood_still_for_is_exposed() -> None:
    read = marks((4.0, GRANT), (5.5, NETWORK), (7.0, DECODE))
    assert read.between(5.0, 6.0) == {NETWORK: 0.5, DECODE: 0.5}
    assert read.between(0.0, 8.0) == {GRANT: 4.0, NETWORK: 1.5, DECODE: 2.5}
    assert read.between(9.0, 9.0) == {}
    assert marks().between(1.0, 2.0) == {DECODE: 1.0}


def nothing() -> None:
    """A poll that finds nothing."""


class Cause:
    """A reader that is asked what the first batch waits for while it waits, in 0.1 s each."""

    def __init__(self, *control: dict[str, Any], awaited: bool = True) -> None:
        self.away = False
        self.source = MemorySource(4, limit=8)
        self.control = list(control)
        self.reader = reader_over(
            self.source, STREAM.run, self.control, away=lambda: self.away, status_interval=5.0
        )
        self.reader.awaited = awaited

    def waited(self, *steps: Callable[[], None]) -> dict[str, int]:
        """Does one of these before each poll; by cause, in tenths of a second."""
        to_come = list(steps)
        poll = self.source.poll

        def polled(timeout: float, assembler: StreamAssembler) -> None:
            to_come.pop(0)()
            poll(timeout, assembler)

        self.source.poll = polled  # type: ignore[method-assign]
        start = self.source.now
        assert self.reader.next(60).info.batch == 1
        assert not to_come
        found = self.reader.take_marks().between(start, self.source.now)
        return {cause: round(10 * seconds) for cause, seconds in found.items()}

    def write(self) -> None:
        self.source.write(STREAM.sequences[:8])


def test_a_batch_without_a_grant_waits_for_that() -> None:
    reader = Cause(started(STREAM.run))
    assert reader.waited(nothing, nothing, nothing, reader.write) == {GRANT: 3}


def test_one_that_is_granted_waits_for_the_service_to_write_it() -> None:
    reader = Cause(started(STREAM.run), grant(1, 0, 0, 3))
    assert reader.waited(nothing, nothing, reader.write) == {EMISSION: 2}


def test_what_is_not_answered_waits_for_the_broker() -> None:
    reader = Cause(started(STREAM.run), grant(1, 0, 0, 3))

    def away() -> None:
        reader.away = True

    def back() -> None:
        reader.away = False

    found = reader.waited(away, *[nothing] * 2, back, *[nothing] * 7, reader.write)
    assert set(found) == {EMISSION, BROKER}
    assert found[BROKER] >= 3


@pytest.mark.parametrize(
    ("awaited", "expected"), [(True, {GRANT: 1, EMISSION: 9}), (False, {GRANT: 10})]
)
def test_a_grant_is_soon_noticed_only_where_the_loop_stands_still(
    awaited: bool, expected: dict[str, int]
) -> None:
    reader = Cause(started(STREAM.run), awaited=awaited)

    def granted() -> None:
        reader.control.append(grant(1, 0, 0, 3))

    assert reader.waited(granted, *[nothing] * 9, reader.write) == expected


def test_what_the_broker_has_is_on_its_way() -> None:
    reader = Cause(started(STREAM.run), grant(1, 0, 0, 3))
    reader.write()
    assert reader.reader.cause == NETWORK


def test_a_step_lasts_from_one_to_the_next_and_the_first_is_the_start() -> None:
    times = iter([10.0, 12.0, 20.0, 21.0])
    out = HandedOut(lambda: next(times))
    first = step(900.0, {GRANT: 900.0})
    out.add(first)
    assert out.waiting(None, GRANT) == ExposedTime()
    out.add(step(0.5, {GRANT: 0.4, DECODE: 0.1}))
    exposed = out.waiting(None, GRANT)
    assert exposed.step_seconds == 2.0
    assert exposed.share() == 0.25
    assert exposed.share(GRANT) == 0.2
    out.forget()
    out.add(first)
    assert out.waiting(None, GRANT).step_seconds == 2.0
    out.add(step(0.25, {SUPPLY: 0.25}))
    assert out.metrics() | {"sluice/step_seconds_total": 3.0, "sluice/wait_share": 0.25} == (
        out.metrics()
    )
    assert out.metrics()["sluice/wait_share/supply"] == 0.25 / 3
    assert {key for key in out.metrics() if key.startswith("sluice/wait_share/")} == {
        f"sluice/wait_share/{cause}" for cause in CAUSES
    }


def test_a_wait_that_is_going_on_counts_once_there_was_a_step() -> None:
    times = iter([10.0, 20.0])
    out = HandedOut(lambda: next(times))
    assert out.waiting(3.0, SUPPLY) == ExposedTime()
    out.add(step(0.0, {}))
    until = out.waiting(12.0, SUPPLY)
    assert (until.step_seconds, until.waits[SUPPLY]) == (10.0, 8.0)
