"""What a segment says of its rows beside their tokens: section 4 of docs/protocol.md."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sluice.errors import StreamCorrupt
from sluice.wire.chain import Hashes

_ALIGNMENT = 64
_TYPES = {
    "hash": "u64",
    "produced": "i64",
    "trained": "i32",
    "partsEnd": "i32",
    "length": "i32",
    "document": "u64",
    "runsEnd": "i32",
    "run": "i32",
}
_DTYPES: dict[str, np.dtype[Any]] = {
    "u64": np.dtype("<u8"),
    "i64": np.dtype("<i8"),
    "i32": np.dtype("<i4"),
}
_LONGEST_LINE = 1 << 16

Bytes = bytes | NDArray[np.uint8]


class SegmentSide:
    """The columns of a segment's side: views of its bytes.

    ``hash`` [rows] are the rows' hashes. ``produced`` [rows] is when each block was packed, in
    milliseconds since the epoch, 0 if unknown, and ``trained`` [rows] how many of its labels count.
    The parts of row i are those in [``parts_end[i - 1]``, ``parts_end[i]``) of ``length`` and
    ``document``, whose 0 is padding. Its runs over the labels are in ``runs_end`` and ``run``
    likewise, which are None where no row has a loss mask. ``offsets`` are where columns begin.
    """

    def __init__(self, data: Bytes) -> None:
        """Takes the bytes of a side; fails with StreamCorrupt, naming what is wrong."""
        self.rows, places = _header(data)
        places = [place for place in places if _known(place)]
        self._columns = dict(_column(place, data) for place in places)
        self.offsets: dict[str, int] = {place[0]: place[2] for place in places}
        self.parts_end = self._ends("partsEnd")
        parts = int(self.parts_end[-1])
        self.length, self.document = self._get("length", parts), self._get("document", parts)
        self.runs_end = self.run = None
        if "runsEnd" in self._columns:
            self.runs_end = self._ends("runsEnd")
            self.run = self._get("run", int(self.runs_end[-1]))
        self.hash: Hashes = self._get("hash", self.rows)
        self.produced = self._get("produced", self.rows)
        self.trained = self._get("trained", self.rows)

    def _get(self, name: str, count: int) -> NDArray[Any]:
        found = self._columns.get(name)
        if found is None:
            raise StreamCorrupt(f"a side must have a column {name}")
        if found.size != count:
            raise StreamCorrupt(f"column {name} must have {count} entries: found {found.size}")
        return found

    def _ends(self, name: str) -> NDArray[Any]:
        ends = self._get(name, self.rows)
        falls = ends[1:] < ends[:-1]
        if ends[0] < 0 or falls.any():
            row = 0 if ends[0] < 0 else int(falls.argmax()) + 1
            raise StreamCorrupt(f"column {name} must ascend: row {row}")
        return ends

    def require_filled(self, tokens: int) -> None:
        """Fails unless the parts of each row are that many tokens, and its runs no more labels."""
        self._require_sums("length", self.parts_end, self.length, tokens, tokens)
        if self.runs_end is not None and self.run is not None:
            self._require_sums("run", self.runs_end, self.run, 0, tokens - 1)

    def _require_sums(
        self, name: str, ends: NDArray[Any], values: NDArray[Any], least: int, most: int
    ) -> None:
        total = np.zeros(values.size + 1, dtype=np.int64)
        np.cumsum(values, out=total[1:])
        sums = total[ends]
        sums[1:] -= sums[:-1].copy()
        if sums.min() < least or sums.max() > most or values.min(initial=0) < 0:
            wrong = np.flatnonzero((sums < least) | (sums > most))
            row = int(wrong[0]) if wrong.size else int(ends.searchsorted(values.argmin(), "right"))
            raise StreamCorrupt(
                f"column {name} must have no negative numbers, and of each row a sum in "
                f"[{least}, {most}]: row {row}"
            )


def _header(data: Bytes) -> tuple[int, list[Any]]:
    line, ends, _ = bytes(data[:_LONGEST_LINE]).partition(b"\n")
    try:
        found = json.loads(line) if ends else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise StreamCorrupt("a side must begin with a line of JSON")
    rows, columns = found.get("rows"), found.get("columns")
    if found.get("version") != 1 or type(rows) is not int or rows < 1:
        raise StreamCorrupt(f"a side must be of version 1 and of at least a row: found {found}")
    return rows, columns if isinstance(columns, list) else []


def _known(place: Any) -> bool:
    return isinstance(place, list) and bool(place) and type(place[0]) is str and place[0] in _TYPES


def _column(place: list[Any], data: Bytes) -> tuple[str, NDArray[Any]]:
    if len(place) == 4 and place[1] == _TYPES[place[0]]:
        name, kind, offset, count = place
        whole = type(offset) is int and type(count) is int and offset >= 0 and count >= 0
        dtype = _DTYPES[kind]
        if whole and offset % _ALIGNMENT == 0 and offset + count * dtype.itemsize <= len(data):
            return name, np.frombuffer(data, dtype, count, offset)
    raise StreamCorrupt(
        f"column {place[0]} must lie within its side of {len(data)} bytes: found {place}"
    )
