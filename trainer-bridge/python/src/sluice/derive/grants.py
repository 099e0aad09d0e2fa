"""The batches of a run that are granted and not behind what is asked for."""

from __future__ import annotations

from collections import deque
from itertools import takewhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sluice.derive.cursor import Cursor, Turn
from sluice.derive.shuffle import Ints
from sluice.errors import StreamCorrupt
from sluice.run.entry import Entry
from sluice.run.mixture import Granted

_MOST_SEQUENCES = 1 << 20


class Span(NamedTuple):
    """Neighbouring batches after a state: their ``counts`` [batches, domains], and the versions
    [batches] of their weights."""

    counts: NDArray[np.int32]
    versions: NDArray[np.int64]


class GrantedBatches:
    """Those batches, and the state before the first of them.

    ``needed`` is the first batch that will be asked for. What cannot be fails with batch and
    numbers.
    """

    def __init__(self, needed: int) -> None:
        self._needed = needed
        self._asked = 0
        self._cursor: Cursor | None = None
        self._steps: deque[Turn | Granted] = deque()
        self._timeline = 0
        self._next_index = 0
        self._version = 0
        self.last = 0

    def begin(self, first: Turn) -> None:
        """Forgets everything, and goes on from there."""
        self._steps.clear()
        self._cursor = Cursor.at(first)
        self._go_on_after(first)

    def _go_on_after(self, turn: Turn) -> None:
        self._timeline, self.last = turn.timeline, turn.batch
        self._next_index, self._version = turn.first_index, turn.version

    @property
    def cursor(self) -> Cursor:
        """The state before the batch that was gone to."""
        if self._cursor is None:
            raise StreamCorrupt("the log of the run has not been begun")
        return self._cursor

    def add(self, entry: Entry) -> None:
        """Takes a MixtureGrant."""
        granted, first = Granted.of(entry.timeline, entry.body), entry.body["firstSequence"]
        after, version = granted.after, granted.version
        if after != self.last or first != self._next_index or version < self._version:
            raise StreamCorrupt(
                f"batch {after + 1} of weights version {version} is granted from sequence {first} "
                f"on: expected batch {self.last + 1} of at least version {self._version} from "
                f"sequence {self._next_index} on"
            )
        sizes = granted.counts.sum(axis=1)
        strange = np.flatnonzero((sizes < 1) | (sizes > _MOST_SEQUENCES))
        if strange.size:
            raise StreamCorrupt(
                f"sequences of batch {after + 1 + strange[0]} must be in [1, {_MOST_SEQUENCES}]: "
                f"{sizes[strange[0]]}"
            )
        self._steps.append(granted)
        self.last, self._version = granted.to, version
        self._next_index += int(sizes.sum())
        self._pass()

    def turn(self, turn: Turn) -> None:
        """Takes a revision, or a snapshot of the log."""
        if turn.timeline != self._timeline:
            self._leave(turn.batch)
        elif turn.batch != self.last:
            raise StreamCorrupt(
                f"batch {turn.batch} is revised, the last granted one is {self.last}"
            )
        if self.cursor.batch > turn.batch:
            self._cursor = Cursor.at(turn)
        else:
            self._steps.append(turn)
        self._go_on_after(turn)
        self._pass()

    def _leave(self, last: int) -> None:
        """Drops what was granted beyond a batch, after which a timeline is opened."""
        steps, self._steps = self._steps, deque()
        for step in steps:
            if isinstance(step, Granted):
                step.leave(last)
                if len(step.counts):
                    self._steps.append(step)
            elif step.batch <= last:
                self._steps.append(step)
        if self._asked > last:
            self._needed = min(self._needed, last + 1)

    def _pass(self) -> None:
        """Goes past what nobody asks for any more."""
        at = self.cursor
        while self._steps:
            step = self._steps[0]
            if isinstance(step, Turn):
                at = at.taking(step)
            else:
                passed = step.counts[: max(self._needed - 1 - at.batch, 0)]
                at = at.passing(at.shares(passed))
                step.counts = step.counts[len(passed) :]
                if len(step.counts):
                    break
            self._steps.popleft()
        self._cursor = at

    def is_past(self, batch: int) -> bool:
        """Whether a batch is before the first of these, granted or not."""
        return self._cursor is not None and batch <= self._cursor.batch

    def has(self, batch: int) -> bool:
        """Whether a batch is one of these."""
        return self._cursor is not None and self._cursor.batch < batch <= self.last

    def go_to(self, batch: int) -> None:
        """Goes to one of these batches; those before it are dropped."""
        self._needed = self._asked = batch
        self._pass()

    def span(self, most: int) -> Span:
        """The batches that follow on each other from the one that was gone to, as long as all of
        them have at most so many sequences, but one at least."""
        granted = list(takewhile(lambda step: isinstance(step, Granted), self._steps))
        counts: list[NDArray[np.int32]] = []
        versions: list[Ints] = []
        total = 0
        for step in granted:
            assert isinstance(step, Granted)
            ends = total + step.counts.sum(axis=1).cumsum()
            fit = max(int((ends <= most).sum()), 0 if counts else 1)
            counts.append(step.counts[:fit])
            versions.append(np.full(fit, step.version, dtype=np.int64))
            total = int(ends[-1])
            if fit < len(step.counts):
                break
        return Span(np.concatenate(counts), np.concatenate(versions))
