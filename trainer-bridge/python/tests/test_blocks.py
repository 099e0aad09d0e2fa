"""Blocks are read as Avro says, whichever schema they were written with."""

from __future__ import annotations

import io
import random
from typing import Any

import fastavro
import pytest

from sluice import wire
from sluice.block.layout import BlockLayout, layout_of
from sluice.block.reader import BlockReader
from sluice.errors import WireFormatError
from vectors import RESOURCES
from writers import DOMAINS, LENGTH, block, run_info

RUN = run_info(1, [1])
CURRENT, FIRST = wire.schemas("TokenBlock")
COMMITTED = sorted(RESOURCES.glob("wire/v*/TokenBlock*.bin"))


def encoded(record: dict[str, Any], written: wire.Written = CURRENT) -> bytes:
    out = io.BytesIO()
    fastavro.schemaless_writer(out, written.schema, record)
    return written.prefix + out.getvalue()


def assert_lies(layout: BlockLayout, data: bytes, record: dict[str, Any]) -> None:
    start = layout.start(data)
    assert start[:4] == tuple(
        record.get(name, 0) for name in ("fingerprint", "domain", "lane", "ordinal")
    )
    body = layout.body(data, start.end)
    assert data[body.at : body.at + body.size] == record["tokens"]
    assert body.width == record["tokenWidth"]
    assert body.document_lengths == record["documentLengths"]
    assert body.mask_runs == record.get("lossMask")
    assert body.produced_at == record.get("producedAtMillis", 0)
    for length in range(len(layout.prefix), len(data)):
        with pytest.raises(WireFormatError, match="truncated or corrupt"):
            layout.body(data[:length], layout.start(data[:length]).end)


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_committed_bytes_of_every_version(path: Any) -> None:
    data = path.read_bytes()
    assert_lies(layout_of(data), data, wire.decode_as("TokenBlock", data))


def test_every_version_is_committed() -> None:
    assert {path.read_bytes()[:10] for path in COMMITTED} == {CURRENT.prefix, FIRST.prefix}


@pytest.mark.parametrize("written", [CURRENT, FIRST], ids=["current", "first"])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"lane": 3, "ordinal": 1 << 40},
        {"documentLengths": [5], "documentIds": ["x" * 200]},
        {"documentLengths": [4, 0, 1], "documentIds": ["", "é", "z"]},
        {"documentLengths": [1] * 5, "documentIds": list("abcde"), "producedAtMillis": 1 << 41},
        {"lossMask": [1, 3]},
        {"contentType": "other", "payload": b"xyz"},
    ],
)
def test_what_is_read_at_a_glance_is_what_a_walk_finds(
    changes: dict[str, Any], written: wire.Written
) -> None:
    data = encoded(block("prose", 300) | changes, written)
    reader = BlockReader(RUN)
    glance, walk = reader._usual(data), reader._usable(data)
    assert glance is not None
    assert glance[:4] + glance[5:] == walk[:4] + walk[5:]
    assert glance.tokens.tolist() == walk.tokens.tolist() == list(range(60_300, 60_305))
    assert reader.identify(data) == glance.identity == walk.identity
    assert glance.produced_at == (changes.get("producedAtMillis", 0) if written is CURRENT else 0)
    for length in range(len(data)):
        assert not reader.read(data[:length]).usable


def test_a_block_is_walked_to_its_end_or_refused() -> None:
    far = block("prosé", 0, lane=3, fingerprint=-(1 << 63), lossMask=[1, 3], payload=b"xyz")
    far |= {"ordinal": 1 << 40, "documentLengths": [1 << 20, -7, 300], "producedAtMillis": -1}
    data = encoded(far)
    assert_lies(layout_of(data), data, far)
    with pytest.raises(WireFormatError, match="an integer of more than 64 bits"):
        layout_of(data).start(data[:10] + b"\xff" * 20)
    other = wire.encode("EndOfDomain", {"domain": "java", "lane": 0, "size": 3})
    with pytest.raises(WireFormatError, match="not an encoded TokenBlock"):
        layout_of(other)


@pytest.mark.parametrize("written", [CURRENT, FIRST], ids=["current", "first"])
@pytest.mark.parametrize("seed", range(200))
def test_damaged_blocks_are_refused_or_read_but_never_fail_otherwise(
    seed: int, written: wire.Written
) -> None:
    rng = random.Random(seed)
    data = bytearray(encoded(block("java", seed % 7, lossMask=[1, 3]), written))
    for _ in range(rng.randrange(1, 4)):
        data[rng.randrange(10, len(data))] = rng.randrange(256)
    reader = BlockReader(RUN)
    read = reader.read(bytes(data))
    assert read.tokens.size == LENGTH + 1
    assert read.loss_mask.size == LENGTH
    assert sum(read.document_lengths) == LENGTH + 1
    assert reader.identify(bytes(data)).domain < len(DOMAINS)


NESTED = {"type": "record", "name": "Nested", "fields": [{"name": "x", "type": "double"}]}
UNKNOWN: list[tuple[Any, Any]] = [
    ("null", None),
    ("boolean", True),
    ("int", -300),
    ("long", 1 << 50),
    ("float", 0.5),
    ("double", 0.25),
    ("string", "anything"),
    ("bytes", b"\x80" * 70),
    ({"type": "fixed", "name": "Digest", "size": 5}, b"12345"),
    ({"type": "enum", "name": "Kind", "symbols": ["a", "b"]}, "b"),
    ({"type": "array", "items": "string"}, ["a", "b" * 99]),
    ({"type": "array", "items": "long"}, [1, -1, 1 << 40]),
    ({"type": "array", "items": {"type": "array", "items": "float"}}, [[0.5], []]),
    ({"type": "map", "values": "bytes"}, {"k": b"v", "w": b""}),
    (["null", "string"], "there"),
    (["null", "int", NESTED], {"x": 1.5}),
]


@pytest.mark.parametrize("seed", range(40))
def test_fields_of_another_version_are_passed_over_by_their_type(seed: int) -> None:
    rng = random.Random(seed)
    fields = [dict(field) for field in CURRENT.schema["fields"]]
    for name in ("lane", "lossMask", "producedAtMillis", "documentIds", "payload"):
        if rng.randrange(3) == 0:
            fields = [field for field in fields if field["name"] != name]
    added: dict[str, Any] = {}
    for i, (kind, value) in enumerate(rng.sample(UNKNOWN, rng.randrange(1, len(UNKNOWN)))):
        added[f"extra{i}"] = value
        fields.insert(rng.randrange(len(fields) + 1), {"name": f"extra{i}", "type": kind})
    schema = fastavro.parse_schema({"type": "record", "name": "TokenBlock", "fields": fields})
    written = wire.Written("TokenBlock", b"0123456789", schema)
    record = block("java", 7, lossMask=rng.choice([None, [1, 3]]), producedAtMillis=1 << 41)
    there = {field["name"] for field in fields}
    record = {name: value for name, value in record.items() if name in there}
    assert_lies(BlockLayout(written), encoded(record | added, written), record)


@pytest.mark.parametrize("change", ["ordinal", "retyped", "moved"])
def test_a_schema_that_changes_what_is_needed_is_refused(change: str) -> None:
    fields = [dict(field) for field in CURRENT.schema["fields"]]
    if change == "retyped":
        fields[3]["type"] = "string"
    moved = fields.pop(3)
    if change == "moved":
        fields.append(moved)
    elif change == "retyped":
        fields.insert(3, moved)
    schema = fastavro.parse_schema({"type": "record", "name": "TokenBlock", "fields": fields})
    with pytest.raises(ValueError, match="a block must have its field '(ordinal|tokenWidth)' as"):
        BlockLayout(wire.Written("TokenBlock", b"0123456789", schema))


def test_names_that_are_none_of_the_run_s_are_asked_for_no_more_than_a_thousand_times() -> None:
    reader = BlockReader(RUN)
    asked: list[int] = []
    reader.learn = lambda: asked.append(1) or RUN.domains  # type: ignore[func-returns-value]
    for i in range(1500):
        assert not reader.read(encoded(block(f"d{i}", 0))).usable
    assert len(asked) == 1024
    assert reader.undecodable == 1500
