"""The documents that a run masks, read once a batch needs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sluice.block.block import Block
from sluice.errors import KafkaUnreachable, StreamCorrupt
from sluice.run.info import RunInfo
from sluice.run.sets import DocumentSet, SetSource, masked_in


class BatchMasks:
    """Which labels of a batch's blocks are masked.

    No batch is handed out before its sets are there: one that stays away for ``limit`` seconds ends
    the reading, since nobody could say what is trained on.
    """

    def __init__(
        self, source: SetSource, interval: float, limit: float, clock: Callable[[], float]
    ) -> None:
        self._source = source
        self._interval = interval
        self._limit = limit
        self._clock = clock
        self._known: dict[str, DocumentSet] = {}
        self._lacking: set[str] = set()
        self._since = self._looked = 0.0
        self.note = ""  # what the next batch waits for; empty if that is no set

    def know(self, run: RunInfo, batch: int) -> bool:
        """Whether all sets that are masked in a batch are known; looks for those that are not.

        ``run`` is under the specification that governs the batch.
        """
        wanted = run.masked_sets(batch)
        self._known = {name: found for name, found in self._known.items() if name in wanted}
        missing = wanted - self._known.keys()
        now, first = self._clock(), missing != self._lacking
        if missing and (first or now - self._looked >= self._interval):
            self._since = now if first else self._since
            self._look(missing, run, batch)
            self._looked = self._clock()
            self._lacking, missing = missing, wanted - self._known.keys()
        if not missing:
            self._lacking, self.note = set(), ""
        return not missing

    def _look(self, missing: set[str], run: RunInfo, batch: int) -> None:
        try:
            self._known |= self._source.read(missing)
        except KafkaUnreachable as error:
            self._since = self._clock()
            self.note = f"; its masks are not read: {error}"
            return
        lacking = sorted(missing - self._known.keys())
        if not lacking:
            return
        reason = (
            f"batch {batch} waits for the documents that run {run.name} masks in it: "
            f"{self._source.place} has no set whose content has the digest {lacking[0]}"
        )
        if self._clock() - self._since >= self._limit:
            raise StreamCorrupt(f"{reason}, for {self._limit:g} s")
        self.note = f"; {reason}"

    def of(self, run: RunInfo, batch: int) -> list[DocumentSet]:
        """The sets that are masked in a batch, which are known."""
        return [self._known[name] for name in run.masked_sets(batch)]

    def masked(self, run: RunInfo, batch: int, blocks: Sequence[Block]) -> Sequence[Block]:
        """The blocks with no label of documents trained that are masked in a batch whose sets are
        known."""
        sets = self.of(run, batch)
        return [self._masked(run, sets, block) for block in blocks] if sets else blocks

    def _masked(self, run: RunInfo, sets: list[DocumentSet], block: Block) -> Block:
        if not block.usable:
            return block
        is_masked = masked_in(run, sets, run.domains[block.domain])
        return block if is_masked is None else block.without(is_masked)
