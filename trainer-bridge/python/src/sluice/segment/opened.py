"""Where the rows of segments that were read from lie, and what their hashes are."""

from __future__ import annotations

from typing import Any

import numpy as np

from sluice.errors import StreamCorrupt
from sluice.segment.sealed import Ints, Places, SealedLanes, key
from sluice.segment.side import SegmentSide
from sluice.segment.store import SegmentStore
from sluice.wire.chain import Hashes

_UNKNOWN = -1


class OpenedSegments:
    """Segments whose hashes are known: 8 bytes a row, until a record takes another's place.

    Not thread-safe.
    """

    def __init__(self, store: SegmentStore, sealed: SealedLanes) -> None:
        self._store, self._sealed = store, sealed
        self._begin()

    def _begin(self) -> None:
        self._replaced = self._sealed.replaced
        self.objects: list[str] = []
        self.ends: list[int] = []  # of each object, as far as segments are known
        self._numbers: dict[str, int] = {}
        self._object = np.full(0, _UNKNOWN, dtype=np.int64)
        self._word = np.zeros(0, dtype=np.int64)
        self._hash = np.zeros(0, dtype=np.int64)
        self._known = 0
        self._hashes = np.zeros(0, dtype=np.uint64)

    def open(self, places: Places) -> tuple[Ints, Ints, Hashes]:
        """Of each place the number of its object, the word there, and its row's hash."""
        if self._replaced != self._sealed.replaced:
            self._begin()
        of = places.segment
        lack = int(of.max(initial=_UNKNOWN)) + 1 - self._object.size
        if lack > 0:
            more = max(lack, self._object.size)
            self._object = np.append(self._object, np.full(more, _UNKNOWN))
            self._word = np.append(self._word, np.zeros(more, dtype=np.int64))
            self._hash = np.append(self._hash, np.zeros(more, dtype=np.int64))
        for number in np.unique(of[self._object[of] == _UNKNOWN]).tolist():
            self._add(number)
        words = self._word[of] + places.row * self._sealed.layout.words
        return self._object[of], words, self._hashes[self._hash[of] + places.row]

    def _add(self, number: int) -> None:
        segment = self._sealed[number]
        found = self._side(segment).hash
        if self._known + found.size > self._hashes.size:
            more = max(found.size, self._hashes.size)
            self._hashes = np.append(self._hashes, np.zeros(more, dtype=np.uint64))
        self._hashes[self._known : self._known + found.size] = found
        data = segment["data"]
        object_number = self._numbers.setdefault(data["object"], len(self.objects))
        if object_number == len(self.objects):
            self.objects.append(data["object"])
            self.ends.append(0)
        end = data["offset"] + data["length"]
        self.ends[object_number] = max(self.ends[object_number], end)
        self._word[number], self._hash[number] = data["offset"] // 8, self._known
        self._object[number] = object_number
        self._known += found.size

    def _side(self, segment: dict[str, Any]) -> SegmentSide:
        part = segment["side"]
        try:
            side = SegmentSide(self._store.side(part))
            if side.rows != segment["rows"]:
                raise StreamCorrupt(f"a side must be of {segment['rows']} rows: found {side.rows}")
        except StreamCorrupt as error:
            raise StreamCorrupt(
                f"segment {key(segment)}: side of {part['length']} bytes from {part['offset']} on "
                f"in {part['object']}: {error}"
            ) from None
        return side
