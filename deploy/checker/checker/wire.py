"""Records as bytes: section 3 of docs/protocol.md."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import fastavro
from fastavro.schema import (
    fingerprint,
    load_schema,
    load_schema_ordered,
    to_parsing_canonical_form,
)

SCHEMAS = Path(__file__).parents[3] / "schemas" / "src" / "main"
EARLIER = SCHEMAS / "resources" / "io" / "sluice" / "schema" / "earlier"
MAGIC = b"\xc3\x01"
Record = dict[str, Any]

_ORIGIN = ("RunSpec", "RunSnapshot", "RunOrigin")
_NEEDS = {
    "ControlRecord": _ORIGIN,
    "RunCommand": _ORIGIN,
    "TrainerProgress": ("ExposedWait",),
}
_TYPES = (
    "BlockLineage",
    "ControlRecord",
    "DatasetSpec",
    "Document",
    "DocumentRange",
    "DocumentsForgotten",
    "EndOfDomain",
    "PurgedDocument",
    "Segment",
    "ShuffleRelease",
    "TokenBlock",
    "TrainerFeedback",
    "TrainerProgress",
)


def _mark(schema: Any) -> bytes:
    return bytes.fromhex(fingerprint(to_parsing_canonical_form(schema), "CRC-64-AVRO"))


def _current(name: str) -> Any:
    files = [*_NEEDS.get(name, ()), name]
    return load_schema_ordered([str(SCHEMAS / "avro" / f"{each}.avsc") for each in files])


CURRENT = {name: _current(name) for name in _TYPES}
MARKS = {name: _mark(schema) for name, schema in CURRENT.items()}
_WRITTEN = {MARKS[name]: (name, schema) for name, schema in CURRENT.items()}
_WRITTEN |= {
    _mark(schema): (name, schema)
    for name in _TYPES
    for schema in map(load_schema, sorted(EARLIER.glob(f"{name}-*.avsc")))
}


def decoded(value: bytes | None) -> tuple[str, Record] | None:
    """Type and content of a record, unions as (type, content); None for what is neither."""
    if value is None or value[:2] != MAGIC or value[2:10] not in _WRITTEN:
        return None
    name, written = _WRITTEN[value[2:10]]
    body = io.BytesIO(value[10:])
    try:
        found: Any = fastavro.schemaless_reader(
            body, written, CURRENT[name], return_record_name=True
        )
    except Exception:  # hostile bytes may fail anywhere in the codec
        return None
    return None if body.read(1) else (name, found)


def of(name: str, value: bytes | None) -> Record | None:
    """The record, if it is one of that type."""
    found = decoded(value)
    return found[1] if found and found[0] == name else None
