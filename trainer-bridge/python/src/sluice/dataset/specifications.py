"""What is known of datasets."""

from __future__ import annotations

from contextlib import closing, suppress

from sluice import wire
from sluice.errors import WireFormatError
from sluice.kafka.access import KafkaAccess, LogRecord
from sluice.kafka.log import LogReader


def specifications(access: KafkaAccess, timeout: float) -> list[wire.Record]:
    """Those of all datasets, in the order in which they were applied: of a name the last holds."""
    found: list[wire.Record] = []

    def take(record: LogRecord) -> None:
        with suppress(WireFormatError):
            found.append(wire.decode_as("DatasetSpec", record.value))

    with closing(LogReader(access, access.topics.datasets)) as log:
        log.catch_up(timeout, take)
    return found
