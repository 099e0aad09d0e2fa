"""Sets of documents, which a run may mask, by their hashes."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Protocol

import numpy as np
from confluent_kafka import KafkaException
from numpy.typing import NDArray

from sluice import wire
from sluice.errors import WireFormatError
from sluice.kafka.access import KafkaAccess, LogRecord
from sluice.kafka.log import LogReader
from sluice.run.info import RunInfo

_BYTES = 16  # of a document's hash
_SHORT = 8  # of them in blocks
_MOST = 50_000  # documents of a set
_PATIENCE = 10.0
_NONE = np.zeros(0, dtype=np.uint64)


def document_hash(domain: str, name: bytes) -> bytes:
    """What a document is known by in sets; ``name`` is its id as UTF-8."""
    return hashlib.sha256(domain.encode() + b"\0" + name).digest()[:_BYTES]


def id_hash(document: bytes) -> bytes:
    """What blocks have of a document in place of its id, by its hash in sets."""
    return base64.urlsafe_b64encode(document[:_SHORT]).rstrip(b"=")


@dataclass(frozen=True)
class DocumentSet:
    """Documents by domain. ``name`` is the SHA-256 of the content, in hexadecimal."""

    name: str
    by_domain: dict[str, frozenset[bytes]]

    @staticmethod
    def of(record: wire.Record) -> DocumentSet:
        """The set of a record; a :class:`~sluice.errors.WireFormatError` if its content is none."""
        digest, by_domain, size, last = hashlib.sha256(), {}, 0, ""
        for each in record["domains"]:
            domain, joined = each["domain"], each["hashes"]
            hashes = [joined[at : at + _BYTES] for at in range(0, len(joined), _BYTES)]
            ascending = all(one < next_one for one, next_one in pairwise(hashes))
            if domain <= last or not hashes or len(joined) % _BYTES or not ascending:
                raise WireFormatError(f"no set of documents: the hashes of domain '{domain}'")
            digest.update(domain.encode() + b"\0" + len(hashes).to_bytes(4, "big") + joined)
            by_domain[domain] = frozenset(hashes)
            size, last = size + len(hashes), domain
        if not 1 <= size <= _MOST:
            raise WireFormatError(f"a set must have 1 to {_MOST} documents: {size}")
        return DocumentSet(digest.hexdigest(), by_domain)

    def contains(self, domain: str, name: bytes) -> bool:
        """Whether a document is in it; ``name`` is its id as UTF-8."""
        return document_hash(domain, name) in self.by_domain.get(domain, ())

    def contains_hash(self, domain: str, name: bytes) -> bool:
        """Whether a document is in it; ``name`` is what blocks have in place of its id."""
        return name in self._id_hashes.get(domain, ())

    def numbers(self, domain: str) -> NDArray[np.uint64]:
        """What sides of segments have of its documents of a domain."""
        return self._numbers.get(domain, _NONE)

    @cached_property
    def _numbers(self) -> dict[str, NDArray[np.uint64]]:
        return {
            domain: np.frombuffer(b"".join(one[:_SHORT] for one in of), "<u8")
            for domain, of in self.by_domain.items()
        }

    @cached_property
    def _id_hashes(self) -> dict[str, frozenset[bytes]]:
        return {domain: frozenset(map(id_hash, of)) for domain, of in self.by_domain.items()}


def masked_in(
    run: RunInfo, sets: Collection[DocumentSet], domain: str
) -> Callable[[bytes], bool] | None:
    """Whether what a run's blocks have of a document of that domain is of one in these sets; None
    if they have no document of it."""
    of_domain = [
        one.contains_hash if run.hashes_ids else one.contains
        for one in sets
        if domain in one.by_domain
    ]
    return (lambda name: any(has(domain, name) for has in of_domain)) if of_domain else None


class SetSource(Protocol):
    """Where sets of documents are read."""

    place: str

    def read(self, names: Collection[str]) -> dict[str, DocumentSet]:
        """Those of some sets that are there now; KafkaUnreachable if no broker answers."""


class NoSets:
    """Nowhere."""

    place = "no topic"

    def read(self, names: Collection[str]) -> dict[str, DocumentSet]:
        """None."""
        return {}


class KafkaSets:
    """The topic of sets, read to its end each time.

    A record is believed for its content alone: its key only says that it is worth a look.
    """

    def __init__(self, access: KafkaAccess) -> None:
        self._access = access
        self.place = f"topic {access.topics.sets}"

    def read(self, names: Collection[str]) -> dict[str, DocumentSet]:
        """Those of some sets that are there now; KafkaUnreachable if no broker answers."""
        found: dict[str, DocumentSet] = {}

        def take(record: LogRecord) -> None:
            read = read_set(record, names)
            if read is not None:
                found.setdefault(read.name, read)

        try:
            with closing(LogReader(self._access, self._access.topics.sets)) as topic:
                topic.catch_up(_PATIENCE, take)
        except KafkaException as error:
            raise self._access.unreachable(_PATIENCE, error) from error
        return found


def read_set(record: LogRecord, names: Collection[str]) -> DocumentSet | None:
    """The set that a record has by content, if it claims to be one of these and is."""
    if record.key.decode(errors="replace") not in names:
        return None
    try:
        found = DocumentSet.of(wire.decode_as("DocumentSet", record.value))
    except WireFormatError:
        return None
    return found if found.name in names else None
