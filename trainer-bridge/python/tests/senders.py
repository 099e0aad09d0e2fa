"""A producer without a broker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from sluice import wire


class MemorySender:
    """A producer whose broker answers at once, not at all, or with an error."""

    def __init__(self, answers: bool = True, error: str | None = None) -> None:
        self.sent: list[tuple[str, int, bytes]] = []
        self.answers = answers
        self._error = error
        self._callbacks: list[Callable[[Any, Any], None]] = []
        self._answered = threading.Event()

    def produce(
        self,
        topic: str,
        value: bytes,
        key: bytes,
        partition: int,
        on_delivery: Callable[[Any, Any], None],
    ) -> None:
        assert key == b"r-1"
        self.sent.append((topic, partition, value))
        self._callbacks.append(on_delivery)

    def poll(self, timeout: float) -> int:
        if not self.answers:
            self._answered.wait(timeout)
            return 0
        for callback in self._callbacks:
            callback(self._error, None)
        self._callbacks.clear()
        return 0


def sent(sender: MemorySender) -> list[tuple[Any, Any]]:
    """Metric, or None for progress, and step of each record."""
    records = [wire.decode(value)[1] for _, _, value in sender.sent]
    return [(one.get("metric"), one.get("step", one.get("batch"))) for one in records]
