"""Avro single-object encoding of the records on the wire: C3 01, fingerprint, binary body.

Each type's earlier schemas are kept as ``schemas/earlier/<type>-<n>.avsc``, so that bytes that were
written with them are read for ever.
"""

from __future__ import annotations

import io
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import fastavro
from fastavro.schema import fingerprint, load_schema, load_schema_ordered, to_parsing_canonical_form

from sluice.errors import WireFormatError

Record = dict[str, Any]

TYPES = (
    "ControlRecord",
    "DatasetSpec",
    "DocumentSet",
    "EmissionWait",
    "EndOfDomain",
    "RunStatus",
    "Segment",
    "Supply",
    "TokenBlock",
    "TokenizerPart",
    "TrainerAttached",
    "TrainerFeedback",
    "TrainerProgress",
)
_MARKER = b"\xc3\x01"
_NESTED = {
    "ControlRecord": ["RunSpec", "RunSnapshot", "RunOrigin"],
    "RunStatus": ["ExposedWait"],
    "TrainerProgress": ["ExposedWait"],
}


class Written(NamedTuple):
    """A schema that records of a type were written with, and the ten bytes they start with."""

    name: str
    prefix: bytes
    schema: Any


def _written(name: str, schema: Any) -> Written:
    crc = fingerprint(to_parsing_canonical_form(schema), "CRC-64-AVRO")
    return Written(name, _MARKER + int(crc, 16).to_bytes(8, "big"), schema)


def _load(folder: Path, name: str) -> list[Written]:
    """All schemas of the named type: the current one, then the earlier ones, oldest first."""
    parts = [str(folder / f"{part}.avsc") for part in [*_NESTED.get(name, []), name]]
    found = [_written(name, load_schema_ordered(parts))]
    while (file := folder / "earlier" / f"{name}-{len(found)}.avsc").exists():
        found.append(_written(name, load_schema(str(file))))
    return found


with resources.as_file(resources.files("sluice.wire") / "schemas") as _folder:
    _SCHEMAS = {name: _load(_folder, name) for name in TYPES}
_BY_PREFIX = {one.prefix: one for every in _SCHEMAS.values() for one in every}


def schemas(name: str) -> tuple[Written, ...]:
    """Every schema that records of the named type are read from, the current one first."""
    return tuple(_SCHEMAS[name])


def prefix(name: str) -> bytes:
    """The ten bytes that the encoding of the named type starts with."""
    return _SCHEMAS[name][0].prefix


def type_of(data: bytes) -> str | None:
    """Name of the type that the bytes start like, whichever of its schemas wrote them."""
    written = _BY_PREFIX.get(data[:10])
    return None if written is None else written.name


def encode(name: str, record: Record) -> bytes:
    """The single-object encoding of a record of the named type."""
    out = io.BytesIO()
    out.write(prefix(name))
    fastavro.schemaless_writer(out, _SCHEMAS[name][0].schema, record)
    return out.getvalue()


@cache
def around(name: str, field: str) -> tuple[Any, Any]:
    """Schemas of the fields of the named type before a field, and of those after it."""
    schema = _SCHEMAS[name][0].schema
    at = [each["name"] for each in schema["fields"]].index(field)
    before, after = schema["fields"][:at], schema["fields"][at + 1 :]
    parts = {"Before": before, "After": after}
    first, second = (
        fastavro.parse_schema({"type": "record", "name": f"{name}{part}", "fields": fields})
        for part, fields in parts.items()
    )
    return first, second


def decode(data: bytes) -> tuple[str, Record]:
    """Name of the type and the record, whatever wire type it is, as its current schema has it.

    Bodies of a union are ``(full name, record)`` pairs.
    """
    if len(data) < 10 or data[:2] != _MARKER:
        raise WireFormatError(
            f"not Avro single-object encoding: {len(data)} bytes that do not start with C3 01 "
            "and a schema fingerprint"
        )
    written = _BY_PREFIX.get(data[:10])
    if written is None:
        found = int.from_bytes(data[2:10], "little")
        raise WireFormatError(f"unknown schema fingerprint {found:x}: a newer writer?")
    body = io.BytesIO(data)
    body.seek(10)
    current = _SCHEMAS[written.name][0].schema
    try:
        record: Any = fastavro.schemaless_reader(
            body,
            written.schema,
            None if written.schema is current else current,
            return_record_name=True,
        )
    except Exception as error:  # fastavro has no common error for bytes that are not a record
        raise WireFormatError(f"truncated or corrupt record: {error!r}") from error
    if body.tell() != len(data):
        left = len(data) - body.tell()
        raise WireFormatError(f"truncated or corrupt record: {left} bytes follow it")
    return written.name, record


def decode_as(name: str, data: bytes) -> Record:
    """The record of the named type that the bytes hold."""
    found, record = decode(data)
    if found != name:
        raise WireFormatError(f"expected {name}, found {found}")
    return record
