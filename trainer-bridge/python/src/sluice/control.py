"""What the control log says about one run, read on demand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from sluice import wire
from sluice.access import LogRecord
from sluice.course import Course
from sluice.errors import KafkaUnreachable
from sluice.logged import LoggedRun
from sluice.mixture import Mixture, MixtureLedger
from sluice.runs import RunInfo
from sluice.supply import Supply
from sluice.wire import Record

_TIMEOUT = 10.0


class Log(Protocol):
    """A topic that is read from its beginning."""

    def catch_up(self, timeout: float, sink: Callable[[LogRecord], None]) -> None:
        """Passes on what was not passed on yet."""

    def close(self) -> None:
        """Gives the connection back."""


class ControlLog:
    """The fold of one run's control records: how far it has come, and its mixtures."""

    def __init__(self, info: RunInfo, open_log: Callable[[], Log]) -> None:
        self._info = info
        self._open_log = open_log
        self._log: Log | None = None
        self.start_over(0)

    def start_over(self, last_batch: int) -> None:
        """Forgets everything; mixtures will be asked for batches after this one."""
        self.close()
        self._granted: list[tuple[int, Record]] = []
        self._mixtures = MixtureLedger(self._info, last_batch)
        self.run = LoggedRun(self._info.run_id, lambda *grant: self._granted.append(grant))

    def refresh(self) -> None:
        """Brings the run up to date."""
        if self._log is None:
            self._log = self._open_log()
        self._log.catch_up(_TIMEOUT, self._take)
        # Only now is it known which of these batches a later rewind took back.
        self._mixtures.extend(self._granted, self.course)
        self._granted.clear()

    def _take(self, record: LogRecord) -> None:
        entry = wire.decode_as("ControlRecord", record.value)
        self.run.apply(record.partition, record.offset, entry)

    @property
    def course(self) -> Course:
        """Where the run's batches lie, as far as the log has been read."""
        return self.run.course or Course.of(self._info)

    def mixture(self, batch: int, supply: Supply) -> Mixture | None:
        """The mixture of a batch, at or after the one asked for last; None if it is unreadable."""
        found = self._mixtures.at(batch)
        if found is None:
            try:
                self.refresh()
            except KafkaUnreachable:
                return None
            found = self._mixtures.at(batch)
        if found is None:
            return None
        blocks = supply.blocks(self.course.run_at(batch).domains)
        return replace(found, epochs=found.sequences / blocks)

    def close(self) -> None:
        """Gives the connection back."""
        if self._log is not None:
            self._log.close()
            self._log = None
