"""What the service says of a run, for people to read."""

from __future__ import annotations

from contextlib import closing
from typing import NamedTuple, Protocol

from confluent_kafka import KafkaException

from sluice import wire
from sluice.errors import KafkaUnreachable, WireFormatError
from sluice.kafka.access import KafkaAccess, LogRecord
from sluice.kafka.log import LogReader, backwards

_PATIENCE = 5.0
_FOR_SUPPLY = "supply: "
_WINDOW = 1024  # records from the topic's end that are looked at first


class Standing(NamedTuple):
    """Where a run stands; nothing is decided by it.

    ``progress`` is the last batch that a trainer reported, ``waits`` what the service waits for
    before it grants a batch, and then what it waits for to emit those that are granted.
    """

    progress: int = 0
    waits: tuple[str, ...] = ()

    @property
    def lacks_supply(self) -> bool:
        """Whether a batch is not granted for want of prepared documents."""
        return bool(self.waits) and self.waits[0].startswith(_FOR_SUPPLY)


class StatusSource(Protocol):
    """Who can be asked where a run stands."""

    def read(self) -> Standing | None:
        """What is said of the run now; None while nothing is, or nobody answers."""


class NoStatus:
    """Nobody to ask."""

    def read(self) -> Standing | None:
        """Nothing is known."""
        return None


class Notices:
    """The newest notices of one run, from the records of the status topic, newest first."""

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        self._lane = f"{run_id}/".encode()
        self._status: wire.Record | None = None
        self._emission: dict[bytes, str] = {}

    @property
    def found(self) -> bool:
        """Whether the run's status is among them, before which there is no need to look."""
        return self._status is not None

    def take(self, record: LogRecord) -> None:
        """Takes a record that is older than those before."""
        if record.key.startswith(self._lane):
            self._emission.setdefault(record.key, self._waiting("EmissionWait", record))
        elif record.key == self._run_id.encode() and self._status is None:
            self._status = self._read("RunStatus", record)

    def _read(self, name: str, record: LogRecord) -> wire.Record | None:
        """What nobody can read says nothing; nor does a record of another run."""
        try:
            found = wire.decode_as(name, record.value)
        except WireFormatError:
            return None
        return found if found["runId"] == self._run_id else None

    def _waiting(self, name: str, record: LogRecord) -> str:
        found = self._read(name, record)
        return "" if found is None else str(found["waiting"])

    def standing(self) -> Standing | None:
        """Where the run stands; None if its status was not found."""
        if self._status is None:
            return None
        lanes = (wait for _, wait in sorted(self._emission.items()))
        waits = dict.fromkeys([str(self._status["waiting"]), *lanes])
        return Standing(int(self._status["progress"]), tuple(wait for wait in waits if wait))


class KafkaStatus:
    """The status topic, looked through from its end."""

    def __init__(self, access: KafkaAccess, run_id: str) -> None:
        self._access = access
        self._run_id = run_id

    def read(self) -> Standing | None:
        """What is said of the run now; None while nothing is, or nobody answers."""
        notices = Notices(self._run_id)
        try:
            with closing(LogReader(self._access, self._access.topics.status)) as log:
                first, end = log.span(_PATIENCE)
                for low, high in backwards(first, end, _WINDOW):
                    for record in reversed(log.stretch(low, high, _PATIENCE)):
                        notices.take(record)
                    if notices.found:
                        break
        except (KafkaUnreachable, KafkaException):
            return None
        return notices.standing()
