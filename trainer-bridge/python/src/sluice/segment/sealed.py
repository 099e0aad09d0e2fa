"""Which blocks of a dataset are sealed, and in which segment each is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sluice import wire
from sluice.errors import StreamCorrupt
from sluice.segment.names import Numbers
from sluice.segment.rows import RowFormat
from sluice.segment.table import NOWHERE, Ints, SegmentTable

_DATA_ALIGNMENT, _SIDE_ALIGNMENT = 4096, 64
_MOST_SEGMENTS = 1 << 22
_MOST_BLOCKS = 1 << 48  # of a lane
_MOST_LANES = 1 << 16
_COLUMNS = np.dtype(
    [
        ("domain", "i4"),
        ("lane", "i4"),
        ("first", "i8"),
        ("rows", "i4"),
        ("data_object", "i4"),
        ("data_offset", "i8"),
        ("side_object", "i4"),
        ("side_offset", "i8"),
        ("side_length", "i8"),
        ("side_sha256", "V32"),
    ]
)


def key(segment: wire.Record) -> str:
    """The key of a segment's record."""
    return f"{segment['domain']}/{segment['lane']}/{segment['first']}"


class StoredPart(NamedTuple):
    """Bytes of an object."""

    object: str
    offset: int
    length: int

    @property
    def end(self) -> int:
        """Offset of the first byte behind them."""
        return self.offset + self.length


class Sealed(NamedTuple):
    """A segment, and the SHA-256 of its side's bytes."""

    domain: str
    lane: int
    first: int
    rows: int
    data: StoredPart
    side: StoredPart
    side_sha256: bytes

    @property
    def key(self) -> str:
        """Of its record."""
        return f"{self.domain}/{self.lane}/{self.first}"


class Places(NamedTuple):
    """Where some blocks are: the number of each one's segment, or NOWHERE, and its row there."""

    segment: Ints
    row: Ints


class SealedLanes:
    """The fold of the records of a dataset's segments: of several with one key the last counts.

    ``taken`` says how many records counted, and ``replaced`` how many of them took another's place.
    Not thread-safe.
    """

    def __init__(self, dataset: str, fingerprint: int, layout: RowFormat) -> None:
        self.layout = layout
        self.taken = self.replaced = 0
        self._dataset, self._fingerprint = dataset, fingerprint
        self._domains, self._objects = Numbers(), Numbers()
        self._numbers: dict[tuple[int, ...], int] = {}
        self._columns = np.zeros(16, dtype=_COLUMNS)
        self._ends: dict[tuple[int, int], int] = {}
        self._ended: tuple[tuple[str, ...], int, Ints] | None = None
        self._table = SegmentTable()
        self._tabled = 0  # of those taken, how many the table has
        self._known: tuple[tuple[str, ...], Ints] = (), np.zeros(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._numbers)

    def take(self, segment: wire.Record) -> None:
        """Takes a record; one of another fingerprint, or without a row, says nothing.

        Fails if it contradicts itself or the dataset.
        """
        first, rows, lane = segment["first"], segment["rows"], segment["lane"]
        if segment["fingerprint"] != self._fingerprint or first < 0 or rows < 1:
            return
        self._require(segment)
        domain = self._domains.of(segment["domain"])
        data, side = segment["data"], segment["side"]
        number = self._number(domain, lane, first)
        self._columns[number] = (
            domain,
            lane,
            first,
            rows,
            self._objects.of(data["object"]),
            data["offset"],
            self._objects.of(side["object"]),
            side["offset"],
            side["length"],
            bytes.fromhex(side["sha256"]),
        )
        if segment["ended"]:
            self._ends[domain, lane] = max(self._ends.get((domain, lane), 0), first + rows)
            self._ended = None
        self.taken += 1

    def _number(self, *place: int) -> int:
        """The number of a segment: the one that its key has, or the next."""
        known = self._numbers.get(place)
        if known is not None:
            self.replaced += 1
            return known
        number = len(self)
        if number == _MOST_SEGMENTS:
            raise StreamCorrupt(f"dataset {self._dataset} has more than {_MOST_SEGMENTS} segments")
        if number == self._columns.size:
            self._columns = np.append(self._columns, np.zeros(number, dtype=_COLUMNS))
        self._numbers[place] = number
        return number

    def _require(self, segment: wire.Record) -> None:
        data, side = segment["data"], segment["side"]
        length = segment["rows"] * self.layout.stride
        for what, is_so in (
            (f"must be of dataset {self._dataset}", segment["dataset"] == self._dataset),
            ("must be of a lane", 0 <= segment["lane"] < _MOST_LANES),
            ("must have ordinals", segment["first"] + segment["rows"] <= _MOST_BLOCKS),
            (f"must have {length} bytes of rows", data["length"] == length),
            ("must have rows at a page", _at(data["offset"], _DATA_ALIGNMENT)),
            ("must have a side at 64 bytes", _at(side["offset"], _SIDE_ALIGNMENT)),
            ("must have a side", side["length"] > 0),
            ("must have the SHA-256 of its side", _is_digest(side["sha256"])),
        ):
            if not is_so:
                raise StreamCorrupt(f"segment {key(segment)} {what}: found {segment}")

    def __getitem__(self, number: int) -> Sealed:
        """The segment of a number, which stays that of its key."""
        found = self._columns[number].item()
        domain, lane, first, rows, data_object, data, side_object, side, length, sha256 = found
        return Sealed(
            self._domains[domain],
            lane,
            first,
            rows,
            StoredPart(self._objects[data_object], data, rows * self.layout.stride),
            StoredPart(self._objects[side_object], side, length),
            sha256,
        )

    def rows(self, domain: str, lane: int) -> int:
        """Blocks of a lane that are sealed: all with ordinals below this."""
        own = self._columns[: len(self)]
        own = own[(own["domain"] == self._domains.find(domain)) & (own["lane"] == lane)]
        rows = 0
        for first, count in np.sort(own[["first", "rows"]]).tolist():
            if first > rows:
                break
            rows = max(rows, first + count)
        return rows

    def ends(self, domains: tuple[str, ...], lanes: int) -> Ints:
        """[lanes, domains]: the blocks of each lane's part that has ended; 0 of others."""
        if self._ended is None or self._ended[:2] != (domains, lanes):
            found = np.zeros((lanes, len(domains)), dtype=np.int64)
            places = {number: place for place, number in enumerate(self._own(domains).tolist())}
            for (number, lane), end in self._ends.items():
                if lane < lanes and number in places:
                    found[lane, places[number]] = end
            self._ended = domains, lanes, found
        return self._ended[2]

    def _own(self, domains: tuple[str, ...]) -> Ints:
        """The numbers that domains have here, NOWHERE where nothing of them is sealed."""
        names, own = self._known
        if names != domains or (own == NOWHERE).any():
            own = np.array([self._domains.find(name) for name in domains], dtype=np.int64)
            self._known = domains, own
        return own

    def places(self, domains: Sequence[str], domain: Ints, lane: Ints, block: Ints) -> Places:
        """Where blocks [n] are, each of ``domain``, a place in ``domains``, and of ``lane``."""
        own = self._own(tuple(domains))[domain]
        found = Places(*self._table.places(own, lane, block))
        if self._tabled < self.taken and (found.segment == NOWHERE).any():
            self._table = SegmentTable(self._columns[: len(self)])
            self._tabled = self.taken
            found = Places(*self._table.places(own, lane, block))
        return found


def _at(offset: int, multiple: int) -> bool:
    return 0 <= offset < 1 << 62 and offset % multiple == 0


def _is_digest(text: Any) -> bool:
    try:
        return len(text) == 64 and len(bytes.fromhex(text)) == 32
    except ValueError:
        return False
