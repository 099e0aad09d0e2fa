"""A tracker in memory."""

from __future__ import annotations

from collections.abc import Mapping

from sluice.errors import ExportFailed
from sluice.history.row import Mark, Row


class MemorySink:
    """Keeps what is written; what was not flushed is lost when it is opened again."""

    def __init__(self, fails_at: int = -1) -> None:
        self.kept: list[tuple[Mark, dict[str, float]]] = []
        self.ended: list[str] = []
        self.closed = 0
        self._taken: list[tuple[Mark, dict[str, float]]] = []
        self._fails_at = fails_at

    @property
    def where(self) -> str:
        return "memory"

    def last(self) -> Mark | None:
        self._taken.clear()
        return self.kept[-1][0] if self.kept else None

    def write(self, row: Row, numbers: Mapping[str, float]) -> None:
        if len(self.kept) + len(self._taken) == self._fails_at:
            self._fails_at = -1
            raise ExportFailed("no room")
        self._taken.append((row.mark, dict(numbers)))

    def flush(self) -> None:
        self.kept += self._taken
        self._taken.clear()

    def end(self, state: str) -> None:
        self.ended.append(state)

    def close(self) -> None:
        self.flush()
        self.closed += 1
