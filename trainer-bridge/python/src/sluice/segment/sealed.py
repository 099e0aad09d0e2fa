"""Which blocks of a dataset are sealed, and in which segment each is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sluice import wire
from sluice.errors import StreamCorrupt
from sluice.segment.rows import RowFormat

Ints = NDArray[np.int64]

NOWHERE = -1
_DATA_ALIGNMENT, _SIDE_ALIGNMENT = 4096, 64
_MOST_SEGMENTS = 1 << 22
_MOST_BLOCKS = 1 << 48  # of a lane


def key(segment: wire.Record) -> str:
    """The key of a segment's record."""
    return f"{segment['domain']}/{segment['lane']}/{segment['first']}"


class Places(NamedTuple):
    """Where some blocks are: the number of each one's segment, or NOWHERE, and its row there."""

    segment: Ints
    row: Ints


class SealedLanes:
    """The fold of the records of a dataset's segments: of several with one key the last counts.

    ``replaced`` says how often one took another's place.

    Not thread-safe.
    """

    def __init__(self, dataset: str, fingerprint: int, layout: RowFormat) -> None:
        self.layout = layout
        self._dataset, self._fingerprint = dataset, fingerprint
        self._numbers: dict[tuple[str, int, int], int] = {}
        self._segments: list[wire.Record] = []
        self.replaced = 0
        self._table: tuple[tuple[str, ...], _Table] | None = None

    def take(self, segment: wire.Record) -> None:
        """Takes a record; one of another fingerprint, or without a row, says nothing.

        Fails if it contradicts itself or the dataset.
        """
        first, rows = segment["first"], segment["rows"]
        if segment["fingerprint"] != self._fingerprint or first < 0 or rows < 1:
            return
        self._require(segment)
        place = (segment["domain"], segment["lane"], first)
        number = self._numbers.setdefault(place, len(self._segments))
        if number == _MOST_SEGMENTS:
            raise StreamCorrupt(f"dataset {self._dataset} has more than {_MOST_SEGMENTS} segments")
        if number == len(self._segments):
            self._segments.append(segment)
        else:
            self._segments[number] = segment
            self.replaced += 1
        self._table = None

    def _require(self, segment: wire.Record) -> None:
        data, side = segment["data"], segment["side"]
        length = segment["rows"] * self.layout.stride
        for what, is_so in (
            (f"must be of dataset {self._dataset}", segment["dataset"] == self._dataset),
            ("must be of a lane", segment["lane"] >= 0),
            ("must have ordinals", segment["first"] + segment["rows"] <= _MOST_BLOCKS),
            (f"must have {length} bytes of rows", data["length"] == length),
            ("must have rows at a page", _at(data["offset"], _DATA_ALIGNMENT)),
            ("must have a side at 64 bytes", _at(side["offset"], _SIDE_ALIGNMENT)),
            ("must have a side", side["length"] > 0),
        ):
            if not is_so:
                raise StreamCorrupt(f"segment {key(segment)} {what}: found {segment}")

    def __getitem__(self, number: int) -> wire.Record:
        """The segment of a number, which stays that of its key."""
        return self._segments[number]

    def rows(self, domain: str, lane: int) -> int:
        """Blocks of a lane that are sealed: all with ordinals below this."""
        rows = 0
        own = [s for s in self._segments if s["domain"] == domain and s["lane"] == lane]
        for segment in sorted(own, key=lambda each: int(each["first"])):
            if segment["first"] > rows:
                break
            rows = max(rows, segment["first"] + segment["rows"])
        return rows

    def places(self, domains: Sequence[str], domain: Ints, lane: Ints, block: Ints) -> Places:
        """Where blocks [n] are, each of ``domain``, a place in ``domains``, and of ``lane``."""
        names = tuple(domains)
        if self._table is None or self._table[0] != names:
            self._table = names, _Table(self._segments, names)
        return self._table[1].places(domain, lane, block)


def _at(offset: int, multiple: int) -> bool:
    return 0 <= offset < 1 << 62 and offset % multiple == 0


class _Table:
    """Segments by part, a lane's of a domain, and first block, so that one search finds many."""

    def __init__(self, segments: Sequence[wire.Record], domains: tuple[str, ...]) -> None:
        known = {name: i for i, name in enumerate(domains)}
        rows = [
            (s["lane"] * len(domains) + known[s["domain"]], s["first"], s["rows"], number)
            for number, s in enumerate(segments)
            if s["domain"] in known
        ]
        table = np.array(rows, dtype=np.int64).reshape(-1, 4)
        part, first, count, number = table[np.lexsort((table[:, 1], table[:, 0]))].T
        self._domains = len(domains)
        self._firsts = np.unique(first)
        self._keys = self._key(part, first)
        self._part, self._first, self._end, self._number = part, first, first + count, number
        self._furthest = _furthest(part, self._end)

    def _key(self, part: Ints, block: Ints) -> Ints:
        """Ascends by part, then by how many of the first blocks are not behind a block."""
        found: Ints = part * (self._firsts.size + 1) + self._firsts.searchsorted(block, "right")
        return found

    def places(self, domain: Ints, lane: Ints, block: Ints) -> Places:
        part = lane * self._domains + domain
        if not self._keys.size:
            return Places(np.full(block.shape, NOWHERE), np.zeros_like(block))
        at = self._keys.searchsorted(self._key(part, block), "right") - 1
        at = self._furthest[np.maximum(at, 0)]
        there = (self._part[at] == part) & (self._first[at] <= block) & (block < self._end[at])
        return Places(np.where(there, self._number[at], NOWHERE), block - self._first[at])


def _furthest(part: Ints, end: Ints) -> NDArray[Any]:
    """Of each segment the one that reaches furthest, of it and those before it in its part."""
    furthest = np.arange(part.size)
    for i in range(1, part.size):
        before = furthest[i - 1]
        if part[before] == part[i] and end[before] > end[i]:
            furthest[i] = before
    return furthest
