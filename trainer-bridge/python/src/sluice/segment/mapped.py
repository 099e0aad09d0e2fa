"""Files in one range of addresses, so that what lies in many of them is read at once."""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sluice.errors import StreamCorrupt, StreamMissing

MOST_FILES = 1 << 14  # a process has 65,530 mappings
_MOST_OPEN = 128  # whose sizes are asked for at a tenth of the price; a process has 1,024 or more
_LARGEST, _SMALLEST = 1 << 44, 1 << 26  # bytes of addresses; a reserved one takes no memory
_PROT_NONE, _MAP_FIXED = 0, 0x10
_RESERVED = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
_FAILED = ctypes.c_void_p(-1).value

_libc = ctypes.CDLL(None, use_errno=True)
_mmap, _munmap = _libc.mmap, _libc.munmap
_mmap.restype = ctypes.c_void_p
_mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_int64]
_munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


class AddressesTaken(StreamMissing):
    """A file is longer than what is left of the range."""


class FileGone(StreamMissing):
    """A file is not there."""


class _File(NamedTuple):
    """A file that is mapped, at an offset of the range; ``identity`` is its device and inode. It is
    open as ``descriptor``, or not at all: -1."""

    path: Path
    at: int
    size: int
    identity: tuple[int, int]
    descriptor: int

    def size_now(self) -> int:
        """Bytes that what is mapped has now, as far as it has a name or is open."""
        if self.descriptor >= 0:
            return os.fstat(self.descriptor).st_size
        try:
            found = os.stat(self.path)
        except OSError:
            return self.size
        return found.st_size if (found.st_dev, found.st_ino) == self.identity else self.size


class MappedFiles:
    """Files that are mapped side by side, each whole and read-only; a number names each.

    Nothing of them may be looked at after :meth:`close`, or after :meth:`forget`. Not thread-safe.
    """

    def __init__(self) -> None:
        self._base: int | None
        self._base, self._size = _reserved()
        self._files: list[_File] = []
        self._descriptors: list[int] = []  # of each, as it has it
        self._end = 0

    def __len__(self) -> int:
        return len(self._files)

    def view(self, kind: str, step: int = 0) -> NDArray[Any]:
        """The whole range as entries of a kind, ``step`` bytes from each to the next, by default as
        they lie behind one another. Only what is in a file may be looked at."""
        dtype = np.dtype(kind)
        step = step or dtype.itemsize
        return np.asarray(
            _Range(self, self._base, dtype, (self._size - dtype.itemsize) // step, step)
        )

    def add(self, path: Path) -> int:
        """Maps another file; fails with StreamMissing where it cannot be read, and with
        AddressesTaken where no room is left for it."""
        try:
            file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise missing(path, error) from None
        try:
            found = os.fstat(file)
            if found.st_size == 0:
                raise StreamCorrupt(f"{path} is empty")
            at = self._end
            end = -(-(at + found.st_size) // mmap.PAGESIZE) * mmap.PAGESIZE
            if end > self._size:
                raise AddressesTaken(
                    f"{path} has {found.st_size} bytes: {self._size - at} of {self._size} bytes of "
                    "addresses are left"
                )
            place = (self._base or 0) + at
            flags = mmap.MAP_SHARED | _MAP_FIXED
            if _map(place, found.st_size, mmap.PROT_READ, flags, file) is None:
                code = ctypes.get_errno()
                raise missing(path, OSError(code, os.strerror(code)))
        except BaseException:
            os.close(file)
            raise
        if len(self._files) >= _MOST_OPEN:
            os.close(file)
            file = -1
        self._files.append(_File(path, at, found.st_size, (found.st_dev, found.st_ino), file))
        self._descriptors.append(file)
        self._end = end
        return len(self._files) - 1

    def place(self, number: int) -> int:
        """Where a file begins in the range."""
        return self._files[number].at

    def path(self, number: int) -> Path:
        """What was mapped."""
        return self._files[number].path

    def require_unchanged(self, number: int, size: int, modified: str) -> None:
        """Fails if a file has not this size, or was not modified at this time, in milliseconds."""
        path = self._files[number].path
        try:
            found = os.stat(path)
        except OSError as error:
            raise missing(path, error) from None
        if (found.st_size, str(found.st_mtime_ns // 1_000_000)) != (size, modified):
            raise StreamCorrupt(
                f"{path} is not what it was when it was indexed: it had {size} bytes, modified at "
                f"{modified} ms, and has {found.st_size}, modified at "
                f"{found.st_mtime_ns // 1_000_000} ms"
            )

    def require(self, number: int, end: int) -> None:
        """Fails if a file has not all bytes before ``end``, or has lost some since it was mapped:
        to read these would kill the process. One that another took the place of, or that was
        deleted, stays what it was."""
        file = self._files[number]
        size = min(file.size, file.size_now())
        if size < end:
            raise StreamCorrupt(
                f"{file.path} has {size} bytes: its records say that there are {end}"
            )

    def cut(self, numbers: Iterable[int], ends: Sequence[int]) -> list[int]:
        """Those of the files that have not all bytes before their ``ends`` any more."""
        open_as, files = self._descriptors, self._files
        return [
            number
            for number in numbers
            if (
                os.fstat(open_as[number]).st_size
                if open_as[number] >= 0
                else files[number].size_now()
            )
            < ends[number]
        ]

    def forget(self) -> None:
        """Unmaps all files."""
        if self._end and self._base is not None:
            _map(self._base, self._end, _PROT_NONE, _RESERVED | _MAP_FIXED, -1)
        self._close_files()
        self._end = 0

    def _close_files(self) -> None:
        for file in self._files:
            if file.descriptor >= 0:
                os.close(file.descriptor)
        self._files.clear()
        self._descriptors.clear()

    def close(self) -> None:
        """Gives the addresses back; twice does nothing more."""
        if self._base is not None:
            base, self._base = self._base, None
            _munmap(base, self._size)
            self._close_files()

    def __del__(self) -> None:
        if getattr(self, "_base", None) is not None:
            self.close()


class _Range:
    """Addresses as numpy looks at them; keeps them reserved for as long as it does."""

    def __init__(
        self, owner: MappedFiles, base: int | None, dtype: np.dtype[Any], count: int, step: int
    ) -> None:
        self._owner = owner
        self.__array_interface__ = {
            "version": 3,
            "data": (base, True),
            "typestr": dtype.str,
            "shape": (count,),
            "strides": (step,),
        }


def _reserved() -> tuple[int, int]:
    """A range that nothing else is put into, and its size: where addresses are limited, as by
    ``ulimit -v``, at most half of those that are left in one piece."""
    size = _LARGEST
    while size >= _SMALLEST:
        base = _map(None, size, _PROT_NONE, _RESERVED, -1)
        if base is not None:
            if size < _LARGEST:
                size //= 2
                _munmap(base + size, size)
            return base, size
        size //= 2
    raise MemoryError(f"no {_SMALLEST} bytes of addresses are left to map files")


def _map(place: int | None, size: int, protection: int, flags: int, file: int) -> int | None:
    """Where it was mapped; None if it could not be."""
    found: int | None = _mmap(place, size, protection, flags, file, 0)
    return None if found == _FAILED else found


def missing(path: Path, error: OSError) -> StreamMissing:
    """The error for a file that cannot be read."""
    kind = FileGone if isinstance(error, FileNotFoundError) else StreamMissing
    return kind(f"{path} cannot be read: {error.strerror}")
