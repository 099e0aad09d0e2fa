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
        path = uri.removeprefix(_FILE)
        if path == uri or not path.startswith("/") or os.path.normpath(path) != path:
            raise ValueError(f"store must be file:///ABSOLUTE/PATH without '..': found {uri!r}")
        self._folder, self._dataset = Path(path), dataset

    def file(self, name: str, kind: str) -> Path:
        """The file of an object of this dataset, of ``kind`` rows or side."""
        whole = _OBJECT.fullmatch(name)
        if not whole or whole[1] != kind or name.split("/")[0] != self._dataset:
            raise StreamCorrupt(
                f"an object of dataset {self._dataset} must be called "
                f"{self._dataset}/SHA256.{kind}: found {name!r}"
            )
        return self._folder / name
