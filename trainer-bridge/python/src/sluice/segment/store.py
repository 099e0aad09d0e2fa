"""Where the objects of segments are: a folder that the sealer and the trainers have."""

from __future__ import annotations

import hashlib
import mmap
import os
import re
from collections import OrderedDict
from pathlib import Path

from sluice import wire
from sluice.errors import StreamCorrupt, StreamMissing

_FILE = "file://"
_OBJECT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}/[0-9a-f]{64}\.(rows|side)")
_MOST_MAPPED = 256  # each has a descriptor
_LONGEST_SIDE = 1 << 30


class SegmentStore:
    """The objects of one dataset in a store.

    Those with rows are mapped; of these the ones used last stay so. Not thread-safe.
    """

    def __init__(self, uri: str, dataset: str) -> None:
        """``uri`` is ``file://`` and an absolute path, as it is."""
        path = uri.removeprefix(_FILE)
        if path == uri or not path.startswith("/") or os.path.normpath(path) != path:
            raise ValueError(f"store must be file:///ABSOLUTE/PATH without '..': found {uri!r}")
        self._folder, self._dataset = Path(path), dataset
        self._mapped: OrderedDict[str, mmap.mmap] = OrderedDict()

    def file(self, name: str, kind: str) -> Path:
        """The file of an object of this dataset, of ``kind`` rows or side."""
        whole = _OBJECT.fullmatch(name)
        if not whole or whole[1] != kind or name.split("/")[0] != self._dataset:
            raise StreamCorrupt(
                f"an object of dataset {self._dataset} must be called "
                f"{self._dataset}/SHA256.{kind}: found {name!r}"
            )
        return self._folder / name

    def rows(self, name: str, end: int) -> mmap.mmap:
        """An object that has rows, mapped; it has all bytes before ``end`` still."""
        found = self._mapped.get(name)
        path = self.file(name, "rows")
        if found is None:
            found = self._mapped[name] = _map(path)
            if len(self._mapped) > _MOST_MAPPED:
                self._mapped.popitem(last=False)
        self._mapped.move_to_end(name)
        # A file cut while it is mapped would kill the process where its rows are read.
        _require(path, min(found.size(), len(found)), end)
        return found

    def side(self, part: wire.Record) -> bytes:
        """The bytes of a side, which are those that its record has the digest of."""
        path = self.file(part["object"], "side")
        if part["length"] > _LONGEST_SIDE:
            raise StreamCorrupt(f"a side must have at most {_LONGEST_SIDE} bytes: {part}")
        try:
            with path.open("rb") as file:
                end = part["offset"] + part["length"]
                _require(path, os.fstat(file.fileno()).st_size, end)
                file.seek(part["offset"])
                data = file.read(part["length"])
        except OSError as error:
            raise _missing(path, error) from None
        if hashlib.sha256(data).hexdigest() != part["sha256"]:
            raise StreamCorrupt(
                f"{path}: {part['length']} bytes from {part['offset']} on are not those with the "
                f"SHA-256 {part['sha256']}"
            )
        return data

    def close(self) -> None:
        """Forgets what is mapped, which goes once nobody looks at it."""
        self._mapped.clear()


def _map(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                raise StreamCorrupt(f"{path} is empty")
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise _missing(path, error) from None


def _missing(path: Path, error: OSError) -> StreamMissing:
    return StreamMissing(f"{path} cannot be read: {error.strerror}")


def _require(path: Path, size: int, end: int) -> None:
    if size < end:
        raise StreamCorrupt(f"{path} has {size} bytes: its records say that there are {end}")
