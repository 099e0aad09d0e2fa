"""What a run's control log says, read on demand."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np

from sluice.errors import KafkaUnreachable
from sluice.kafka.access import LogRecord
from sluice.run.entry import Entry, read_entry
from sluice.run.fold import RunLogFold
from sluice.run.info import RunInfo
from sluice.run.log import LogGone
from sluice.run.mixture import Granted, Mixture, MixtureLedger
from sluice.run.run_timeline import RunTimeline
from sluice.run.snapshots import Beginning
from sluice.run.supply import Supply

_PATIENCE = 10.0
_QUIET = 16  # times that the log had nothing new, before its last entry is looked at again


class Log(Protocol):
    """A topic that is read from its beginning."""

    def catch_up(self, patience: float, sink: Callable[[LogRecord], None]) -> object:
        """Passes on what was not passed on yet; fails when nothing comes for so many seconds."""

    def close(self) -> None:
        """Gives the connection back."""


class FollowedLog(Log, Protocol):
    """The log of one run, which may be read from a snapshot on."""

    def begin(self, patience: float, batch: int | None) -> Beginning | None:
        """Goes to the newest snapshot, or to the newest that is not after a batch; to the start if
        there is none."""

    def digest_at(self, offset: int, patience: float) -> int | None:
        """What the record at an offset is by content; None if there is none. Goes on after it."""

    def wait(self, seconds: float, sink: Callable[[LogRecord], None]) -> None:
        """Passes on what comes, once something does, at the latest after this time."""


class Follower(Protocol):
    """Somebody who is told all that applies."""

    def begin(self, snapshot: Entry) -> None:
        """Takes a LogSnapshot for all that is before it, whatever was taken so far."""

    def apply(self, entry: Entry) -> None:
        """Takes the next entry; the first of a run, once more, when its log is read again."""


class Nobody:
    """Who is told, and asked nothing."""

    def begin(self, snapshot: Entry) -> None:
        """Takes it."""

    def apply(self, entry: Entry) -> None:
        """Takes it."""


class ControlLog:
    """The fold of one run's control records: how far it has come, and its mixtures.

    A log with snapshots is read from the newest one, or, once mixtures are asked for, from the
    newest before their batches. Grants that were read wait for the end of the log, so all of them
    are in memory at once, with four bytes for each batch and domain.
    """

    def __init__(
        self,
        info: RunInfo,
        open_log: Callable[[], FollowedLog],
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._info = info
        self._pause = pause
        self._open_log = open_log
        self._log: FollowedLog | None = None
        self._came = False
        self._quiet = 0
        self._open_follower: Callable[[int], Follower] = lambda first: Nobody()
        self._forget(None)

    def follow(self, follower: Callable[[int], Follower]) -> None:
        """Begins anew, and tells all that applies to a follower, who is asked for each time that
        this begins anew, with the first batch that counts."""
        self._open_follower = follower
        self.start_over(None)

    def start_over(self, last_batch: int | None) -> None:
        """Forgets everything; batches after this one will be asked for, or, with None, none."""
        self.close()
        self._forget(last_batch)

    def _forget(self, last_batch: int | None) -> None:
        self._last_batch = last_batch
        self._begin_at = last_batch
        self._begun: Beginning | None = None
        self._granted: list[Granted] = []
        self._mixtures = MixtureLedger(self._info, last_batch or 0)
        self._follower = self._open_follower(sys.maxsize if last_batch is None else last_batch + 1)
        self.fold = RunLogFold(self._info.run_id, self._applied)

    def refresh(self) -> None:
        """Brings the run up to date. A run whose own log is gone is deleted."""
        if self._log is None:
            self._log = self._open_log()
        try:
            self._catch_up(self._log)
        except LogGone:
            self.fold.log_is_gone()
        self._count()

    def wait(self, seconds: float) -> None:
        """Takes what comes, once something does, at the latest after this time."""
        if self._log is None or self.fold.timeline is None:
            self._pause(seconds)
            self.refresh()
            return
        self.fold.go_on()
        self._log.wait(seconds, self._take)
        if self.fold.doubted or self._stands_to() is not None:
            self.refresh()
        else:
            self._count()

    def _count(self) -> None:
        # Only now is it known which of these batches a later rewind took back.
        self._mixtures.extend(self._granted, self.timeline)
        self._granted.clear()
        if self.fold.timeline is None:
            self.close()  # not this run's log: it is looked for again

    def _catch_up(self, log: FollowedLog) -> None:
        if self.fold.timeline is None:
            self._begun = log.begin(_PATIENCE, self._begin_at)
            if self._begun is not None:
                self.fold.begin(self._begun)
                self._follower.begin(self._begun.entry)
                self._mixtures.begin(self._begun.entry.body["snapshot"])
        else:
            self.fold.go_on()
        self._came = False
        log.catch_up(_PATIENCE, self._take)
        self._quiet = 0 if self._came else self._quiet + 1
        if self.fold.doubted or self._quiet >= _QUIET:
            self._confirm(log)
        stands = self._stands_to()
        if stands is not None:
            # What it counts was taken back after it: one is needed from before the rewind.
            self._forget(self._last_batch)
            self._begin_at = stands
            self._catch_up(log)

    def _confirm(self, log: FollowedLog) -> None:
        """Looks whether the run's current entry is still there, and goes on after it."""
        self._quiet = 0
        at = self.fold.position
        if at.digest is not None:
            self.fold.confirm(log.digest_at(at.offset, _PATIENCE))
            log.catch_up(_PATIENCE, self._take)

    def _stands_to(self) -> int | None:
        """Last batch that stands of those that mixtures are counted from, if not all do."""
        begun, known = self._begun, self.fold.timeline
        if begun is None or known is None or self._last_batch is None:
            return None
        end = known.timelines.end(begun.entry.timeline)
        return end if end < begun.batch else None

    def _take(self, record: LogRecord) -> None:
        self._came = True
        entry = read_entry(record)
        if entry is not None:
            self.fold.apply(entry)

    def _applied(self, entry: Entry) -> None:
        self._follower.apply(entry)
        if entry.kind == "MixtureGrant":
            self._granted.append(Granted.of(entry.timeline, entry.body))

    @property
    def timeline(self) -> RunTimeline:
        """Where the run's batches lie, as far as the log has been read."""
        return self.fold.timeline or RunTimeline.of(self._info)

    def mixture(self, batch: int, supply: Supply) -> Mixture | None:
        """The mixture of a batch, at or after the one asked for last; None if it is unreadable."""
        if self._mixtures.begins_after(batch):
            self.start_over(batch - 1)
        found = self._mixtures.at(batch)
        if found is None:
            try:
                self.refresh()
            except KafkaUnreachable:
                return None
            found = self._mixtures.at(batch)
        if found is None:
            return None
        blocks = supply.blocks(self.timeline.run_at(batch).domains)
        passes = found.sequences / np.maximum(blocks, 1)  # of nothing, none
        return replace(found, epochs=passes)

    def close(self) -> None:
        """Gives the connection back."""
        if self._log is not None:
            self._log.close()
            self._log = None
