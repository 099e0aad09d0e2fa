"""What a checker reads: topics with partitions, whatever holds them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol


class Message(NamedTuple):
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    header: bytes | None = None
    """The header `sluice`, if there is one."""


class Topics(Protocol):
    """Names are without the deployment's prefix."""

    def names(self) -> set[str]:
        """Every topic."""

    def partitions(self, topic: str) -> int:
        """How many it has."""

    def start(self, topic: str, partition: int) -> int:
        """The offset of the first record that is still there."""

    def read(self, topic: str, partition: int = 0) -> Iterator[Message]:
        """All committed records up to where the partition ends now; of a stream, before its log."""
