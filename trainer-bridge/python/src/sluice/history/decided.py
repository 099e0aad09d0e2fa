"""What the control log decided of each batch."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sluice import wire
from sluice.run.entry import Entry, origin_of, record_of
from sluice.run.mixture import Granted

_LAST_MILLIS = 253_402_300_799_999  # of the year 9999; clocks say anything


def millis(said: int) -> int:
    """A time that somebody said, within what calendars have."""
    return min(max(said, 0), _LAST_MILLIS)


@dataclass(frozen=True, slots=True)
class Decision:
    """Batches that were granted at once, and the last round that was decided by then.

    ``kept`` is None where the grant came without a decision.
    """

    granted: Granted
    millis: int
    round: int
    kept: bool | None

    def counts(self, batch: int) -> NDArray[np.int32]:
        """Sequences of each domain in one of the batches."""
        found: NDArray[np.int32] = self.granted.counts[batch - self.granted.after - 1]
        return found


class Decided:
    """Follows a control log: the decisions of the batches from a first one on, and when how much
    was granted. Lets go of what :meth:`forget` is told of."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._round = 0
        self._closed = 0
        self._of: dict[int, list[Decision]] = {}
        self._times: list[int] = []
        self._heights: list[int] = []

    def begin(self, snapshot: Entry) -> None:
        """Takes a LogSnapshot for all that is before it."""
        self._stands(snapshot, snapshot.body["snapshot"], snapshot.body["spec"])

    def apply(self, entry: Entry) -> None:
        """Takes the next entry that applies."""
        if entry.kind == "RunStarted":
            origin = origin_of(entry.body)
            stands = origin["snapshot"] if origin else record_of(entry.body.get("snapshot"))
            self._stands(entry, stands or {"round": 0, "batch": 0}, entry.body["spec"])
        elif entry.kind == "RunRevised":
            self._stands(entry, entry.body["snapshot"], entry.body["spec"])
        elif entry.kind == "MixtureGrant":
            self._grant(entry)

    def _stands(self, entry: Entry, snapshot: wire.Record, spec: wire.Record) -> None:
        self._round = snapshot["round"]
        self._closed = self._round * spec["updateEvery"]
        self._reaches(entry, snapshot["batch"])

    def _reaches(self, entry: Entry, batch: int) -> None:
        at = millis(entry.record["timeMillis"])
        self._times.append(max(at, self._times[-1]) if self._times else at)
        self._heights.append(batch)

    def _grant(self, entry: Entry) -> None:
        decision, kept = record_of(entry.body["decision"]), None
        if decision is not None:
            self._round, kept = decision["round"], bool(decision["kept"])
            self._closed = decision["step"]
        granted = Granted.of(entry.timeline, entry.body)
        self._reaches(entry, granted.to)
        if granted.to >= self._first:
            at = millis(entry.record["timeMillis"])
            of = self._of.setdefault(entry.timeline, [])
            of.append(Decision(granted, at, self._round, kept))

    @property
    def closed(self) -> int:
        """The step of the last round that was decided."""
        return self._closed

    def of(self, timeline: int, batch: int) -> Decision | None:
        """The decision that a timeline's batch was granted by; None if it is not known."""
        of = self._of.get(timeline, [])
        at = bisect_left(of, batch, key=lambda one: one.granted.to)
        found = of[at] if at < len(of) else None
        return None if found is None or batch <= found.granted.after else found

    def granted_at(self, when: int) -> int:
        """The last batch that was granted at a time in milliseconds since 1970; 0 if none was."""
        at = bisect_right(self._times, when)
        return self._heights[at - 1] if at else 0

    def forget(self, timeline: int, batch: int) -> None:
        """Lets go of the decisions of a timeline's batches up to one, and of earlier timelines that
        it goes on from."""
        for old in [one for one in self._of if one <= timeline]:
            self._of[old] = [one for one in self._of[old] if one.granted.to > batch]
