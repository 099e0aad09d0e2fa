"""Which entries of the control log apply to a run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sluice.errors import StreamCorrupt
from sluice.run.entry import Entry, digest_of, origin_of

_NOTHING = digest_of(b"")


@dataclass(frozen=True, slots=True)
class LogPosition:
    """Where a reader stands in a run's control log; decides which entries apply.

    An entry applies iff it is of this run and in its partition, its serial is the current one + 1,
    and it is based on the log offset of the current entry, and on its content where entries name
    that. Everything else was proposed on a lineage that lost, and is ignored by every reader alike.
    ``serial`` and ``offset`` are of the current entry, -1 before the first; ``granted`` is the last
    granted batch; ``digest`` is None before the first, and in a log whose entries name none.
    """

    run_id: str
    partition: int = -1
    timeline: int = 0
    serial: int = -1
    offset: int = -1
    granted: int = 0
    digest: int | None = None

    def is_next(self, entry: Entry) -> bool:
        """Whether an entry names itself so; what it says is not looked at."""
        record = entry.record
        return (
            record["runId"] == self.run_id
            and record["serial"] == self.serial + 1
            and record["basedOn"] == self.offset
            and self._is_base(record.get("basedOnDigest"))
            and (self.serial < 0 or entry.partition == self.partition)
        )

    def _is_base(self, digest: int | None) -> bool:
        return digest in (None, _NOTHING) if self.serial < 0 else digest == self.digest

    def doubts(self, entry: Entry) -> bool:
        """Whether an entry may be of a log that has not the current one.

        It is not next. Then the current entry is to be read again.
        """
        if self.digest is None or entry.record["runId"] != self.run_id:
            return False
        if entry.offset == self.offset:
            return entry.digest != self.digest
        return not self.is_next(entry)

    def starts(self, entry: Entry) -> bool:
        """Whether the entry is the first of a run."""
        return self.serial < 0 and self.is_next(entry) and self._continues(entry)

    def accepts(self, entry: Entry) -> bool:
        """Whether the entry is the next one.

        Fails if it is, but does not continue where the current one ended: then somebody wrote past
        the rules, and going on would mix wrong data.
        """
        if not self.is_next(entry):
            return False
        if not self._continues(entry):
            raise StreamCorrupt(
                f"control log of run {self.run_id}: the record of serial {entry.record['serial']} "
                f"at offset {entry.offset} does not continue after batch {self.granted} of "
                f"timeline {self.timeline}"
            )
        return True

    def _continues(self, entry: Entry) -> bool:
        if self.serial < 0 or entry.kind == "RunStarted":
            return self.serial < 0 and entry.kind == "RunStarted" and entry.timeline == 0
        if entry.kind == "RunRevised":
            batch, skipped = int(entry.body["snapshot"]["batch"]), int(entry.body["skippedTo"])
            if entry.timeline == self.timeline + 1:
                return 0 <= batch <= skipped <= self.granted
            return entry.timeline == self.timeline and batch == self.granted
        holds = entry.kind != "MixtureGrant" or (
            entry.body["after"] == self.granted < entry.body["to"]
        )
        return entry.timeline == self.timeline and holds

    def after(self, entry: Entry) -> LogPosition:
        """The position once an accepted entry is the current one."""
        return replace(
            self,
            partition=entry.partition,
            timeline=entry.timeline,
            serial=entry.record["serial"],
            offset=entry.offset,
            granted=self._granted_by(entry),
            digest=None if entry.record.get("basedOnDigest") is None else entry.digest,
        )

    def at(self, snapshot: Entry) -> LogPosition:
        """The position at a LogSnapshot that is believed, whatever was read before it."""
        granted = int(snapshot.body["snapshot"]["batch"])
        return replace(self.after(snapshot), granted=granted)

    def _granted_by(self, entry: Entry) -> int:
        if entry.kind == "MixtureGrant":
            return int(entry.body["to"])
        if entry.kind == "RunRevised":
            return int(entry.body["snapshot"]["batch"])
        origin = origin_of(entry.body) if entry.kind == "RunStarted" else None
        return self.granted if origin is None else int(origin["snapshot"]["batch"])
