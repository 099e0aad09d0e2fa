"""Reads rows of blocks from the files of their segments, every one checked by its hash."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sluice.errors import StreamCorrupt, StreamMissing
from sluice.segment.opened import OpenedSegments
from sluice.segment.rows import WORD
from sluice.segment.sealed import NOWHERE, Ints, Places, SealedLanes, key
from sluice.segment.store import SegmentStore
from sluice.wire.chain import Hashes


class SegmentReader:
    """Reads blocks of a dataset that are sealed. Not thread-safe."""

    def __init__(self, store: SegmentStore, sealed: SealedLanes) -> None:
        self._store, self._sealed, self._layout = store, sealed, sealed.layout
        self._opened = OpenedSegments(store, sealed)

    def read(
        self, domains: Sequence[str], domain: Ints, lane: Ints, block: Ints, out: Hashes
    ) -> Hashes:
        """Puts the rows of blocks [n] into ``out`` [n, words], and gives their hashes.

        Each is of ``domain``, a place in ``domains``, and of ``lane``. Fails with StreamMissing if
        a block is not sealed or a file not there, and with StreamCorrupt if a file is not what
        records say; ``out`` is then worth nothing.
        """
        places = self._sealed.places(domains, domain, lane, block)
        absent = np.flatnonzero(places.segment == NOWHERE)
        if absent.size:
            i = absent[0]
            name = domains[domain[i]]
            raise StreamMissing(
                f"block {block[i]} of domain {name}, lane {lane[i]}, is in no segment: "
                f"{self._sealed.rows(name, int(lane[i]))} of the lane's are sealed"
            )
        expected = self._gather(places, out)
        wrong = np.flatnonzero(self._layout.hashes(out) != expected)
        if wrong.size:
            i = wrong[0]
            raise self._not_the_row(places, int(i), int(block[i]))
        return expected

    def _gather(self, places: Places, out: Hashes) -> Hashes:
        of, words, expected = self._opened.open(places)
        order = np.argsort(of, kind="stable")
        objects, starts = np.unique(of[order], return_index=True)
        ends = np.append(starts, order.size)[1:]
        for number, start, stop in zip(objects.tolist(), starts, ends, strict=True):
            at = order[start:stop]
            name, end = self._opened.objects[number], self._opened.ends[number]
            rows = np.frombuffer(self._store.rows(name, end), WORD, end // 8)
            size = self._layout.words
            for i, word in zip(at.tolist(), words[at].tolist(), strict=True):
                out[i] = rows[word : word + size]
        return expected

    def _not_the_row(self, places: Places, i: int, block: int) -> StreamCorrupt:
        segment, row = self._sealed[int(places.segment[i])], int(places.row[i])
        data = segment["data"]
        return StreamCorrupt(
            f"block {block} of domain {segment['domain']}, lane {segment['lane']}, is not what its "
            f"segment {key(segment)} says: row {row}, {self._layout.stride} bytes from "
            f"{data['offset'] + row * self._layout.stride} on in "
            f"{self._store.file(data['object'], 'rows')}"
        )
