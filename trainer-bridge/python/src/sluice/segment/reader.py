"""Reads rows of blocks from the files of their segments, every one checked by its hash."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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


class OpenedRows(NamedTuple):
    """Blocks, and where the segments of each were mapped."""

    places: Places
    opened: NDArray[Any]


class SegmentReader:
    """Reads blocks of a dataset that are sealed. Not thread-safe."""

    def __init__(self, store: SegmentStore, sealed: SealedLanes) -> None:
        self._sealed = sealed
        self._opened = OpenedSegments(store, sealed)

    def open(self, places: Places) -> OpenedRows:
        """Opens the segments of blocks, for :meth:`read` until others are opened.

        Fails with CacheWaits while a file is not there yet, with StreamMissing if one is not there,
        and with StreamCorrupt if one is not what records say.
        """
        return OpenedRows(places, self._opened.open(places.segment))

    def read(self, rows: OpenedRows) -> StoredRows:
        """The rows of blocks, all of them; fails with StreamCorrupt if one is not what its segment
        says."""
        (places, opened), row = rows, rows.places.row
        words, expected = self._opened.rows(opened, row), self._opened.hashes(opened, row)
        wrong = np.flatnonzero(self._sealed.layout.hashes(words) != expected)
        if wrong.size:
            error = self._not_the_row(rows, int(wrong[0]))
            self._opened.doubt(np.unique(places.segment[wrong]).tolist())
            raise error
        return StoredRows(words, expected, self._opened.sides(opened, row))

    def let_go_of_evicted(self) -> None:
        """Opens all anew once a file is gone from the cache; not between ``open`` and ``read``."""
        self._opened.let_go_of_evicted()

    def _not_the_row(self, rows: OpenedRows, i: int) -> StreamCorrupt:
        segment, row = self._sealed[int(rows.places.segment[i])], int(rows.places.row[i])
        return StreamCorrupt(
            f"block {segment.first + row} of domain {segment.domain}, lane {segment.lane}, is not "
            f"what its segment {segment.key} says: row {row}, {segment.stride} bytes "
            f"from {segment.data.offset + row * segment.stride} on in "
            f"{self._opened.path_of(rows.opened[i])}"
        )

    def close(self) -> None:
        """Gives the files back."""
        self._opened.close()
