"""Which blocks of a dataset are sealed, and in which segment each is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
        ("stride", "i4"),
        ("file_bytes", "i8"),
        ("file_version", "i4"),
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


class FileInPlace(NamedTuple):
    """How a file with rows in place was: its size, and when it was modified, in milliseconds."""

    bytes: int
    version: str


class Sealed(NamedTuple):
    """A segment, and the SHA-256 of its side's bytes.

    Its rows begin every ``stride`` bytes; in ``file``, if they are in place.
    """

    domain: str
    lane: int
    first: int
    rows: int
    data: StoredPart
    side: StoredPart
    side_sha256: bytes
    stride: int
    file: FileInPlace | None

    @property
    def key(self) -> str:
        """Of its record."""
        return f"{self.domain}/{self.lane}/{self.first}"

    @property
    def objects(self) -> list[tuple[str, str]]:
        """The objects that it is in, each with its kind."""
        rows = [(self.data.object, "rows")] if self.file is None else []
        return [*rows, (self.side.object, "side")]


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
        self._domains, self._objects, self._versions = Numbers(), Numbers(), Numbers()
        self._in_place: set[tuple[int, int]] = set()
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
        file = _file(segment)
        if file is not None:
            self._in_place.add((domain, lane))
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
            segment["stride"] or self.layout.stride,
            0 if file is None else file["bytes"],
            NOWHERE if file is None else self._versions.of(file["version"]),
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
        data, side, file = segment["data"], segment["side"], _file(segment)
        stride = self.layout.stride if file is None else segment["stride"]
        own = stride if file is None else self.layout.bytes
        length = (segment["rows"] - 1) * stride + own
        for what, is_so in (
            (f"must be of dataset {self._dataset}", segment["dataset"] == self._dataset),
            ("must be of a lane", 0 <= segment["lane"] < _MOST_LANES),
            ("must have ordinals", segment["first"] + segment["rows"] <= _MOST_BLOCKS),
            ("must have a stride", stride > 0),
            (f"must have {length} bytes of rows", data["length"] == length),
            ("must have a stride in place alone", file is not None or segment["stride"] == 0),
            (
                "must have rows at a page",
                file is not None or _at(data["offset"], _DATA_ALIGNMENT),
            ),
            (
                "must have rows within their file",
                file is None or 0 <= data["offset"] <= file["bytes"] - length,
            ),
            ("must have a side at 64 bytes", _at(side["offset"], _SIDE_ALIGNMENT)),
            ("must have a side", side["length"] > 0),
            ("must have the SHA-256 of its side", _is_digest(side["sha256"])),
        ):
            if not is_so:
                raise StreamCorrupt(f"segment {key(segment)} {what}: found {segment}")

    def __getitem__(self, number: int) -> Sealed:
        """The segment of a number, which stays that of its key."""
        found = self._columns[number].item()
        domain, lane, first, rows, data_object, data, side_object, side, length, sha256 = found[:10]
        stride, file_bytes, version = found[10:]
        file = None if version == NOWHERE else FileInPlace(file_bytes, self._versions[version])
        own = stride if file is None else self.layout.bytes
        return Sealed(
            self._domains[domain],
            lane,
            first,
            rows,
            StoredPart(self._objects[data_object], data, (rows - 1) * stride + own),
            StoredPart(self._objects[side_object], side, length),
            sha256,
            stride,
            file,
        )

    def after(self, number: int) -> Sealed | None:
        """The segment that begins where one ends in its lane, if it is sealed."""
        domain, lane, first, rows = self._columns[number][
            ["domain", "lane", "first", "rows"]
        ].item()
        following = self._numbers.get((domain, lane, first + rows))
        return None if following is None else self[following]

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

    def in_place(self, domains: tuple[str, ...], lanes: int) -> NDArray[np.bool_]:
        """[lanes, domains]: whether the blocks of each lane's part are in place."""
        if not self._in_place:
            return np.zeros((lanes, len(domains)), dtype=bool)
        own = [self._domains.find(name) for name in domains]
        return np.array(
            [[(number, lane) in self._in_place for number in own] for lane in range(lanes)]
        )

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


def _file(segment: wire.Record) -> wire.Record | None:
    named = segment["file"]
    return None if named is None else named[1]


def _at(offset: int, multiple: int) -> bool:
    return 0 <= offset < 1 << 62 and offset % multiple == 0


def _is_digest(text: Any) -> bool:
    try:
        return len(text) == 64 and len(bytes.fromhex(text)) == 32
    except ValueError:
        return False
