"""Finding runs by name in the control log."""

from __future__ import annotations

import time
from contextlib import closing

from sluice import wire
from sluice.access import KafkaAccess, LogReader
from sluice.errors import UnknownRun
from sluice.runs import RunDirectory, RunInfo

_POLL_SECONDS = 0.1
_READ_SECONDS = 10.0  # reading what is there may take longer than the caller waits for what is not


def _catch_up(control: LogReader, directory: RunDirectory, timeout: float) -> None:
    control.catch_up(
        max(timeout, _READ_SECONDS),
        lambda record: directory.apply(
            record.timestamp, wire.decode_as("ControlRecord", record.value)
        ),
    )


def find_run(access: KafkaAccess, name: str, timeout: float = 30.0) -> RunInfo:
    """The run that was started last under this name; waits for it to be started."""
    deadline = time.monotonic() + timeout
    directory = RunDirectory()
    with closing(LogReader(access, access.topics.control)) as control:
        while True:
            _catch_up(control, directory, timeout)
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
        _catch_up(control, directory, timeout)
    return directory.runs
