"""What the control log says about one run, read on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sluice import wire
from sluice.access import LogRecord
from sluice.errors import KafkaUnreachable
from sluice.mixture import Mixture, MixtureLedger
from sluice.runs import LoggedRun, RunInfo

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
        self._mixtures = MixtureLedger(self._info, last_batch)
        self.run = LoggedRun(self._info.run_id, self._mixtures.grant)

    def refresh(self) -> None:
        """Brings the run up to date."""
        if self._log is None:
            self._log = self._open_log()
        self._log.catch_up(_TIMEOUT, self._take)

    def _take(self, record: LogRecord) -> None:
        entry = wire.decode_as("ControlRecord", record.value)
        self.run.apply(record.partition, record.offset, entry)

    def mixture(self, batch: int, blocks: NDArray[np.float64]) -> Mixture | None:
        """The mixture of a batch, at or after the one asked for last; None if it is unreadable.

        ``blocks`` [domains] are those that each domain has, NaN for what is not known.
        """
        found = self._mixtures.at(batch, blocks)
        if found is None:
            try:
                self.refresh()
            except KafkaUnreachable:
                return None
            found = self._mixtures.at(batch, blocks)
        return found

    def close(self) -> None:
        """Gives the connection back."""
        if self._log is not None:
            self._log.close()
            self._log = None
