"""How far one run has come, as the control log tells."""

from __future__ import annotations

from collections.abc import Callable

from sluice.errors import StreamCorrupt
from sluice.run.entry import Entry, origin_of
from sluice.run.info import RunInfo
from sluice.run.position import LogPosition
from sluice.run.run_timeline import Governing, Origin, RunTimeline
from sluice.run.snapshots import Beginning
from sluice.run.timelines import Opened, Timelines
from sluice.wire import Record, chain

_GRANTS_NO_MORE = {"completed", "stopped"}
_EMITS_NO_MORE = {"failed", "deleted"}
_PLAN_VERSION = 2


class RunLogFold:
    """How far one run has come: the fold of the entries that apply to it.

    ``applied`` is given each entry that applies, before it counts here.
    """

    def __init__(self, run_id: str, applied: Callable[[Entry], None] = lambda entry: None) -> None:
        self._applied = applied
        self.position = LogPosition(run_id)
        self.timeline: RunTimeline | None = None
        self.weights_version = 0
        self.state = "not started"
        self.why = ""
        self.doubted = False
        self._goes_on_from: int | None = None
        self._lost = False

    @property
    def granted(self) -> int:
        """Last granted batch."""
        return self.position.granted

    def apply(self, entry: Entry) -> None:
        """Takes an entry of the control log; those of other runs, and those that lost, are
        ignored."""
        at = self.position
        self.doubted |= at.serial == self._goes_on_from and at.doubts(entry)
        if self._lost or self.doubted or (at.digest is not None and entry.offset <= at.offset):
            return
        if self._starts_again(entry):
            self.position, self.timeline = LogPosition(self.position.run_id), None
        if not self.position.accepts(entry):
            return
        kind, body, known = entry.kind, entry.body, self.timeline
        if known is None:
            self._start(body)
        elif kind == "MixtureGrant":
            self._require_goes_on(known, entry, body["firstSequence"], body["weightsVersion"])
            self.weights_version = body["weightsVersion"]
        elif kind == "RunRevised":
            self._revise(known, entry)
        elif kind == "RunStateChanged" and not body["refused"]:
            self.state = body["state"]
            self.why = entry.record["why"]
        self._applied(entry)
        self.position = self.position.after(entry)

    def _starts_again(self, entry: Entry) -> bool:
        """Whether the log has lost what was read of it, and is read from its start again."""
        first = LogPosition(self.position.run_id)
        known = entry.partition == self.position.partition and entry.offset <= self.position.offset
        return known and first.is_next(entry)

    def go_on(self) -> None:
        """Takes note that the log is read on, and may have become shorter and longer meanwhile."""
        self._goes_on_from = self.position.serial

    def confirm(self, digest: int | None) -> None:
        """Takes note of what is now where the current entry was read; None if nothing is.

        If it is another, nobody can say what was trained on beyond what is left of the log, and the
        run is at its end for this reader.
        """
        self.doubted, self._goes_on_from = False, None
        if digest != self.position.digest and not self._lost:
            self._lost = True
            at, there = self.position, "no entry" if digest is None else "another entry"
            self.state = "failed"
            self.why = (
                f"the control log has lost its tail: entry {at.serial}, which grants to batch "
                f"{at.granted}, was read at offset {at.offset}, where {there} is now"
            )

    def begin(self, found: Beginning) -> None:
        """Takes a snapshot for all that is before it in the log."""
        entry, body, run_id = found.entry, found.entry.body, self.position.run_id
        opened = (
            Opened(one["timeline"], one["after"], one["firstSequence"]) for one in body["openings"]
        )
        governing = (
            Governing(one["after"], one["firstSequence"], RunInfo(run_id, spec))
            for one, spec in zip(body["governing"], found.specifications, strict=True)
        )
        self.timeline = RunTimeline(
            run_id,
            Origin.named_by(body),
            Timelines(tuple(opened), chain.start(self._plan(body), run_id)),
            tuple(governing),
        )
        self.state, self.why = body["state"], body["why"]
        self.weights_version = body["snapshot"]["weightsVersion"]
        self.position = self.position.at(entry)

    def _plan(self, body: Record) -> int:
        plan: int = body["planVersion"]
        if not 1 <= plan <= _PLAN_VERSION:
            raise StreamCorrupt(
                f"control log of run {self.position.run_id}: plan version must be in "
                f"[1, {_PLAN_VERSION}]: {plan}"
            )
        return plan

    def _start(self, body: Record) -> None:
        run, origin = RunInfo(self.position.run_id, body["spec"]), origin_of(body)
        run.require_rows()
        run.require_masks()
        plan = self._plan(body)
        self.timeline = RunTimeline.of(run, Origin.of(body), plan)
        self.state, self.why = "running", ""
        self.weights_version = 1 if origin is None else origin["snapshot"]["weightsVersion"]

    def _revise(self, known: RunTimeline, entry: Entry) -> None:
        snapshot = entry.body["snapshot"]
        goes_on = entry.timeline == self.position.timeline
        version = snapshot["weightsVersion"] if goes_on else self.weights_version
        self._require_goes_on(known, entry, snapshot["nextSequence"], version)
        self.timeline = known.revised(entry.timeline, entry.body)
        self.timeline.run.require_rows()
        self.timeline.run.require_masks()
        self.weights_version = snapshot["weightsVersion"]

    def _require_goes_on(
        self, known: RunTimeline, entry: Entry, first_sequence: int, version: int
    ) -> None:
        """Fails unless an entry's first sequence is the next one and mixtures do not go back."""
        grants = entry.kind == "MixtureGrant"
        after = entry.body["after"] if grants else entry.body["snapshot"]["batch"]
        expected = known.first_index(after + 1)
        if first_sequence != expected or version < self.weights_version:
            raise StreamCorrupt(
                f"control log of run {self.position.run_id}: the {entry.kind} at offset "
                f"{entry.offset} goes on after batch {after} with sequence {first_sequence} and "
                f"weights version {version}: expected sequence {expected} and at least version "
                f"{self.weights_version}"
            )

    @property
    def emits_no_more(self) -> bool:
        """Whether not even what is granted can be relied upon to come."""
        return self.state in _EMITS_NO_MORE

    def log_is_gone(self) -> None:
        """Takes note that the log was deleted, and with it the run."""
        if not self.emits_no_more:
            self.state, self.why = "deleted", "its control log is gone"

    def ended_before(self, batch: int) -> bool:
        """Whether this batch will never come.

        A run that was completed or stopped still emits what is granted, however long that takes.
        """
        return self.emits_no_more or (self.state in _GRANTS_NO_MORE and batch > self.granted)

    def describe(self, batch: int, granted: str = "but not all of it was emitted") -> str:
        """What an awaited batch waits for; ``granted`` is said of one that is granted."""
        reason = f" ({self.why})" if self.why else ""
        state = f"run {self.position.run_id} is {self.state}{reason}; "
        run = "" if self.state == "running" else state
        if batch > self.granted:
            return (
                f"{run}batch {batch} is not granted yet: "
                f"the last grant ends at batch {self.granted}"
            )
        return f"{run}batch {batch} is granted (to {self.granted}) {granted}"
