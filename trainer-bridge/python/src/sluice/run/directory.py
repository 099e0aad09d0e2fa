"""Finding runs by name in the control logs."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from typing import Any

from sluice.errors import UnknownRun
from sluice.kafka.access import KafkaAccess, LogRecord
from sluice.kafka.heads import TopicHeads
from sluice.kafka.log import LogReader
from sluice.run.control import Log
from sluice.run.entry import Entry, read_entry
from sluice.run.info import RunInfo
from sluice.run.own_logs import OwnLogs
from sluice.run.position import LogPosition

_POLL_SECONDS = 0.25
_PATIENCE = 10.0  # reading what is there may take longer than the caller waits for what is not


class SharedLog:
    """The runs of the control log that all shared before each had its own.

    Only the first start of a run id counts. ``elsewhere`` are ids of runs whose log is another.
    """

    def __init__(self) -> None:
        self._started: dict[str, RunInfo] = {}

    def take(self, record: LogRecord) -> None:
        """Takes a record of the log, in order."""
        entry = read_entry(record)
        if entry is not None:
            self.apply(entry)

    def apply(self, entry: Entry) -> None:
        """Takes an entry of the log, in order."""
        before = LogPosition(entry.record["runId"])
        if before.starts(entry) and before.run_id not in self._started:
            self._started[before.run_id] = RunInfo(before.run_id, entry.body["spec"])

    def latest(self, name: str, elsewhere: Collection[str] = ()) -> RunInfo | None:
        """The run started last under a name."""
        return next((run for run in reversed(self.runs(elsewhere)) if run.name == name), None)

    def runs(self, elsewhere: Collection[str] = ()) -> list[RunInfo]:
        """All runs, in the order of the log."""
        return [run for run in self._started.values() if run.run_id not in elsewhere]


class RunDirectory:
    """All runs: those that have a log of their own, and those of the log that all shared before.

    Finding one by name costs the first record of each own log that has the name, and all of the
    shared log only if there is none.
    """

    def __init__(self, own: OwnLogs, open_shared: Callable[[], Log], patience: float) -> None:
        self._own = own
        self._open_shared = open_shared
        self._patience = patience
        self._log: Log | None = None
        self._shared = SharedLog()

    @staticmethod
    def of(access: KafkaAccess, timeout: float) -> RunDirectory:
        """A directory of the logs that Kafka has."""
        patience = max(timeout, _PATIENCE)
        own = OwnLogs(TopicHeads(access), access.topics, patience)
        return RunDirectory(own, lambda: LogReader(access, access.topics.control), patience)

    def latest(self, name: str) -> RunInfo | None:
        """The run started last under a name."""
        elsewhere = self._own.run_ids()
        started = self._own.started(OwnLogs.named(name, elsewhere))
        return started[-1] if started else self._read_shared().latest(name, elsewhere)

    def runs(self) -> list[RunInfo]:
        """All runs: first those of the shared log, in its order, then the others as they started,
        oldest first."""
        elsewhere = self._own.run_ids()
        return [*self._read_shared().runs(elsewhere), *self._own.started(elsewhere)]

    def _read_shared(self) -> SharedLog:
        if self._log is None:
            self._log = self._open_shared()
        self._log.catch_up(self._patience, self._shared.take)
        return self._shared

    def close(self) -> None:
        """Gives the connections back."""
        self._own.close()
        if self._log is not None:
            self._log.close()


def find_run(
    run: str,
    bootstrap: str = "localhost:9092",
    prefix: str = "sluice.",
    *,
    timeout: float = 30.0,
    config: Mapping[str, Any] | None = None,
) -> RunInfo:
    """The run that was started last under this name; waits so many seconds for it to be started.

    Raises :class:`~sluice.errors.UnknownRun`, which names the runs that were.
    """
    return started_run(KafkaAccess(bootstrap, prefix, config or {}), run, timeout)


def list_runs(
    bootstrap: str = "localhost:9092",
    prefix: str = "sluice.",
    *,
    timeout: float = 30.0,
    config: Mapping[str, Any] | None = None,
) -> list[RunInfo]:
    """Every run that was started and not deleted since: first those of the log that all shared
    before each had its own, in its order, then the others, oldest first."""
    return started_runs(KafkaAccess(bootstrap, prefix, config or {}), timeout)


def started_run(access: KafkaAccess, name: str, timeout: float = 30.0) -> RunInfo:
    """What :func:`find_run` gives, of the logs that Kafka has."""
    deadline = time.monotonic() + timeout
    with closing(RunDirectory.of(access, timeout)) as directory:
        while True:
            found = directory.latest(name)
            if found is not None:
                return found
            if time.monotonic() >= deadline:
                raise UnknownRun(name, (run.name for run in directory.runs()), timeout)
            time.sleep(_POLL_SECONDS)


def started_runs(access: KafkaAccess, timeout: float = 30.0) -> list[RunInfo]:
    """What :func:`list_runs` gives, of the logs that Kafka has."""
    with closing(RunDirectory.of(access, timeout)) as directory:
        return directory.runs()
