"""What W&B writes when it is offline, read back: LevelDB's log of protocol buffers."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_BLOCK = 1 << 15
_HEADER = struct.Struct("<IHB")  # checksum, length, and which part of a record follows
_IDENT = 7
_FULL, _LAST = 1, 4


def _records(data: bytes) -> Iterator[bytes]:
    at, parts = _IDENT, list[bytes]()
    while at + _HEADER.size <= len(data):
        left = _BLOCK - at % _BLOCK
        if left < _HEADER.size:
            at += left
            continue
        _, length, kind = _HEADER.unpack_from(data, at)
        at += _HEADER.size
        parts.append(data[at : at + length])
        at += length
        if kind in (_FULL, _LAST):
            yield b"".join(parts)
            parts.clear()


def offline_records(folder: Path) -> list[Any]:
    """The records of all runs below a folder, in the order in which they were written."""
    import wandb
    from wandb.proto import wandb_internal_pb2

    wandb.teardown()  # waits until its process has written all
    files = sorted(folder.glob("offline-run-*/*.wandb"), key=lambda file: file.parent.name)
    return [
        wandb_internal_pb2.Record.FromString(one)
        for file in files
        for one in _records(file.read_bytes())
    ]


def offline_history(folder: Path) -> list[dict[str, float]]:
    """The rows that were logged, in order."""
    found = []
    for record in offline_records(folder):
        if record.HasField("history"):
            items = record.history.item
            row = {"/".join(one.nested_key) or one.key: json.loads(one.value_json) for one in items}
            found.append(row)
    return found
