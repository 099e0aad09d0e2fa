"""What is said to be sealed of a run's dataset, and where its objects are."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Protocol

from sluice import wire
from sluice.dataset.specifications import specifications
from sluice.errors import KafkaUnreachable, StreamCorrupt, StreamMissing, WireFormatError
from sluice.kafka.access import KafkaAccess, LogRecord
from sluice.kafka.log import LogReader
from sluice.run.info import RunInfo
from sluice.segment.rows import RowFormat
from sluice.segment.sealed import SealedLanes
from sluice.segment.store import SegmentStore

_LOG = logging.getLogger("sluice")
_PATIENCE = 10.0
_FIRST_PATIENCE = 15.0


class SegmentTopic(Protocol):
    """Where it is said which blocks are sealed; what of it was read is ``sealed``."""

    sealed: SealedLanes

    def refresh(self) -> None:
        """Reads what has come; KafkaUnreachable if no broker answers."""

    def close(self) -> None:
        """Gives the connection back."""


class KafkaSegments:
    """The topic of a dataset's segments, as far as it is committed."""

    def __init__(self, access: KafkaAccess, run: RunInfo) -> None:
        self.sealed = SealedLanes(
            run.spec["dataset"],
            run.fingerprint,
            RowFormat(run.sequence_length + 1, run.token_width),
        )
        self._access = access
        self._topic = access.topics.segments(run.spec["dataset"])
        self._reader: LogReader | None = None

    def refresh(self) -> None:
        """Reads what has come; KafkaUnreachable if no broker answers."""
        if self._reader is None:
            self._reader = LogReader(self._access, self._topic, committed=True)
        try:
            self._reader.catch_up(_PATIENCE, self._take)
        except KafkaUnreachable:
            self.close()  # another consumer reads the topic anew
            raise

    def _take(self, record: LogRecord) -> None:
        try:
            self.sealed.take(wire.decode_as("Segment", record.value))
        except (WireFormatError, StreamCorrupt) as error:
            _LOG.warning("offset %d of %s is no segment: %s", record.offset, record.topic, error)

    def close(self) -> None:
        """Gives the connection back."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def store_of(access: KafkaAccess, run: RunInfo, cache: Path | None) -> SegmentStore:
    """The store of a run's dataset, read through a cache if there is one; StreamMissing if it has
    none that can be read."""
    name = str(run.spec["dataset"])
    found = [
        spec
        for spec in specifications(access, _FIRST_PATIENCE)
        if spec["name"] == name and spec["fingerprint"] == run.fingerprint
    ]
    if not found or not found[-1]["store"]:
        lack = "which has no store" if found else "which is not there"
        raise StreamMissing(f"run {run.run_id} reads rows of dataset {name}, {lack}")
    try:
        return SegmentStore(found[-1]["store"], name, cache)
    except StreamMissing as error:
        raise StreamMissing(f"run {run.run_id} reads {error}") from None
    except ValueError as error:
        raise StreamMissing(f"dataset {name}: {error}") from None
