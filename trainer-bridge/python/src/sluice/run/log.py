"""The control log of one run, wherever it is."""

from __future__ import annotations

from collections.abc import Callable

from sluice.errors import KafkaUnreachable, SluiceError
from sluice.kafka.access import KafkaAccess, LogRecord
from sluice.kafka.log import LogReader
from sluice.run.entry import digest_of
from sluice.run.snapshots import Beginning, Snapshots


class LogGone(SluiceError):
    """A run's own control log was deleted, and with it the run."""


class RunLog:
    """The run's own log, or, if it has none, the one that all runs shared before."""

    def __init__(
        self,
        access: KafkaAccess,
        run_id: str,
        open_log: Callable[[KafkaAccess, str], LogReader] = LogReader,
    ) -> None:
        self._access = access
        self._run_id = run_id
        self._shared = access.topics.control
        self._own = access.topics.control_of(run_id)
        self._open_log = open_log
        self._topic = ""
        self._reader: LogReader | None = None

    def begin(self, patience: float, batch: int | None) -> Beginning | None:
        """Goes to the newest snapshot in the run's own log, or to the newest that is not after a
        batch; to the log's start, and None, if there is none."""
        reader = self._reader = self._reader or self._open(patience)
        if self._topic == self._shared or not reader.exists(patience):
            return None
        found = Snapshots(reader, self._run_id, patience).beginning(batch)
        reader.begin_at(reader.span(patience)[0] if found is None else found.entry.offset + 1)
        return found

    def digest_at(self, offset: int, patience: float) -> int | None:
        """What the record at an offset of the run's own log is by content; None if there is none.
        Goes on after it."""
        reader = self._reader = self._reader or self._open(patience)
        end = reader.span(patience)[1]
        found = [] if end <= offset else reader.stretch(offset, offset + 1, patience)
        reader.begin_at(min(offset + 1, end))
        return next((digest_of(each.value) for each in found if each.offset == offset), None)

    def catch_up(self, patience: float, sink: Callable[[LogRecord], None]) -> None:
        """Passes on what was not passed on yet."""
        reader = self._reader = self._reader or self._open(patience)
        try:
            if reader.catch_up(patience, sink):
                return
        except KafkaUnreachable:
            if self._topic == self._shared or not reader.is_gone(patience):
                raise
        if self._topic == self._own and reader.is_gone(patience):
            raise LogGone(f"{self._own} is gone")

    def wait(self, seconds: float, sink: Callable[[LogRecord], None]) -> None:
        """Passes on what comes, once something does, at the latest after this time."""
        reader = self._reader = self._reader or self._open(seconds)
        reader.wait(seconds, sink)

    def _open(self, patience: float) -> LogReader:
        if not self._topic:
            own = self._open_log(self._access, self._own)
            if own.exists(patience):
                self._topic = self._own
                return own
            own.close()
            self._topic = self._shared
        return self._open_log(self._access, self._topic)

    def close(self) -> None:
        """Gives the connection back; the next call begins anew.

        That the run has a log of its own is remembered: without it, it is deleted.
        """
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        if self._topic == self._shared:
            self._topic = ""
