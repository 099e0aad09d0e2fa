"""Reads rows of blocks from the files of their segments, every one checked by its hash."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sluice.errors import StreamCorrupt
from sluice.segment.opened import OpenedSegments
from sluice.segment.sealed import Places, SealedLanes
from sluice.segment.sides import RowSides
from sluice.segment.store import SegmentStore
from sluice.wire.chain import Hashes


class StoredRows(NamedTuple):
    """Rows as ``words`` [n, words], their ``hashes`` [n], and what ``sides`` say of them."""

    words: Hashes
    hashes: Hashes
    sides: RowSides


class SegmentReader:
    """Reads blocks of a dataset that are sealed. Not thread-safe."""

    def __init__(self, store: SegmentStore, sealed: SealedLanes) -> None:
        self._sealed = sealed
        self._opened = OpenedSegments(store, sealed)

    def read(self, places: Places) -> StoredRows:
        """The rows of blocks that are in segments, all of them.

        Fails with StreamMissing if a file is not there, and with StreamCorrupt if one is not what
        records say.
        """
        opened, row = self._opened.open(places.segment), places.row
        words, expected = self._opened.rows(opened, row), self._opened.hashes(opened, row)
        wrong = np.flatnonzero(self._sealed.layout.hashes(words) != expected)
        if wrong.size:
            raise self._not_the_row(places, int(wrong[0]))
        return StoredRows(words, expected, self._opened.sides(opened, row))

    def _not_the_row(self, places: Places, i: int) -> StreamCorrupt:
        segment, row = self._sealed[int(places.segment[i])], int(places.row[i])
        return StreamCorrupt(
            f"block {segment.first + row} of domain {segment.domain}, lane {segment.lane}, is not "
            f"what its segment {segment.key} says: row {row}, {segment.stride} bytes "
            f"from {segment.data.offset + row * segment.stride} on in "
            f"{self._opened.path_of(segment)}"
        )

    def close(self) -> None:
        """Gives the files back."""
        self._opened.close()
