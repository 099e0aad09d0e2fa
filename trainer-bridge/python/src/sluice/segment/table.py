"""Segments by their lanes and blocks, so that one search finds many."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

NOWHERE = -1
_LANES = 1 << 16


class SegmentTable:
    """Of segments their numbers, by part, a lane's of a domain, and first block.

    ``columns`` have fields ``domain``, ``lane``, ``first`` and ``rows``. They may change later.
    """

    def __init__(self, columns: NDArray[Any] | None = None) -> None:
        if columns is None:
            self._number = np.zeros(0, dtype=np.int64)
            return
        part = columns["domain"].astype(np.int64) * _LANES + columns["lane"]
        self._number = order = np.lexsort((columns["first"], part))
        self._part, self._first = part[order], columns["first"][order]
        self._end = self._first + columns["rows"][order]
        self._firsts = np.unique(self._first)
        self._keys = self._key(self._part, self._first)
        self._furthest = _furthest(self._part, self._end)

    def _key(self, part: Ints, block: Ints) -> Ints:
        """Ascends by part, then by how many of the first blocks are not behind a block."""
        found: Ints = part * (self._firsts.size + 1) + self._firsts.searchsorted(block, "right")
        return found

    def places(self, domain: Ints, lane: Ints, block: Ints) -> tuple[Ints, Ints]:
        """Of each block [n] the number of its segment, or NOWHERE, and its row there."""
        if not self._number.size:
            return np.full(block.shape, NOWHERE), np.zeros_like(block)
        part = domain * _LANES + lane
        at = self._keys.searchsorted(self._key(part, block), "right") - 1
        at = self._furthest[np.maximum(at, 0)]
        there = (self._part[at] == part) & (self._first[at] <= block) & (block < self._end[at])
        return np.where(there, self._number[at], NOWHERE), block - self._first[at]


def _furthest(part: Ints, end: Ints) -> Ints:
    """Of each segment the one that reaches furthest, of it and those before it in its part."""
    ranks = (np.unique(each, return_inverse=True)[1].astype(np.int64) for each in (part, end))
    reach = next(ranks) * part.size + next(ranks)
    best = np.maximum.accumulate(reach)
    return np.maximum.accumulate(np.where(reach == best, np.arange(part.size), 0))
