"""Writes stores of segments as docs/protocol.md says that they are, with the rules a stranger wrote
for what is hashed, and none of the reader's code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from checker.rules import mix

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
DTYPES = {"u64": "<u8", "i64": "<i8", "i32": "<i4"}


def row_of(tokens: Sequence[int], width: int) -> bytes:
    data = b"".join(int(token).to_bytes(width, "little") for token in tokens)
    return data + bytes(-len(data) % 8)


def row_hash(row: bytes) -> int:
    total = 0
    for j in range(len(row) // 8):
        word = int.from_bytes(row[8 * j : 8 * j + 8], "little")
        total += word * (mix((j + 1) * GOLDEN & MASK) | 1)
    return mix(total & MASK)


def side_of(columns: Sequence[tuple[str, str, Sequence[int]]], rows: int) -> bytes:
    begin = 64
    while True:
        at = begin
        places: list[tuple[str, str, int, int]] = []
        for name, kind, values in columns:
            places.append((name, kind, at, len(values)))
            at += -(-len(values) * int(DTYPES[kind][2]) // 64) * 64
        line = json.dumps({"version": 1, "rows": rows, "columns": places}).encode() + b"\n"
        if len(line) <= begin:
            break
        begin = -(-len(line) // 64) * 64
    data = line.ljust(begin, b"\0")
    for (_, kind, values), place in zip(columns, places, strict=True):
        data = data.ljust(place[2], b"\0") + np.array(values, dtype=DTYPES[kind]).tobytes()
    return data


def usual_side(rows: Sequence[bytes], tokens: int) -> bytes:
    """Of rows of one part each, all labels of which count."""
    n = len(rows)
    columns: list[tuple[str, str, Sequence[int]]] = [
        ("hash", "u64", [row_hash(row) for row in rows]),
        ("produced", "i64", [0] * n),
        ("trained", "i32", [tokens - 1] * n),
        ("partsEnd", "i32", range(1, n + 1)),
        ("length", "i32", [tokens] * n),
        ("document", "u64", range(1, n + 1)),
    ]
    return side_of(columns, n)


@dataclass
class StoreWriter:
    """Writes objects of several segments each, and the records of these."""

    folder: Path
    tokens: int
    width: int = 2
    dataset: str = "d"
    fingerprint: int = 42
    waiting: list[tuple[str, int, int, list[bytes]]] = field(default_factory=list)
    sides: list[bytes] = field(default_factory=list)

    def add(
        self, domain: str, lane: int, first: int, rows: list[bytes], side: bytes | None = None
    ) -> None:
        """Puts a segment into the next object."""
        self.waiting.append((domain, lane, first, rows))
        self.sides.append(usual_side(rows, self.tokens) if side is None else side)

    def seal(self) -> list[dict[str, Any]]:
        """Writes what waits, and gives its records."""
        data = [b"".join(rows) for *_, rows in self.waiting]
        data_parts, side_parts = (
            self._write(data, "rows", 4096),
            self._write(self.sides, "side", 64),
        )
        records = [
            {
                "dataset": self.dataset,
                "fingerprint": self.fingerprint,
                "generation": 0,
                "domain": domain,
                "lane": lane,
                "first": first,
                "rows": len(rows),
                "ended": False,
                "data": data_part,
                "side": side_part,
                "timeMillis": 0,
                "stride": 0,
                "file": None,
            }
            for (domain, lane, first, rows), data_part, side_part in zip(
                self.waiting, data_parts, side_parts, strict=True
            )
        ]
        self.waiting.clear()
        self.sides.clear()
        return records

    def in_place(
        self, domain: str, tokens: Sequence[int], begin: int, rows: Sequence[range], path: Path
    ) -> list[dict[str, Any]]:
        """Writes tokens behind so many bytes of another's, and gives the records of segments of
        these rows, which share a token with the next."""
        stride = (self.tokens - 1) * self.width
        data = b"".join(int(token).to_bytes(self.width, "little") for token in tokens)
        path.write_bytes(bytes(begin) + data)
        found = path.stat()
        file = {"bytes": found.st_size, "version": str(found.st_mtime_ns // 1_000_000)}
        for part in rows:
            own = [data[i * stride : i * stride + self.tokens * self.width] for i in part]
            self.add(domain, 0, part.start, [row + bytes(-len(row) % 8) for row in own])
        records = self.seal()
        for record in records:
            length = (record["rows"] - 1) * stride + self.tokens * self.width
            offset = begin + record["first"] * stride
            record["data"] = {"object": f"file://{path}", "offset": offset, "length": length}
            record |= {"stride": stride, "file": file | {"indexSha256": ""}}
            record["data"]["sha256"] = ""
        return records

    def _write(self, parts: list[bytes], kind: str, alignment: int) -> list[dict[str, Any]]:
        whole, offsets = b"", []
        for part in parts:
            whole += bytes(-len(whole) % alignment)
            offsets.append(len(whole))
            whole += part
        name = f"{self.dataset}/{hashlib.sha256(whole).hexdigest()}.{kind}"
        (self.folder / self.dataset).mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_bytes(whole)
        return [
            {
                "object": name,
                "offset": offset,
                "length": len(part),
                "sha256": hashlib.sha256(part).hexdigest(),
            }
            for offset, part in zip(offsets, parts, strict=True)
        ]
