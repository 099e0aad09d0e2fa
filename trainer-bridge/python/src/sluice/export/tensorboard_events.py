"""Rows as event files, which TensorBoard reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sluice.errors import ExportFailed
from sluice.export.sink import Lock, folder_of, required
from sluice.history.row import Mark, Row
from sluice.run.info import RunInfo

_EXTRA = "tensorboard"
_NAME = "events.out.tfevents.{:010d}.sluice"
_FORMAT = "brain.Event:2"
_TIMELINE = "sluice/timeline"


class TensorBoardEvents:
    """A folder for a run below that of TensorBoard, named after the run's id.

    Each row is one record, whose checksum tells whether all of it is there: so the files themselves
    say which row is the last, and what was cut off by a crash is not read and is written again.
    Each process begins a file of its own. Where a row takes the place of one that is there, because
    the run was rewound, TensorBoard is told to forget the batches from there on. TensorBoard keeps
    numbers as float32.
    """

    def __init__(self, folder: str | Path, run: RunInfo) -> None:
        self._events = required("tensorboard.compat.proto.event_pb2", _EXTRA)
        self._summaries = required("tensorboard.compat.proto.summary_pb2", _EXTRA)
        self._records = required("tensorboard.summary.writer.record_writer", _EXTRA)
        self._loader = required("tensorboard.backend.event_processing.event_file_loader", _EXTRA)
        self._folder = Path(folder) / folder_of(run)
        try:
            self._lock = Lock(self._folder / ".sluice-export")
        except OSError as error:
            raise ExportFailed(f"--tensorboard must name a folder to write to: {error}") from error
        self._last = self._find_last()
        self._writer: Any = None

    @property
    def where(self) -> str:
        """The run's folder."""
        return str(self._folder)

    def last(self) -> Mark | None:
        """The last row in the files that are there."""
        return self._last

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob(_NAME.replace("{:010d}", "*")))

    def _find_last(self) -> Mark | None:
        for file in reversed(self._files()):
            found = self._last_of(self._loader.RawEventFileLoader(str(file)).Load())
            if found is not None:
                return found
        return None

    def _last_of(self, records: Iterable[bytes]) -> Mark | None:
        last = None
        for event in map(self._events.Event.FromString, records):
            for value in event.summary.value:
                if value.tag == _TIMELINE:
                    last = Mark(int(value.simple_value), int(event.step))
        return last

    def write(self, row: Row, numbers: Mapping[str, float]) -> None:
        """Writes a row as one record."""
        for event in self._events_of(row, numbers):
            self._open(row.seconds).write(event.SerializeToString())
        self._last = row.mark

    def _events_of(self, row: Row, numbers: Mapping[str, float]) -> Iterator[Any]:
        if self._last is not None and row.batch <= self._last.batch:
            log = self._events.SessionLog(status=self._events.SessionLog.START)
            yield self._events.Event(wall_time=row.seconds, step=row.batch, session_log=log)
        values = [
            self._summaries.Summary.Value(tag=tag, simple_value=value)
            for tag, value in numbers.items()
        ]
        summary = self._summaries.Summary(value=values)
        yield self._events.Event(wall_time=row.seconds, step=row.batch, summary=summary)

    def _open(self, seconds: float) -> Any:
        if self._writer is None:
            names = [file.name for file in self._files()]
            number = int(names[-1].split(".")[3]) + 1 if names else 1
            file = (self._folder / _NAME.format(number)).open("xb")
            self._writer = self._records.RecordWriter(file)
            begin = self._events.Event(wall_time=seconds, file_version=_FORMAT)
            self._writer.write(begin.SerializeToString())
        return self._writer

    def flush(self) -> None:
        """Gives what was written to the system."""
        if self._writer is not None:
            self._writer.flush()

    def end(self, state: str) -> None:
        """Files have no end."""

    def close(self) -> None:
        """Closes the file."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self._lock.close()
