"""The control logs that runs have of their own."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sluice.kafka.access import LogRecord
from sluice.kafka.heads import TopicHeads
from sluice.run.entry import read_entry
from sluice.run.info import RunInfo
from sluice.run.position import LogPosition
from sluice.wire.topics import Topics


class _Start(NamedTuple):
    """When a run started, as Kafka has it, and the run."""

    time: int
    run_id: str
    run: RunInfo


class OwnLogs:
    """Topics that are named after the ids of runs."""

    def __init__(self, heads: TopicHeads, topics: Topics, patience: float) -> None:
        self._heads = heads
        self._prefix = topics.control_of("")
        self._patience = patience

    def run_ids(self) -> set[str]:
        """Ids of all runs that have a log of their own, started or not."""
        found = self._heads.topics(self._prefix, self._patience)
        return {topic.removeprefix(self._prefix) for topic in found}

    @staticmethod
    def named(name: str, run_ids: Collection[str]) -> set[str]:
        """Those of them that are of one name, which has no dot."""
        return {run_id for run_id in run_ids if run_id.startswith(f"{name}.")}

    def started(self, run_ids: Collection[str]) -> list[RunInfo]:
        """The runs among these that have started, oldest first, as they did."""
        found: list[_Start] = []

        def take(record: LogRecord) -> bool:
            start = self._start(record)
            if start is not None:
                found.append(start)
            return start is not None

        self._heads.read([self._prefix + run_id for run_id in run_ids], self._patience, take)
        return [start.run for start in sorted(found, key=lambda start: start[:2])]

    def _start(self, record: LogRecord) -> _Start | None:
        run_id = record.topic.removeprefix(self._prefix)
        entry = read_entry(record)
        if entry is None or not LogPosition(run_id).starts(entry):
            return None
        return _Start(record.timestamp, run_id, RunInfo(run_id, entry.body["spec"]))

    def close(self) -> None:
        """Gives the connection back."""
        self._heads.close()
