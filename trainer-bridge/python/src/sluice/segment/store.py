"""Where the objects of segments are: a folder that the sealer and the trainers have."""

from __future__ import annotations

import os
import re
from pathlib import Path

from sluice.errors import StreamCorrupt

_FILE = "file://"
_OBJECT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}/[0-9a-f]{64}\.(rows|side)")


class SegmentStore:
    """The objects of one dataset in a store."""

    def __init__(self, uri: str, dataset: str) -> None:
        """``uri`` is ``file://`` and an absolute path, as it is."""
        self._folder, self._dataset = Path(_path(uri, "store")), dataset

    @staticmethod
    def in_place(name: str) -> Path:
        """The file that has rows in place."""
        return Path(_path(name, "a file with rows in place"))

    def file(self, name: str, kind: str) -> Path:
        """The file of an object of this dataset, of ``kind`` rows or side."""
        whole = _OBJECT.fullmatch(name)
        if not whole or whole[1] != kind or name.split("/")[0] != self._dataset:
            raise StreamCorrupt(
                f"an object of dataset {self._dataset} must be called "
                f"{self._dataset}/SHA256.{kind}: found {name!r}"
            )
        return self._folder / name


def _path(uri: str, what: str) -> str:
    path = uri.removeprefix(_FILE)
    if path == uri or not path.startswith("/") or os.path.normpath(path) != path:
        raise ValueError(f"{what} must be file:///ABSOLUTE/PATH without '..': found {uri!r}")
    return path
