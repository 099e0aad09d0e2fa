"""What a rank that waits says again: it may have been lost since."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from sluice import wire
from sluice.errors import RankTaken
from sluice.feedback.source import FeedbackSource
from sluice.run.info import RunInfo

_LOG = logging.getLogger("sluice")
_LOOK_SECONDS = 1.0
_FIRST_SECONDS = 30.0
_LONGEST_SECONDS = 600.0
_MOST_BYTES, _MOST_REPORTS = 32 << 20, 64  # the oldest go first


class Repetition:
    """When it is said again.

    That is after half a minute to a whole one, and then after twice as long each time, up to ten
    minutes to twenty. Each time is drawn, so that ranks which wait together do not speak together.
    """

    def __init__(self, clock: Callable[[], float], draw: Callable[[], float]) -> None:
        self._clock = clock
        self._draw = draw
        self.begin_anew()

    def begin_anew(self) -> None:
        """The rank has spoken by itself, or does not wait."""
        self._await(_FIRST_SECONDS)

    def _await(self, seconds: float) -> None:
        self._base = seconds
        self._due = self._clock() + seconds * (1 + self._draw())

    def is_due(self) -> bool:
        """Whether it is time, which it is once."""
        if self._clock() < self._due:
            return False
        self._await(min(2 * self._base, _LONGEST_SECONDS))
        return True


class OpenRounds:
    """How far a trainer may come before the round is closed that a step's reports are for.

    The first step under a policy is needed until the round after it, for the policy may start from
    there.
    """

    def __init__(self) -> None:
        self._policy: tuple[Any, ...] = ()
        self._first = self._newest = 0

    def open_to(self, run: RunInfo, step: int) -> int:
        """The last batch that may be granted while the round of a step is open."""
        every = run.spec["updateEvery"]
        policy = (run.spec["policy"], run.spec["policySettings"], every)
        if policy != self._policy or step < self._newest:
            self._policy = policy
            self._first = step
        self._newest = step
        return int(step + run.spec["lag"] + (every if step == self._first else 0))


class _Said(NamedTuple):
    timeline: int
    batch: int
    value: bytes
    open_to: int = 0


class Repeater:
    """Keeps what a rank said last, as far as its run may still wait for it.

    The job may never have heard it, for what comes early is kept only so far, and a broker may lose
    what it acknowledged with its power. What the job has heard, it passes over. Not thread-safe.
    """

    def __init__(
        self,
        source: FeedbackSource,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self._source = source
        self._clock = clock
        self._repetition = Repetition(clock, draw)
        self._reports: dict[tuple[int, str], _Said] = {}
        self._bytes = 0
        self._progress: _Said | None = None
        self._looks_at = clock()

    def progressed(self, record: wire.Record, value: bytes) -> None:
        """Keeps progress that is sent."""
        self._repetition.begin_anew()
        self._progress = _Said(record["timeline"], record["batch"], value)
        for key, said in list(self._reports.items()):
            if said.open_to < record["batch"]:
                self._forget(key)

    def reported(self, record: wire.Record, value: bytes, open_to: int) -> None:
        """Keeps a report that is sent; its round is closed before a batch beyond ``open_to``."""
        self._repetition.begin_anew()
        key = (record["step"], record["metric"])
        self._forget(key)
        self._reports[key] = _Said(record["timeline"], record["step"], value, open_to)
        self._bytes += len(value)
        while self._bytes > _MOST_BYTES or len(self._reports) > _MOST_REPORTS:
            self._forget(next(iter(self._reports)))

    def _forget(self, key: tuple[int, str]) -> None:
        old = self._reports.pop(key, None)
        self._bytes -= 0 if old is None else len(old.value)

    def due(self) -> list[bytes]:
        """What is to be said again now, in the order in which it was said."""
        if self._clock() < self._looks_at:
            return []
        self._looks_at = self._clock() + _LOOK_SECONDS
        if not self._source.waits:
            self._repetition.begin_anew()
            return []
        return self._again() if self._repetition.is_due() else []

    def _again(self) -> list[bytes]:
        try:
            self._source.require_held()
        except RankTaken:
            return []
        for key in [key for key, said in self._reports.items() if not self._stands(said)]:
            self._forget(key)
        progress = [self._exposing(self._progress)] if self._progress else []
        words = [*self._reports.values(), *progress]
        again = [said.value for said in words if self._stands(said)]
        _LOG.info("no batch comes: what was said last is said again, %d records", len(again))
        return again

    def _exposing(self, said: _Said) -> _Said:
        """Progress that is said again says what was waited until now."""
        exposed = self._source.exposed
        if exposed is None:
            return said
        _, record = wire.decode(said.value)
        value = wire.encode("TrainerProgress", record | {"exposed": exposed.record()})
        return said._replace(value=value)

    def _stands(self, said: _Said) -> bool:
        """Whether the timelines that are followed still have what it is about."""
        return self._source.timeline_of(said.batch) == said.timeline
