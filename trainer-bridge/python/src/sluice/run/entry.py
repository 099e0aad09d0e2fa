"""Entries of the control log."""

from __future__ import annotations

import hashlib
import logging
from typing import NamedTuple

from sluice import wire
from sluice.errors import WireFormatError
from sluice.kafka.access import LogRecord

_LOG = logging.getLogger("sluice")
_NAMESPACE = "io.sluice.schema."


class Entry(NamedTuple):
    """A record of the control log, and where it lies; whether it applies is for a reader to say."""

    partition: int
    offset: int
    record: wire.Record
    digest: int = 0
    """What it is by content, for those that are based on it."""

    @property
    def kind(self) -> str:
        """Which kind of entry it is, such as ``MixtureGrant``."""
        name: str = self.record["body"][0]
        return name.removeprefix(_NAMESPACE)

    @property
    def body(self) -> wire.Record:
        """What it says."""
        found: wire.Record = self.record["body"][1]
        return found

    @property
    def timeline(self) -> int:
        """The timeline that it is of."""
        return int(self.record["timeline"])


def read_entry(record: LogRecord) -> Entry | None:
    """The entry that a record of the control log is; what nobody can read decides nothing."""
    try:
        found = wire.decode_as("ControlRecord", record.value)
    except WireFormatError as error:
        _LOG.warning(
            "%s-%d, offset %d is ignored: %s", record.topic, record.partition, record.offset, error
        )
        return None
    return Entry(record.partition, record.offset, found, digest_of(record.value))


def digest_of(value: bytes) -> int:
    """The first 8 bytes of SHA-256, as the signed number by which entries name others."""
    return int.from_bytes(hashlib.sha256(value).digest()[:8], "big", signed=True)


def origin_of(started: wire.Record) -> wire.Record | None:
    """The RunOrigin of a RunStarted, or the ForkPoint of a LogSnapshot; None for a run that was not
    forked."""
    return record_of(started["origin"])


def record_of(union: tuple[str, wire.Record] | None) -> wire.Record | None:
    """The record of a union; None where there is none."""
    return None if union is None else union[1]  # (name of type, record)
