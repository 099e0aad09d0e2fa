"""Segments whose files are mapped, and what lies where in these."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sluice.cache.node_cache import CacheFull, CacheWaits
from sluice.errors import StreamCorrupt
from sluice.segment.mapped import MOST_FILES, AddressesTaken, FileGone, MappedFiles
from sluice.segment.sealed import FileInPlace, Sealed, SealedLanes, StoredPart
from sluice.segment.side import SegmentSide
from sluice.segment.sides import RowSides, ragged
from sluice.segment.store import SegmentStore
from sluice.segment.table import NOWHERE, Ints
from sluice.wire.chain import Hashes

_LONGEST_SIDE = 1 << 30
_COLUMNS = ("hash", "produced", "trained", "partsEnd", "length", "document", "runsEnd", "run")
_PLACES = np.dtype(
    [(name, "i8") for name in ("data_file", "side_file", "data", "stride", *_COLUMNS)]
)


class OpenedSegments:
    """Segments that were looked at, until a record takes another's place or there are too many.

    Not thread-safe.
    """

    def __init__(self, store: SegmentStore, sealed: SealedLanes) -> None:
        self._store, self._sealed = store, sealed
        self._files = MappedFiles()
        self._bytes = self._files.view("u1")
        self._rows = self._files.view(f"V{sealed.layout.stride}", 1)
        self._unpadded = self._files.view(f"V{sealed.layout.bytes}", 1)
        self._numbers = {kind: self._files.view(kind) for kind in ("<i4", "<i8", "<u8")}
        self._begin()

    def _begin(self) -> None:
        self._files.forget()
        self._store.release()
        self._stands = self._standing()
        self._numbers_of: dict[tuple[str, str], int] = {}  # by names and kinds
        self._ends: list[int] = []  # of each file, as far as its segments are known
        self._in_place: dict[int, FileInPlace] = {}  # by the number of each file
        self._required = np.zeros(0, dtype=np.int64)  # segments that were looked at last
        self._required_files: list[int] = []
        self._places = np.zeros(0, dtype=_PLACES)
        self._grow(16)

    def _standing(self) -> tuple[int, int]:
        """What is opened stands for as long as this does not change."""
        return self._sealed.replaced, self._store.lost

    def _grow(self, more: int) -> None:
        added = np.zeros(more, dtype=_PLACES)
        added["data_file"] = NOWHERE
        self._places = np.append(self._places, added)

    def open(self, of: Ints) -> NDArray[Any]:
        """Where those segments lie whose numbers are in ``of``, for each of these.

        Raises CacheWaits while the cache does not have them all.
        """
        if self._stands != self._standing():
            self._begin()
        numbers = np.unique(of)
        new = numbers[~self._is_open(numbers)]
        if new.size and len(self._files) + 2 * new.size > MOST_FILES:
            self._begin()
            new = numbers
        try:
            self._open(new)
        except (AddressesTaken, CacheFull):
            self._begin()
            self._open(numbers)
        self._require(numbers)
        return self._places[of]

    def _is_open(self, numbers: Ints) -> NDArray[np.bool_]:
        lack = int(numbers.max(initial=0)) + 1 - self._places.size
        if lack > 0:
            self._grow(max(lack, self._places.size))
        found: NDArray[np.bool_] = self._places["data_file"][numbers] != NOWHERE
        return found

    def _open(self, numbers: Ints) -> None:
        new = numbers[~self._is_open(numbers)].tolist()
        for number in new:
            self._ahead(self._sealed[number])
        for number in new:
            try:
                self._places[number] = self._opened(self._sealed[number])
            except StreamCorrupt:
                self.doubt([number])
                raise
            following = self._sealed.after(number)
            if following is not None:
                self._ahead(following)

    def _ahead(self, segment: Sealed) -> None:
        for each in segment.objects:
            if each not in self._numbers_of:
                self._store.ahead(*each)

    def _require(self, numbers: Ints) -> None:
        """Fails if files are not what they were when they were opened."""
        if not np.array_equal(numbers, self._required):
            files = self._places["data_file"][numbers], self._places["side_file"][numbers]
            self._required, self._required_files = numbers, np.unique(files).tolist()
        cut = self._files.cut(self._required_files, self._ends)
        in_place = [file for file in self._required_files if file in self._in_place]
        for file in cut + in_place:
            try:
                self._files.require(file, self._ends[file])
                if file in self._in_place:
                    self._files.require_unchanged(file, *self._in_place[file])
            except StreamCorrupt:
                self.doubt(numbers[self._is_of(numbers, file)].tolist())
                raise

    def _is_of(self, numbers: Ints, file: int) -> NDArray[np.bool_]:
        places = self._places[numbers]
        found: NDArray[np.bool_] = (places["data_file"] == file) | (places["side_file"] == file)
        return found

    def doubt(self, numbers: Iterable[int]) -> None:
        """Has the cache look at the objects of segments that are wrong, and opens all anew."""
        for each in {each for number in numbers for each in self._sealed[number].objects}:
            self._store.check(*each)
        self._begin()

    def let_go_of_evicted(self) -> None:
        """Opens all anew once a file is gone from the cache: mapped, it would take its room."""
        if self._store.is_cached and any(
            kind and not self._files.path(number).exists()
            for (_, kind), number in self._numbers_of.items()
        ):
            self._begin()

    def _opened(self, segment: Sealed) -> tuple[int, ...]:
        data, side = segment.data, segment.side
        if segment.file is None:
            data_file = self._object(data.object, "rows", data.end)
        else:
            data_file = self._file_in_place(data, segment.file)
        try:
            side_file = self._object(side.object, "side", side.end)
            begin = self._files.place(side_file) + side.offset
            offsets = self._side(segment, side_file, begin).offsets
        except StreamCorrupt as error:
            raise StreamCorrupt(
                f"segment {segment.key}: side of {side.length} bytes from {side.offset} on "
                f"in {side.object}: {error}"
            ) from None
        columns = (begin + offsets[name] if name in offsets else NOWHERE for name in _COLUMNS)
        at = self._files.place(data_file) + data.offset
        return data_file, side_file, at, segment.stride, *columns

    def _object(self, name: str, kind: str, end: int) -> int:
        """An object's file, which has all bytes before an end."""
        number = self._numbers_of.get((name, kind))
        if number is None:
            path = self._store.file(name, kind)
            try:
                number = self._add((name, kind), path)
            except FileGone as gone:
                raise CacheWaits(str(gone)) if self._store.is_cached else gone from None
        return self._reaching(number, end)

    def _file_in_place(self, data: StoredPart, file: FileInPlace) -> int:
        number = self._numbers_of.get((data.object, ""))
        if number is None:
            number = self._add((data.object, ""), self._store.in_place(data.object))
        self._reaching(number, data.end)
        self._in_place[number] = file
        self._files.require_unchanged(number, *file)
        return number

    def _add(self, known_as: tuple[str, str], path: Path) -> int:
        number = self._numbers_of[known_as] = self._files.add(path)
        self._ends.append(0)
        return number

    def _reaching(self, number: int, end: int) -> int:
        self._files.require(number, end)
        self._ends[number] = max(self._ends[number], end)
        return number

    def path_of(self, place: NDArray[Any]) -> Path:
        """The file that has the rows of a segment that was opened."""
        return self._files.path(int(place["data_file"]))

    def _side(self, segment: Sealed, file: int, begin: int) -> SegmentSide:
        part = segment.side
        if part.length > _LONGEST_SIDE:
            raise StreamCorrupt(f"a side must have at most {_LONGEST_SIDE} bytes")
        data = self._bytes[begin : begin + part.length]
        if hashlib.sha256(data.data).digest() != segment.side_sha256:
            raise StreamCorrupt(
                f"{self._files.path(file)}: these bytes are not those with the SHA-256 "
                f"{segment.side_sha256.hex()}"
            )
        side = SegmentSide(data)
        if side.rows != segment.rows:
            raise StreamCorrupt(f"a side must be of {segment.rows} rows: found {side.rows}")
        side.require_filled(self._sealed.layout.tokens)
        return side

    def rows(self, places: NDArray[Any], row: Ints) -> Hashes:
        """[n, words]: rows of segments that were opened."""
        layout, at = self._sealed.layout, places["data"] + row * places["stride"]
        if not self._in_place:
            whole: Hashes = self._rows[at].view("<u8").reshape(row.size, layout.words)
            return whole
        words: Hashes = np.zeros((row.size, layout.words), dtype="<u8")
        words.view("u1")[:, : layout.bytes] = (
            self._unpadded[at].view("u1").reshape(row.size, layout.bytes)
        )
        return words

    def hashes(self, places: NDArray[Any], row: Ints) -> Hashes:
        """[n]: what sides say that the rows' hashes are."""
        return self._entries("<u8", places["hash"], row)

    def sides(self, places: NDArray[Any], row: Ints) -> RowSides:
        """What sides say of the rows."""
        starts, counts = self._lists(places["partsEnd"], row)
        part, parts_end = ragged(starts, counts)
        of = np.repeat(np.arange(row.size), counts)
        runs_end, run = self._runs(places, row)
        return RowSides(
            self._entries("<i8", places["produced"], row),
            self._entries("<i4", places["trained"], row),
            parts_end,
            self._entries("<i4", places["length"][of], part),
            self._entries("<u8", places["document"][of], part),
            runs_end,
            run,
        )

    def _runs(self, places: NDArray[Any], row: Ints) -> tuple[Ints | None, NDArray[Any] | None]:
        """Where the runs of each row end, and the runs; a row without has one of all labels."""
        masked = np.flatnonzero(places["runsEnd"] != NOWHERE)
        if not masked.size:
            return None, None
        starts, counts = self._lists(places["runsEnd"][masked], row[masked])
        every = np.ones(row.size, dtype=np.int64)
        every[masked] = counts
        ends: Ints = every.cumsum()
        run = np.full(int(ends[-1]), self._sealed.layout.tokens - 1, dtype=np.int32)
        found = self._entries(
            "<i4", np.repeat(places["run"][masked], counts), _items(starts, counts)
        )
        run[_items(ends[masked] - counts, counts)] = found
        return ends, run

    def _lists(self, ends: Ints, row: Ints) -> tuple[Ints, Ints]:
        """Where the list of each row starts, and how long it is, by a column of ends."""
        end = self._entries("<i4", ends, row).astype(np.int64)
        start = np.where(row > 0, self._entries("<i4", ends, np.maximum(row - 1, 0)), 0)
        return start, end - start

    def _entries(self, kind: str, begin: Ints, index: Ints) -> NDArray[Any]:
        numbers = self._numbers[kind]
        found: NDArray[Any] = numbers[begin // numbers.itemsize + index]
        return found

    def close(self) -> None:
        """Unmaps everything, and gives the store back."""
        self._files.close()
        self._store.close()


def _items(starts: Ints, counts: Ints) -> Ints:
    return ragged(starts, counts)[0]
