"""Reads a run's control log and its feedback, and gives its rows."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from sluice.errors import KafkaRefused, KafkaUnreachable
from sluice.history.row import Mark, Row
from sluice.history.rows import RunRows
from sluice.kafka.access import KafkaAccess, LogRecord
from sluice.kafka.log import LogReader
from sluice.run.control import ControlLog
from sluice.run.info import RunInfo
from sluice.run.log import RunLog

_LOG = logging.getLogger("sluice")
_PATIENCE = 10.0
_LOOK_SECONDS = 0.5
_QUIET_SECONDS = 600.0
_AT_ONCE = 256  # records of feedback, after which rows are given, so that few are kept

Give = Callable[[Row], None]


class FeedbackLog(Protocol):
    """The topic of a run's feedback."""

    def catch_up(self, patience: float, sink: Callable[[LogRecord], None]) -> object:
        """Passes on what was not passed on yet."""

    def wait(self, seconds: float, sink: Callable[[LogRecord], None]) -> None:
        """Passes on what comes, once something does, at the latest after this time."""


class RunReading:
    """Gives the rows of a run, in order, each once."""

    def __init__(
        self,
        rows: RunRows,
        feedback: FeedbackLog,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rows = rows
        self._feedback = feedback
        self._clock = clock
        self._taken = 0
        self._away = False

    def catch_up(self, give: Give) -> None:
        """Gives the rows that are complete by what is there now.

        Raises :class:`~sluice.errors.KafkaUnreachable` where no broker answers.
        """
        self.rows.refresh()
        self._feedback.catch_up(_PATIENCE, self._sink(give))
        self._give(give)

    def give_granted(self, give: Give) -> None:
        """Gives the rows of the other batches that are granted, with what is known of them."""
        for row in self.rows.ready(granted=True):
            give(row)

    def follow(self, give: Give, looked: Callable[[], None] = lambda: None) -> None:
        """Gives rows as they are completed until the run is over: it failed or was deleted, or has
        ended and all of its rows were given. Of a run that has ended the last reports are waited
        for until nothing was said for ten minutes. A broker that goes away meanwhile is waited for.
        ``looked`` is called after each look at what is new."""
        quiet, before = self._clock(), self._heard
        while not self.rows.is_over:
            self._look(give)
            looked()
            now, heard = self._clock(), self._heard
            if heard != before or self._away:
                quiet, before = now, heard
            elif self.rows.is_complete and now - quiet > _QUIET_SECONDS:
                return

    @property
    def _heard(self) -> tuple[int, int, str]:
        return self._taken, self.rows.granted, self.rows.state

    def _look(self, give: Give) -> None:
        try:
            self._feedback.wait(_LOOK_SECONDS, self._sink(give))
            self.catch_up(give)
            self._away = False
        except KafkaRefused:
            raise
        except KafkaUnreachable as error:
            if not self._away:
                _LOG.warning("nothing is heard of run %s: %s", self.rows.run.run_id, error)
            self._away = True

    def _sink(self, give: Give) -> Callable[[LogRecord], None]:
        def take(record: LogRecord) -> None:
            self.rows.take(record)
            self._taken += 1
            if self._taken % _AT_ONCE == 0:
                self._give(give)

        return take

    def _give(self, give: Give) -> None:
        for row in self.rows.ready():
            give(row)


@contextmanager
def opened(access: KafkaAccess, run: RunInfo, after: Mark | None = None) -> Iterator[RunReading]:
    """The reading of a run that Kafka has, after the row of a mark."""
    control = ControlLog(run, lambda: RunLog(access, run.run_id))
    feedback = LogReader(access, access.topics.feedback(run.name))
    try:
        yield RunReading(RunRows(run, control, after), feedback)
    finally:
        feedback.close()
        control.close()
