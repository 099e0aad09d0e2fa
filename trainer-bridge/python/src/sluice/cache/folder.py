"""Which folder the cache of a node is in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "SLUICE_NODE_CACHE"

Folder = str | os.PathLike[str]


def folder_at(key: str, value: Folder) -> Path:
    """A folder that a setting names, and that may come to be there; ValueError if it is a file."""
    if not os.fspath(value) or (os.path.exists(value) and not os.path.isdir(value)):
        raise ValueError(f"{key} must be the folder of 'sluice cache': {os.fspath(value)!r}")
    return Path(value).absolute()


def cache_folder(given: Path | None, environment: Mapping[str, str]) -> Path | None:
    """The one given, else that of the environment, else none."""
    named = environment.get(VARIABLE)
    return folder_at(VARIABLE, named) if given is None and named else given
