"""What batches were that nobody was told of yet."""

from __future__ import annotations

from collections import deque

from sluice import wire

MOST = 1 << 16  # batches that are kept; the oldest go first
_OF_A_RECORD = 1024


class UnsaidDigests:
    """Digests of batches that were handed out and not said to the run yet. Whoever reports nothing
    keeps those of the last batches."""

    def __init__(self) -> None:
        self._digests: deque[int] = deque(maxlen=MOST)
        self._next = 0

    def add(self, batch: int, digest: int) -> None:
        """A batch was handed out, the one after the batch before."""
        self._digests.append(digest)
        self._next = batch + 1

    def forget(self) -> None:
        """The loader goes elsewhere: whether what was handed out is trained on nobody knows."""
        self._digests.clear()

    def take(self, batch: int) -> list[wire.Record]:
        """Takes those of the batches up to one."""
        taken: list[wire.Record] = []
        while self._digests and (first := self._next - len(self._digests)) <= batch:
            count = min(batch + 1 - first, len(self._digests), _OF_A_RECORD)
            some = [_signed(self._digests.popleft()) for _ in range(count)]
            taken.append({"first": first, "digests": some})
        return taken


def _signed(digest: int) -> int:
    return digest - (1 << 64) if digest >> 63 else digest
