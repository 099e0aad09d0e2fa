"""Where the reading of a run's own log begins: at a snapshot of what is before it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from sluice.kafka.access import LogRecord
from sluice.kafka.log import backwards
from sluice.run.entry import Entry, read_entry
from sluice.wire import Record, chain

_WINDOW = 32  # records from the log's end that are looked at first


class Stretches(Protocol):
    """A log of one partition, which may be read anywhere."""

    def span(self, patience: float) -> tuple[int, int]:
        """Offset of the first record, and of the one that will be written next."""

    def stretch(self, start: int, end: int, patience: float) -> list[LogRecord]:
        """The records with offsets from ``start`` up to, without, ``end``."""


class Beginning(NamedTuple):
    """A LogSnapshot that reading can begin at.

    ``specifications`` are those of the entries that it names as governing, in its order.
    """

    entry: Entry
    specifications: tuple[Record, ...]

    @property
    def batch(self) -> int:
        """Last batch that was granted before it."""
        return _batch(self.entry)


class Snapshots:
    """The snapshots in a run's own log that a reader may believe.

    Whoever writes one has read back the entry that it is based on. So it applies iff that entry is
    there as it was, and nothing between them took its place.
    """

    def __init__(self, log: Stretches, run_id: str, patience: float) -> None:
        self._log = log
        self._run_id = run_id
        self._patience = patience

    def beginning(self, batch: int | None) -> Beginning | None:
        """The newest one, or the newest that is not after a batch; None if there is none, or not
        all that it names."""
        found = self._newest()
        if found is not None and batch is not None and _batch(found) > batch:
            found = self._earlier(found, batch)
        return None if found is None else self._begin(found)

    def _newest(self) -> Entry | None:
        read: dict[int, tuple[LogRecord, Entry]] = {}
        for low, high in backwards(*self._log.span(self._patience), _WINDOW):
            read |= self._own(low, high)
            for offset in sorted(read, reverse=True):
                entry = read[offset][1]
                if entry.kind == "LogSnapshot" and _applies(entry, read):
                    return entry
        return None

    def _own(self, low: int, high: int) -> dict[int, tuple[LogRecord, Entry]]:
        """The run's entries among the records of a stretch, by offset."""
        records = self._log.stretch(low, high, self._patience)
        entries = ((record, read_entry(record)) for record in records)
        return {
            record.offset: (record, entry)
            for record, entry in entries
            if entry is not None and entry.record["runId"] == self._run_id
        }

    def _at(self, offset: int) -> Entry | None:
        found = self._own(offset, offset + 1).get(offset)
        return None if found is None else found[1]

    def _earlier(self, newest: Entry, batch: int) -> Entry | None:
        for named in reversed(newest.body["earlier"]):
            if named["batch"] <= batch:
                found = self._at(named["offset"])
                fits = (
                    found is not None
                    and found.kind == "LogSnapshot"
                    and found.record["serial"] == named["serial"]
                    and _batch(found) == named["batch"]
                )
                return found if fits else None
        return None

    def _begin(self, entry: Entry) -> Beginning | None:
        specifications = []
        governing = entry.body["governing"]
        for named in governing[:-1]:
            found = self._at(named["offset"])
            if found is None or "spec" not in found.body:
                return None
            specifications.append(found.body["spec"])
        if not governing:
            return None
        return Beginning(entry, (*specifications, entry.body["spec"]))


def _batch(snapshot: Entry) -> int:
    return int(snapshot.body["snapshot"]["batch"])


def _applies(snapshot: Entry, read: dict[int, tuple[LogRecord, Entry]]) -> bool:
    """Whether a snapshot is the entry after the one that it is based on, as that is read."""
    serial, based_on = snapshot.record["serial"], snapshot.record["basedOn"]
    base = read.get(based_on)
    if base is None or based_on >= snapshot.offset:
        return False
    record, entry = base
    if entry.record["serial"] != serial - 1 or _digest(record) != snapshot.body["digest"]:
        return False
    if snapshot.record.get("basedOnDigest") not in (None, entry.digest):
        return False
    return not any(
        based_on < offset < snapshot.offset
        and other.record["serial"] == serial
        and other.record["basedOn"] == based_on
        and other.record.get("basedOnDigest") == snapshot.record.get("basedOnDigest")
        for offset, (_, other) in read.items()
    )


def _digest(record: LogRecord) -> int:
    """FNV-1a of a record's value, as the signed number that a log has."""
    return int.from_bytes(chain.fnv(record.value).to_bytes(8, "big"), "big", signed=True)
