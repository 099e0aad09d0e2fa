"""The order in which documents are packed, and where they are forgotten: section 4 of the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from checker.corpus import Purged, Text
from checker.packing import Cut
from checker.rules import HeldOut, shuffled
from checker.wire import Record


class Preparing:
    """Goes through a domain's documents once; what it gives is packed one after the other.

    ``releases`` says after how many documents all went that waited; ``forgotten`` are the steps
    before which documents were forgotten, and their hashes.
    """

    def __init__(
        self, spec: Record, domain: str, releases: set[int], forgotten: list[tuple[int, bytes]]
    ) -> None:
        self.spec, self.domain, self.releases = spec, domain, releases
        self.sides = HeldOut(spec["heldOut"], spec["heldOutTokens"])
        self.left = forgotten
        self.steps = 0
        self.cut = Cut(domain, frozenset())
        self.blocks: list[Text | Purged | Cut] = []
        self.apart: list[Text | Purged | Cut] = []
        self.open = [self.blocks, self.apart]

    def take(self, documents: Iterable[Text | Purged], ended: bool) -> None:
        """All of them; what waits to be shuffled goes only if the domain has ``ended``."""
        mixed: Iterator[Text | Purged] = shuffled(
            self.spec["seed"],
            self.domain,
            self.spec["shuffleBuffer"],
            self._trained(documents, ended),
            ended,
        )
        for each in mixed:
            self.steps += 1
            if not self.cut.has(each.id):
                self.blocks.append(each)
            self._forget()

    def _trained(
        self, documents: Iterable[Text | Purged], ended: bool
    ) -> Iterator[Text | Purged | None]:
        """What goes through the shuffle, and None where all of it is released."""
        for count, each in enumerate(documents, 1):
            self._forget()
            self.steps += 1
            if each.size() and not self.cut.has(each.id):
                if self.sides.takes(each.deciding(self.spec["heldOutRule"]), each.size()):
                    self.apart.append(each)
                else:
                    yield each
            if count in self.releases:
                self._forget()
                yield None
        self._forget()
        if ended:
            self.steps += 1
            self.open = [self.blocks]
            self._forget()

    def _forget(self) -> None:
        while self.left and self.left[0][0] <= self.steps:
            hashes = self.left.pop(0)[1]
            more = {hashes[at : at + 16] for at in range(0, len(hashes), 16)}
            self.cut = Cut(self.domain, self.cut.hashes | more)
            self.steps += 1
            for each in self.open:
                each.append(self.cut)
