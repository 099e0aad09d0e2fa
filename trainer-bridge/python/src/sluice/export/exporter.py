"""Takes a run's rows to where they are wanted."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing

from sluice.export.sink import Sink
from sluice.history.reading import RunReading, opened
from sluice.history.row import Row, flat
from sluice.kafka.access import KafkaAccess
from sluice.run.directory import started_run
from sluice.run.heaviest import TOP, require_top
from sluice.run.info import RunInfo

_LOG = logging.getLogger("sluice")

OpenSink = Callable[[RunInfo], Sink]


class Exporter:
    """Writes the rows of a run that a sink does not have; ``written`` is how many."""

    def __init__(self, reading: RunReading, sink: Sink, top: int | None = TOP) -> None:
        require_top(top)
        self.rows = reading.rows
        self._reading = reading
        self._sink = sink
        self._top = top
        self.written = 0

    def export(self, *, follow: bool = False, granted: bool = False) -> None:
        """Writes the rows that are complete; with ``follow`` also those that come, until the run is
        over, with ``granted`` at the end those of the batches that are granted and were not
        reported."""
        try:
            self._reading.catch_up(self._write)
            if follow:
                self._sink.flush()
                _LOG.info(
                    "run %s: %d rows written, and those that come are, until it is over: %s",
                    self.rows.run.run_id,
                    self.written,
                    self._sink.where,
                )
                self._reading.follow(self._write, self._sink.flush)
            if granted:
                self._reading.give_granted(self._write)
        finally:
            self._sink.flush()
        if self.rows.is_over:
            self._sink.end(self.rows.state)

    def _write(self, row: Row) -> None:
        self._sink.write(row, flat(row, self._top))
        self.written += 1


def export(
    run: str,
    open_sink: OpenSink,
    access: KafkaAccess,
    *,
    follow: bool = False,
    granted: bool = False,
    top: int | None = TOP,
    timeout: float = 30.0,
) -> str:
    """Writes the rows of the run that was started last under a name; what was done, for people.

    Raises :class:`~sluice.errors.UnknownRun` if none is started within so many seconds, and
    :class:`~sluice.errors.ExportFailed` if the sink fails.
    """
    require_top(top)
    found = started_run(access, run, timeout)
    with closing(open_sink(found)) as sink, opened(access, found, sink.last()) as reading:
        exporter = Exporter(reading, sink, top)
        exporter.export(follow=follow, granted=granted)
        return _summary(exporter, sink.where)


def _summary(exporter: Exporter, where: str) -> str:
    rows = exporter.rows
    up_to = "" if rows.mark is None else f", up to batch {rows.mark.batch}"
    done = f"run {rows.run.run_id}: {exporter.written} rows written{up_to}: {where}"
    if rows.left == 0:
        return done
    return (
        f"{done}; of {rows.left} more batches that are granted, trainers have not reported all: "
        "--follow waits for them, --granted takes what is known"
    )
