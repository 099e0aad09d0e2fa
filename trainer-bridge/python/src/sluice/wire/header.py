"""Position of a sequence in a run's stream: the value of the Kafka header ``sluice``."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sluice.errors import WireFormatError

KEY = "sluice"
_VERSION = 1
_LAYOUT = struct.Struct(">biqqiqiqQ")
_FIELDS = {
    "timeline": ">i4",
    "batch": ">i8",
    "first_index": ">i8",
    "batch_size": ">i4",
    "index": ">i8",
    "weights_version": ">i4",
    "ordinal": ">i8",
}
_ROW = np.dtype([("version", "i1"), *_FIELDS.items(), ("chain", ">u8")])
_INDEX = list(_FIELDS).index("index")
_SHAPE = [
    list(_FIELDS).index(name) for name in ("batch", "first_index", "batch_size", "weights_version")
]


@dataclass(frozen=True, slots=True)
class StreamHeader:
    """Where a sequence belongs; ``chain`` is unsigned, everything else as in the Java client."""

    timeline: int
    batch: int
    first_index: int
    batch_size: int
    index: int
    weights_version: int
    ordinal: int
    chain: int

    def encode(self) -> bytes:
        """Version byte, then every field, big-endian: 53 bytes."""
        return _LAYOUT.pack(
            _VERSION,
            self.timeline,
            self.batch,
            self.first_index,
            self.batch_size,
            self.index,
            self.weights_version,
            self.ordinal,
            self.chain,
        )

    @staticmethod
    def decode(data: bytes) -> StreamHeader:
        """Reads what :meth:`encode` wrote."""
        if len(data) != _LAYOUT.size or data[0] != _VERSION:
            version = f" of version {data[0]}" if data else ""
            raise WireFormatError(
                f"stream header must be {_LAYOUT.size} bytes of version {_VERSION}: "
                f"found {len(data)} bytes{version}"
            )
        return StreamHeader(*_LAYOUT.unpack(data)[1:])


@dataclass(frozen=True, eq=False, slots=True)
class StreamHeaders:
    """The headers of records that follow each other.

    ``fields`` is [records, 7] int64, in the order of :class:`StreamHeader`; ``chain`` is [records].
    """

    fields: NDArray[np.int64]
    chain: NDArray[np.uint64]

    @staticmethod
    def decode(encoded: Sequence[bytes]) -> StreamHeaders:
        """Reads headers as :meth:`StreamHeader.decode` reads one."""
        whole = all(len(one) == _LAYOUT.size for one in encoded)
        table = np.frombuffer(b"".join(encoded) if whole else b"", dtype=_ROW)
        if not whole or (table["version"] != _VERSION).any():
            for one in encoded:
                StreamHeader.decode(one)  # says which one is wrong, and how
        fields = np.stack([table[name].astype(np.int64) for name in _FIELDS], axis=1)
        return StreamHeaders(fields, table["chain"].astype(np.uint64))

    def __len__(self) -> int:
        return len(self.chain)

    @property
    def timeline(self) -> NDArray[np.int64]:
        """[records]"""
        return self.fields[:, 0]

    @property
    def index(self) -> NDArray[np.int64]:
        """[records]"""
        return self.fields[:, _INDEX]

    def row(self, position: int) -> StreamHeader:
        """One of them."""
        fields: list[int] = [*self.fields[position].tolist(), int(self.chain[position])]
        return StreamHeader(*fields)

    def part(self, start: int, stop: int | None = None) -> StreamHeaders:
        """Some of them, as views."""
        return StreamHeaders(self.fields[start:stop], self.chain[start:stop])

    def following(self, timeline: int, first: int, stride: int) -> int:
        """How many of them, from the first on, are ``first``, ``first + stride`` and so on."""
        wanted = first + stride * np.arange(len(self))
        follows = (self.timeline == timeline) & (self.index == wanted)
        return len(self) if follows.all() else int(follows.argmin())

    def stretches(self) -> list[tuple[int, int]]:
        """Where those that say the same of their batch start and end."""
        shape = self.fields[:, _SHAPE]
        changes = (shape[1:] != shape[:-1]).any(axis=1)
        edges = [0, *(np.flatnonzero(changes) + 1).tolist(), len(self)]
        return list(itertools.pairwise(edges))
