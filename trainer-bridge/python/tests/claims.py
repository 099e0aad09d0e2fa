"""A log of claims without a broker."""

from __future__ import annotations

from collections.abc import Iterable

from sluice import wire


class MemoryClaims:
    """What processes have said of the ranks that they take."""

    def __init__(self) -> None:
        self.said: list[wire.Record] = []

    def publish(self, value: bytes) -> bool:
        self.said.append(wire.decode_as("TrainerAttached", value))
        return True

    def read_on(self) -> Iterable[bytes]:
        return ()

    def close(self) -> None:
        """Nothing is held."""
