"""The vectors and committed bytes that the Java client is tested with, too."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sluice import wire
from sluice.block import tokens
from sluice.block.reader import BlockReader
from sluice.errors import WireFormatError
from sluice.run.rank import TrainerRank
from sluice.run.run_timeline import RunTimeline
from sluice.stream.rows import Rows
from sluice.wire import chain
from sluice.wire.header import StreamHeader
from vectors import RESOURCES, SCHEMAS, vectors
from writers import LENGTH, block, run_info

COMMITTED = sorted(
    path for path in RESOURCES.glob("wire/v*/*.bin") if path.name.split(".")[0] in wire.TYPES
)


@pytest.mark.parametrize("vector", vectors("stream-header"))
def test_stream_header(vector: dict[str, Any]) -> None:
    header = StreamHeader(
        vector["timeline"],
        vector["batch"],
        vector["firstIndex"],
        vector["batchSize"],
        vector["index"],
        vector["weightsVersion"],
        vector["ordinal"],
        int(vector["chain"], 16),
    )
    assert header.encode().hex() == vector["bytes"]
    assert StreamHeader.decode(bytes.fromhex(vector["bytes"])) == header


def test_stream_header_of_another_version_is_refused() -> None:
    with pytest.raises(WireFormatError, match="found 2 bytes of version 2"):
        StreamHeader.decode(b"\x02\x00")


def test_chain_hash() -> None:
    given = vectors("chain-hash")
    fingerprint = int(given["fingerprint"], 16)
    for signed in (fingerprint, fingerprint - (1 << 64)):
        for name, value in given["domains"].items():
            assert chain.domain_hash(signed, name) == int(value, 16)
    for start in given["starts"]:
        assert chain.start(start["planVersion"], start["runId"]) == int(start["chain"], 16)
    value = chain.START
    for step in given["steps"]:
        domain = chain.domain_hash(fingerprint, step["domain"])
        value = chain.next_chain(value, step["index"], domain, step["lane"], step["ordinal"])
        assert value == int(step["chain"], 16), step


def test_tokens() -> None:
    given = vectors("tokens")
    for vector in given["tokens"]:
        packed = bytes.fromhex(vector["bytes"])
        assert tokens.decode(packed, vector["width"]).tolist() == vector["tokens"]
    for vector in given["lossMasks"]:
        assert tokens.trained(vector["labels"], vector["runs"]).tolist() == vector["trained"]


@pytest.mark.parametrize("vector", vectors("share"))
def test_rank(vector: dict[str, Any]) -> None:
    rank = TrainerRank(vector["rank"], vector["worldSize"])
    run = run_info(vector["streamPartitions"], [1], vector["batches"])
    run.spec["batchSizes"] = vector["batchSizes"]
    assert sorted(rank.partitions(RunTimeline.of(run))) == vector["partitions"]
    for size, expected in zip(vector["batchSizes"], vector["rowsOfBatch"], strict=True):
        batch = size["fromBatch"]
        rows = rank.rows(batch, size["sequences"])
        found = {"batch": batch, "firstRow": run.first_index(batch) + rows.start, "rows": len(rows)}
        assert found == expected


@pytest.mark.parametrize("vector", vectors("packed-documents"))
def test_packed_documents(vector: dict[str, Any]) -> None:
    lengths = vector["documentLengths"]
    shape = (len(lengths), sum(lengths[0]))
    mask = np.ones((shape[0], shape[1] - 1), dtype=np.bool_)
    rows = Rows(np.zeros(shape, dtype=np.uint16), mask, tuple(lengths))
    assert rows.seq_lens.tolist() == vector["sequenceLengths"]
    assert rows.cu_seqlens.tolist() == vector["cumulativeLengths"]
    assert rows.position_ids.tolist() == vector["positions"]


@pytest.mark.parametrize(
    ("packed", "width", "message"),
    [
        (b"\x00" * 6, 4, "6 bytes are not whole tokens of 4 bytes"),
        (b"\x00" * 6, 3, "token width must be 2 or 4 bytes: 3"),
        (b"\x00\x00\x00\x80", 4, r"token id must be below 2\^31: 2147483648"),
    ],
)
def test_tokens_that_are_refused(packed: bytes, width: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tokens.decode(packed, width)


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_reads_the_committed_bytes_of_every_version(path: Path) -> None:
    data = path.read_bytes()
    name, record = wire.decode(data)
    assert name == wire.type_of(data) == path.name.split(".")[0]
    described = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert_contains(record, described)
    written = wire.encode(name, record)
    assert (written == data) == data.startswith(wire.prefix(name))
    assert wire.decode(written) == (name, record)


def assert_contains(found: Any, described: Any) -> None:
    if isinstance(found, tuple):
        assert described.keys() == {found[0]}
        assert_contains(found[1], described[found[0]])
    elif isinstance(described, dict) and isinstance(found, list):
        assert_contains(found, next(iter(described.values())))
    elif isinstance(described, dict) and isinstance(found, dict):
        for key, value in described.items():
            assert_contains(found[key], value)
    elif isinstance(described, dict):
        assert_contains(found, next(iter(described.values())))
    elif isinstance(described, list):
        assert len(found) == len(described)
        for one, other in zip(found, described, strict=True):
            assert_contains(one, other)
    elif isinstance(found, bytes):
        assert found == described.encode("latin-1")
    else:
        assert found == described


def test_every_schema_has_committed_bytes() -> None:
    committed = {path.read_bytes()[:10] for path in COMMITTED}
    assert committed == {one.prefix for name in wire.TYPES for one in wire.schemas(name)}


def test_the_packaged_schemas_are_those_of_the_jobs() -> None:
    folder = Path(wire.__file__).parent / "schemas"
    packaged = sorted(folder.glob("*.avsc"))
    assert (
        len(packaged) == len(wire.TYPES) + 4
    )  # RunSpec, RunSnapshot, RunOrigin, ExposedWait are parts
    for path in packaged:
        assert path.read_text() == (SCHEMAS / "main" / "avro" / path.name).read_text(), path.name
    earlier = {
        path.name: path.read_text()
        for path in SCHEMAS.glob("main/resources/io/sluice/schema/earlier/*.avsc")
        if path.name.split("-")[0] in wire.TYPES
    }
    assert {path.name: path.read_text() for path in folder.glob("earlier/*.avsc")} == earlier


def test_bytes_that_are_not_a_record() -> None:
    data = wire.encode("EndOfDomain", {"domain": "java", "lane": 0, "size": 3})
    with pytest.raises(WireFormatError, match="2 bytes that do not start with C3 01"):
        wire.decode(b"{}")
    with pytest.raises(WireFormatError, match="unknown schema fingerprint 1111111111111111"):
        wire.decode(data[:2] + b"\x11" * 8 + data[10:])
    with pytest.raises(WireFormatError, match="expected TokenBlock, found EndOfDomain"):
        wire.decode_as("TokenBlock", data)
    for length in range(10, len(data)):
        with pytest.raises(WireFormatError, match="truncated or corrupt record"):
            wire.decode(data[:length])
    with pytest.raises(WireFormatError, match="truncated or corrupt record: 2 bytes follow it"):
        wire.decode(data + b"xy")


@pytest.mark.parametrize("seed", range(200))
def test_damaged_blocks_are_refused_or_read_but_never_fail_otherwise(seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray(wire.encode("TokenBlock", block("java", seed % 7, lossMask=[1, 3])))
    for _ in range(rng.randrange(1, 4)):
        data[rng.randrange(10, len(data))] = rng.randrange(256)
    read = BlockReader(run_info(1, [1])).read(bytes(data))
    assert read.tokens.size == LENGTH + 1
    assert read.loss_mask.size == LENGTH
    assert sum(read.document_lengths) == LENGTH + 1


def test_a_stretch_of_chain_hashes_is_that_of_one_by_one() -> None:
    rng = random.Random(5)
    words, ordinals = [64, 62, 64], [-1, 0, rng.getrandbits(40), (1 << 63) - 1]
    rows = [
        [*map(rng.getrandbits, words), rng.randrange(-3, 99), rng.choice(ordinals)]
        for _ in range(200)
    ]
    before, indices, domains, lanes, places = zip(*rows, strict=True)
    found = chain.next_chains(
        np.array(before, dtype=np.uint64),
        np.array(indices, dtype=np.int64),
        np.array(domains, dtype=np.uint64),
        np.array(lanes, dtype=np.int64).astype(np.uint64),
        np.array(places, dtype=np.int64).astype(np.uint64),
    )
    assert found.tolist() == [chain.next_chain(*row) for row in rows]
