"""Position of a sequence in a run's stream: the value of the Kafka header ``sluice``."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from sluice.errors import WireFormatError

KEY = "sluice"
_VERSION = 1
_LAYOUT = struct.Struct(">biqqiqiqQ")


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
