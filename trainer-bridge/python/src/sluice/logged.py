"""How far one run has come, as the control log tells."""

from __future__ import annotations

from collections.abc import Callable

from sluice.course import Course
from sluice.errors import StreamCorrupt
from sluice.runs import NAMESPACE, RunInfo
from sluice.wire import Record

_GRANTS_NO_MORE = {"completed", "stopped"}
_EMITS_NO_MORE = {"failed", "deleted"}


class LoggedRun:
    """How far one run has come: the fold of its control records.

    A record applies iff its serial is the current one + 1 and it is based on the current record's
    offset; all others lost. ``on_grant`` is given the timeline and body of each MixtureGrant that
    applies.
    """

    def __init__(
        self, run_id: str, on_grant: Callable[[int, Record], None] = lambda timeline, grant: None
    ) -> None:
        self._run_id = run_id
        self._on_grant = on_grant
        self._partition = -1
        self._serial = -1
        self._offset = -1
        self.granted = 0
        self.course: Course | None = None
        self.weights_version = 0
        self.state = "not started"
        self.why = ""

    def apply(self, partition: int, offset: int, record: Record) -> None:
        """Takes a record of the control log."""
        if (
            record["runId"] != self._run_id
            or record["serial"] != self._serial + 1
            or record["basedOn"] != self._offset
            or (self._serial >= 0 and partition != self._partition)
        ):
            return
        kind, body = record["body"]
        kind = kind.removeprefix(NAMESPACE)
        if not self._continues(kind, body, record["timeline"]):
            timeline = 0 if self.course is None else self.course.timelines.newest
            raise StreamCorrupt(
                f"control log of run {self._run_id}: the record of serial {record['serial']} at "
                f"offset {offset} does not continue after batch {self.granted} of timeline "
                f"{timeline}"
            )
        if kind == "RunStarted":
            self._partition = partition
            self._start(body)
        elif kind == "MixtureGrant":
            self.granted = body["to"]
            self.weights_version = body["weightsVersion"]
            self._on_grant(record["timeline"], body)
        elif kind == "RunRevised":
            self._revise(record["timeline"], body)
        elif not body["refused"]:
            self.state = body["state"]
            self.why = record["why"]
        self._serial = record["serial"]
        self._offset = offset

    def _continues(self, kind: str, body: Record, timeline: int) -> bool:
        if self.course is None or kind == "RunStarted":
            return self.course is None and kind == "RunStarted" and timeline == 0
        newest = self.course.timelines.newest
        if kind == "RunRevised":
            batch: int = body["snapshot"]["batch"]
            opens = timeline == newest + 1 and batch <= self.granted
            return opens or (timeline == newest and batch == self.granted)
        holds = kind != "MixtureGrant" or body["after"] == self.granted
        return timeline == newest and holds

    def _start(self, body: Record) -> None:
        origin = None if body["origin"] is None else body["origin"][1]  # (name of type, record)
        self.course = Course.of(RunInfo(self._run_id, body["spec"]), origin)
        self.state = "running"
        self.weights_version = 1
        if origin is not None:
            self.granted = origin["snapshot"]["batch"]
            self.weights_version = origin["snapshot"]["weightsVersion"]

    def _revise(self, timeline: int, body: Record) -> None:
        assert self.course is not None  # a revision never comes first
        self.course = self.course.revised(timeline, body)
        self.granted = body["snapshot"]["batch"]
        self.weights_version = body["snapshot"]["weightsVersion"]

    def ended_before(self, batch: int) -> bool:
        """Whether this batch will never come.

        A run that was completed or stopped still emits what is granted, however long that takes.
        """
        return self.state in _EMITS_NO_MORE or (
            self.state in _GRANTS_NO_MORE and batch > self.granted
        )

    def describe(self, batch: int) -> str:
        """What an awaited batch waits for."""
        reason = f" ({self.why})" if self.why else ""
        run = "" if self.state == "running" else f"run {self._run_id} is {self.state}{reason}; "
        if batch > self.granted:
            return (
                f"{run}batch {batch} is not granted yet: "
                f"the last grant ends at batch {self.granted}"
            )
        return f"{run}batch {batch} is granted (to {self.granted}) but not all of it was emitted"
