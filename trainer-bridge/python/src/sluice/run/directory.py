"""Finding runs by name in the control log."""

from __future__ import annotations

import time
from contextlib import closing

from sluice.errors import UnknownRun
from sluice.kafka.access import KafkaAccess, LogRecord
from sluice.kafka.log import LogReader
from sluice.run.entry import Entry, read_entry
from sluice.run.info import RunInfo
from sluice.run.position import LogPosition

_POLL_SECONDS = 0.1
_READ_SECONDS = 10.0  # reading what is there may take longer than the caller waits for what is not


class RunDirectory:
    """Every run that the control log has started; only the first start of a run id counts."""

    def __init__(self) -> None:
        self._started: dict[str, RunInfo] = {}

    def take(self, record: LogRecord) -> None:
        """Takes a record of the control log, in order."""
        entry = read_entry(record)
        if entry is not None:
            self.apply(entry)

    def apply(self, entry: Entry) -> None:
        """Takes an entry of the control log, in order."""
        before = LogPosition(entry.record["runId"])
        if before.starts(entry) and before.run_id not in self._started:
            self._started[before.run_id] = RunInfo(before.run_id, entry.body["spec"])

    def latest(self, name: str) -> RunInfo | None:
        """The run started last under a name."""
        return next((run for run in reversed(self.runs) if run.name == name), None)

    @property
    def runs(self) -> list[RunInfo]:
        """All runs, in the order of the log."""
        return list(self._started.values())


def find_run(access: KafkaAccess, name: str, timeout: float = 30.0) -> RunInfo:
    """The run that was started last under this name; waits for it to be started."""
    deadline = time.monotonic() + timeout
    directory = RunDirectory()
    with closing(LogReader(access, access.topics.control)) as control:
        while True:
            control.catch_up(max(timeout, _READ_SECONDS), directory.take)
            found = directory.latest(name)
            if found is not None:
                return found
            if time.monotonic() >= deadline:
                raise UnknownRun(name, (run.name for run in directory.runs), timeout)
            time.sleep(_POLL_SECONDS)


def list_runs(access: KafkaAccess, timeout: float = 30.0) -> list[RunInfo]:
    """Every run that was ever started, in the order of the log."""
    directory = RunDirectory()
    with closing(LogReader(access, access.topics.control)) as control:
        control.catch_up(max(timeout, _READ_SECONDS), directory.take)
    return directory.runs
