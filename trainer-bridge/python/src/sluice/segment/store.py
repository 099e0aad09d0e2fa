"""Where the objects of segments are: a folder that sealer and trainers have, or a bucket."""

from __future__ import annotations

import os
import re
from pathlib import Path

from sluice.cache.node_cache import NodeCache
from sluice.errors import StreamCorrupt, StreamMissing

_FILE = "file://"
_BUCKET = re.compile(r"s3://[A-Za-z0-9][A-Za-z0-9._-]{1,254}(/[A-Za-z0-9_=-][A-Za-z0-9._=-]*)*")
_LONGEST_BUCKET = 700
_OBJECT = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]{0,62})/[0-9a-f]{64}\.(rows|side)")


class SegmentStore:
    """The objects of one dataset in a store, and the files that have them.

    With a cache of this node a bucket's are read through it, and a folder's if it serves that.
    """

    def __init__(self, uri: str, dataset: str, cache: Path | None = None) -> None:
        """``uri`` is ``file://`` and an absolute path, as it is, or ``s3://BUCKET`` with or without
        a prefix; StreamMissing if it needs a cache and there is none."""
        self._is_bucket = len(uri) <= _LONGEST_BUCKET and bool(_BUCKET.fullmatch(uri))
        if not self._is_bucket and not _is_folder(uri):
            raise ValueError(
                "store must be file:///ABSOLUTE/PATH without '..', or s3://BUCKET/PREFIX of parts "
                f"of A-Za-z0-9._=- that begin with no '.', in at most {_LONGEST_BUCKET} "
                f"characters: found {uri!r}"
            )
        if self._is_bucket and cache is None:
            raise StreamMissing(
                f"rows of dataset {dataset} in {uri}: start 'sluice cache FOLDER --store {uri} "
                "--size SIZE' on this node, and set SLUICE_NODE_CACHE=FOLDER"
            )
        self._folder, self._dataset = Path(uri.removeprefix(_FILE)), dataset
        self._cache = None if cache is None else NodeCache(cache, uri)

    @staticmethod
    def in_place(name: str) -> Path:
        """The file that has rows in place."""
        if not _is_folder(name):
            raise StreamCorrupt(
                "a file with rows in place must be file:///ABSOLUTE/PATH without '..': found "
                f"{name!r}"
            )
        return Path(name.removeprefix(_FILE))

    def file(self, name: str, kind: str) -> Path:
        """The file of an object of this dataset, of ``kind`` rows or side; CacheWaits while the
        cache does not have it."""
        if not self._is_object(name, kind):
            raise StreamCorrupt(
                f"an object of dataset {self._dataset} must be called "
                f"{self._dataset}/SHA256.{kind}: found {name!r}"
            )
        cache = self._serving()
        return self._folder / name if cache is None else cache.get(name)

    def ahead(self, name: str, kind: str) -> None:
        """Says that an object's file will be asked for; may raise CacheWaits."""
        cache = self._serving() if self._is_object(name, kind) else None
        if cache is not None:
            cache.ahead(name)

    def check(self, name: str, kind: str) -> None:
        """Has the cache look whether its file of an object is what it must be."""
        if self._cache is not None and self._is_object(name, kind):
            self._cache.check(name)

    def release(self) -> None:
        """Says that no file that was given is read any more."""
        if self._cache is not None:
            self._cache.release()

    @property
    def is_cached(self) -> bool:
        """Whether there is a cache, which may let go of files."""
        return self._cache is not None

    @property
    def lost(self) -> int:
        """How often the cache lost sight of what is read of its files."""
        return 0 if self._cache is None else self._cache.lost

    def _is_object(self, name: str, kind: str) -> bool:
        found = _OBJECT.fullmatch(name)
        return found is not None and found.groups() == (self._dataset, kind)

    def _serving(self) -> NodeCache | None:
        """The cache, if objects are read through it."""
        cache = self._cache
        return cache if cache is None or self._is_bucket or cache.serves() else None

    def close(self) -> None:
        """Ends the connection to the cache."""
        if self._cache is not None:
            self._cache.close()


def _is_folder(uri: str) -> bool:
    path = uri.removeprefix(_FILE)
    return path != uri and path.startswith("/") and os.path.normpath(path) == path
