"""Avro single-object encoding of the records on the wire: C3 01, fingerprint, binary body."""

from __future__ import annotations

import io
from functools import cache
from importlib import resources
from typing import Any

import fastavro
from fastavro.schema import fingerprint, load_schema_ordered, to_parsing_canonical_form

from sluice.errors import WireFormatError

Record = dict[str, Any]

TYPES = (
    "ControlRecord",
    "EndOfDomain",
    "Supply",
    "TokenBlock",
    "TrainerAttached",
    "TrainerFeedback",
    "TrainerProgress",
)
_MARKER = b"\xc3\x01"
_NESTED = {"ControlRecord": ["RunSpec", "RunSnapshot", "RunOrigin"]}


def _load(name: str) -> Any:
    directory = resources.files("sluice.wire") / "schemas"
    with resources.as_file(directory) as path:
        return load_schema_ordered(
            [str(path / f"{part}.avsc") for part in [*_NESTED.get(name, []), name]]
        )


def _marked(schema: Any) -> bytes:
    crc = fingerprint(to_parsing_canonical_form(schema), "CRC-64-AVRO")
    return _MARKER + int(crc, 16).to_bytes(8, "big")


_SCHEMAS: dict[str, Any] = {name: _load(name) for name in TYPES}
_PREFIXES: dict[str, bytes] = {name: _marked(schema) for name, schema in _SCHEMAS.items()}
_NAMES: dict[bytes, str] = {start: name for name, start in _PREFIXES.items()}


def prefix(name: str) -> bytes:
    """The ten bytes that the encoding of the named type starts with."""
    return _PREFIXES[name]


def encode(name: str, record: Record) -> bytes:
    """The single-object encoding of a record of the named type."""
    out = io.BytesIO()
    out.write(_PREFIXES[name])
    fastavro.schemaless_writer(out, _SCHEMAS[name], record)
    return out.getvalue()


@cache
def around(name: str, field: str) -> tuple[Any, Any]:
    """Schemas of the fields of the named type before a field, and of those after it."""
    schema = _SCHEMAS[name]
    at = [each["name"] for each in schema["fields"]].index(field)
    before, after = schema["fields"][:at], schema["fields"][at + 1 :]
    parts = {"Before": before, "After": after}
    first, second = (
        fastavro.parse_schema({"type": "record", "name": f"{name}{part}", "fields": fields})
        for part, fields in parts.items()
    )
    return first, second


def decode(data: bytes) -> tuple[str, Record]:
    """Name of the type and the record, whatever wire type it is.

    Bodies of a union are ``(full name, record)`` pairs.
    """
    if len(data) < 10 or data[:2] != _MARKER:
        raise WireFormatError(
            f"not Avro single-object encoding: {len(data)} bytes that do not start with C3 01 "
            "and a schema fingerprint"
        )
    name = _NAMES.get(data[:10])
    if name is None:
        found = int.from_bytes(data[2:10], "little")
        raise WireFormatError(f"unknown schema fingerprint {found:x}: a newer writer?")
    body = io.BytesIO(data)
    body.seek(10)
    try:
        record: Any = fastavro.schemaless_reader(
            body, _SCHEMAS[name], None, return_record_name=True
        )
    except Exception as error:  # fastavro has no common error for bytes that are not a record
        raise WireFormatError(f"truncated or corrupt record: {error!r}") from error
    return name, record


def decode_as(name: str, data: bytes) -> Record:
    """The record of the named type that the bytes hold."""
    found, record = decode(data)
    if found != name:
        raise WireFormatError(f"expected {name}, found {found}")
    return record
