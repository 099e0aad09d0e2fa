"""Rows of blocks as they are read from segments' files, and what is said where these are wrong."""

from __future__ import annotations

import multiprocessing
import os
import random
import resource
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from segment_files import StoreWriter, row_hash, row_of, side_of
from sluice import wire
from sluice.derive.fold import Derivation
from sluice.errors import StreamCorrupt, StreamMissing
from sluice.segment.reader import SegmentReader
from sluice.segment.rows import RowFormat
from sluice.segment.sealed import SealedLanes
from sluice.segment.side import SegmentSide
from sluice.segment.store import SegmentStore
from sluice.segment.table import NOWHERE
from test_derive import ALL, LoggedRun
from vectors import cases

LAYOUT = RowFormat(9, 2)
Records = list[dict[str, Any]]


def block(domain: str, lane: int, ordinal: int) -> list[int]:
    draw = random.Random(f"{domain}/{lane}/{ordinal}")
    return [draw.randrange(1 << 16) for _ in range(LAYOUT.tokens)]


def rows(domain: str, lane: int, first: int, end: int) -> list[bytes]:
    return [row_of(block(domain, lane, n), LAYOUT.width) for n in range(first, end)]


def sealed_of(records: Records) -> SealedLanes:
    sealed = SealedLanes("d", 42, LAYOUT)
    for record in records:
        sealed.take(wire.decode_as("Segment", wire.encode("Segment", record)))
    return sealed


class Store:
    """What is sealed in a folder."""

    def __init__(self, folder: Path, records: Records) -> None:
        self.sealed = sealed_of(records)
        self.reader = SegmentReader(SegmentStore(f"file://{folder}", "d"), self.sealed)


def read(store: Store, wanted: list[tuple[str, int, int]]) -> list[list[int]]:
    names = sorted({domain for domain, _, _ in wanted})
    columns = [(names.index(domain), lane, ordinal) for domain, lane, ordinal in wanted]
    domain, lane, ordinal = np.array(columns, dtype=np.int64).reshape(-1, 3).T
    places = store.sealed.places(names, domain, lane, ordinal)
    rows = store.reader.read(store.reader.open(places))
    found: list[list[int]] = LAYOUT.of(rows.words).tolist()
    expected = [row_hash(row_of(tokens, LAYOUT.width)) for tokens in found]
    assert rows.hashes.tolist() == expected
    assert rows.sides.length.tolist() == [LAYOUT.tokens] * len(wanted)
    return found


def two_segments(folder: Path) -> Records:
    writer = StoreWriter(folder, LAYOUT.tokens)
    writer.add("a", 0, 0, rows("a", 0, 0, 5))
    writer.add("b", 1, 0, rows("b", 1, 0, 3))
    return writer.seal()


@cases("segments")
def test_vectors(case: dict[str, Any]) -> None:
    layout = RowFormat(case["sequenceLength"] + 1, case["tokenWidth"])
    assert layout.stride == case["stride"]
    data = np.frombuffer(bytes.fromhex(case["data"]), "<u8").reshape(-1, layout.words)
    side = SegmentSide(bytes.fromhex(case["side"]))
    assert side.rows == len(data) == len(case["rows"])
    assert (layout.hashes(data) == side.hash).all()
    assert [f"{found:016x}" for found in side.hash] == [row["hash"] for row in case["rows"]]
    assert side.produced.tolist() == [row["produced"] for row in case["rows"]]
    assert side.trained.tolist() == [row["trained"] for row in case["rows"]]
    parts = np.append(0, side.parts_end)
    for i, row in enumerate(case["rows"]):
        own = slice(parts[i], parts[i + 1])
        assert side.length[own].tolist() == row["lengths"]
        assert [f"{found:016x}" for found in side.document[own]] == row["documents"]
    if side.runs_end is None or side.run is None:
        assert all(row["runs"] is None for row in case["rows"])
    else:
        runs = np.append(0, side.runs_end)
        for i, row in enumerate(case["rows"]):
            expected = [layout.tokens - 1] if row["runs"] is None else row["runs"]
            assert side.run[runs[i] : runs[i + 1]].tolist() == expected


@cases("segments")
def test_a_side_that_is_cut_is_refused(case: dict[str, Any]) -> None:
    whole = bytes.fromhex(case["side"])
    for length in range(len(whole)):
        with pytest.raises(StreamCorrupt):
            SegmentSide(whole[:length])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"rows", "a side must begin with a line of JSON"),
        (b"[" * 9000, "a side must begin with a line of JSON"),
        (b'{"version": 2, "rows": 1}', "a side must be of version 1 and of at least a row: found "),
        (b'{"version": 1, "rows": 1, "columns": []}', "a side must have a column partsEnd"),
        (
            b'{"version": 1, "rows": 1, "columns": [["hash", "u64", 64, 99999999999999999999]]}',
            "column hash must lie within its side of 128 bytes: found ",
        ),
    ],
)
def test_a_side_that_is_another_is_refused(line: bytes, said: str) -> None:
    with pytest.raises(StreamCorrupt) as failed:
        SegmentSide((line + b"\n").ljust(128, b"\0"))
    assert str(failed.value).startswith(said)


def test_ends_must_ascend() -> None:
    with pytest.raises(StreamCorrupt, match="column partsEnd must ascend: row 1"):
        SegmentSide(side_of([("partsEnd", "i32", [2, 1])], 2))


def test_of_no_blocks_no_rows_are_read(tmp_path: Path) -> None:
    assert read(Store(tmp_path, two_segments(tmp_path)), []) == []
    assert read(Store(tmp_path, []), []) == []


@pytest.mark.parametrize("seed", range(20))
def test_any_blocks_are_read_from_any_segments(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    writer, records, ends = StoreWriter(tmp_path, LAYOUT.tokens), [], {}
    for domain in [f"d{i}" for i in range(draw.choice([1, 3, 40]))]:
        for lane in range(draw.randint(1, 3)):
            first, end = -1, 0
            for _ in range(draw.randint(1, 5)):  # which may overlap, and have keys of their own
                first, end = max(first + 1, end - draw.randint(0, 3)), end + draw.randint(1, 90)
                writer.add(domain, lane, first, rows(domain, lane, first, end))
                if draw.random() < 0.3:
                    records += writer.seal()
            ends[domain, lane] = end
    records += writer.seal()
    draw.shuffle(records)
    store = Store(tmp_path, records)
    sealed = sealed_of(records)
    assert {place: sealed.rows(*place) for place in ends} == ends
    for _ in range(5):
        parts = draw.choices(list(ends), k=draw.randint(1, 300))
        wanted = [(*part, draw.randrange(ends[part])) for part in parts]
        assert read(store, wanted) == [block(*place) for place in wanted]


def test_a_shorter_segment_within_a_longer_hides_nothing(tmp_path: Path) -> None:
    writer = StoreWriter(tmp_path, LAYOUT.tokens)
    for first, end in ((0, 10), (2, 4), (12, 14)):
        writer.add("a", 0, first, rows("a", 0, first, end))
    records = writer.seal()
    assert read(Store(tmp_path, records), [("a", 0, 7)]) == [block("a", 0, 7)]
    sealed = sealed_of(records)
    assert sealed.rows("a", 0) == 10
    places = sealed.places(["a"], np.zeros(3, int), np.zeros(3, int), np.array([9, 10, 12]))
    assert places.segment.tolist() == [0, NOWHERE, 2]


def test_what_comes_later_counts(tmp_path: Path) -> None:
    records = two_segments(tmp_path)
    store = Store(tmp_path, records[:1])
    assert store.sealed.rows("a", 0) == 5
    assert read(store, [("a", 0, 4)]) == [block("a", 0, 4)]
    writer = StoreWriter(tmp_path, LAYOUT.tokens)
    writer.add("a", 0, 0, rows("a", 0, 0, 7))
    store.sealed.take(writer.seal()[0])
    assert store.sealed.rows("a", 0) == 7
    assert read(store, [("a", 0, 6)]) == [block("a", 0, 6)]


@pytest.mark.parametrize(
    "change", [{"fingerprint": 43}, {"rows": 0}, {"first": -1}], ids=lambda each: next(iter(each))
)
def test_a_record_that_says_nothing(change: dict[str, int], tmp_path: Path) -> None:
    sealed = sealed_of([record | change for record in two_segments(tmp_path)])
    assert sealed.rows("a", 0) == 0


def damaged(record: dict[str, Any], part: str, **change: Any) -> dict[str, Any]:
    return record | {part: record[part] | change}


def test_a_record_that_cannot_be_is_refused(tmp_path: Path) -> None:
    good = two_segments(tmp_path)[0]
    huge = 1 << 62
    for bad, said in (
        (good | {"dataset": "e"}, "must be of dataset d"),
        (good | {"lane": -1}, "must be of a lane"),
        (good | {"first": huge}, "must have ordinals"),
        (good | {"rows": (1 << 31) - 1}, "must have 51539607528 bytes of rows"),
        (damaged(good, "data", offset=8), "must have rows at a page"),
        (damaged(good, "data", offset=-4096), "must have rows at a page"),
        (damaged(good, "data", offset=huge), "must have rows at a page"),
        (damaged(good, "side", offset=-64), "must have a side at 64 bytes"),
        (damaged(good, "side", length=-1), "must have a side"),
    ):
        with pytest.raises(StreamCorrupt, match=f"{said}: found"):
            sealed_of([bad])


@pytest.mark.parametrize("name", ["../x", "d/../x.rows", "d/0.rows", "e/" + 64 * "0" + ".rows"])
def test_an_object_of_another_name_is_refused(name: str, tmp_path: Path) -> None:
    records = [damaged(record, "data", object=name) for record in two_segments(tmp_path)]
    with pytest.raises(StreamCorrupt, match="an object of dataset d must be called d/SHA256.rows"):
        read(Store(tmp_path, records), [("a", 0, 0)])


@pytest.mark.parametrize("uri", ["s3://b", "file://a", "/a", "file:///a/../b", "file:///a/"])
def test_a_store_of_another_kind_is_refused(uri: str) -> None:
    with pytest.raises(ValueError, match="store must be file:///ABSOLUTE/PATH"):
        SegmentStore(uri, "d")


@pytest.mark.parametrize("part", ["data", "side"])
def test_a_file_that_is_missing(part: str, tmp_path: Path) -> None:
    records = two_segments(tmp_path)
    path = tmp_path / records[0][part]["object"]
    path.unlink()
    with pytest.raises(StreamMissing, match=f"{path} cannot be read: No such file or directory"):
        read(Store(tmp_path, records), [("a", 0, 0)])


@pytest.mark.parametrize("part", ["data", "side"])
@pytest.mark.parametrize("length", [1, 64])
def test_a_file_that_is_truncated(part: str, length: int, tmp_path: Path) -> None:
    records = two_segments(tmp_path)
    path = tmp_path / records[0][part]["object"]
    os.truncate(path, length)
    end = records[0][part]["offset"] + records[0][part]["length"]
    with pytest.raises(
        StreamCorrupt, match=f"{path} has {length} bytes: its records say that there are {end}"
    ):
        read(Store(tmp_path, records), [("a", 0, 0)])


def test_a_file_that_is_truncated_while_it_is_mapped(tmp_path: Path) -> None:
    records = two_segments(tmp_path)
    store = Store(tmp_path, records)
    read(store, [("a", 0, 0)])
    path = tmp_path / records[0]["data"]["object"]
    os.truncate(path, 16)
    with pytest.raises(StreamCorrupt, match=f"{path} has 16 bytes"):
        read(store, [("a", 0, 0)])


@pytest.mark.parametrize("at", [0, 17, 23])
def test_a_byte_that_is_another_is_named(at: int, tmp_path: Path) -> None:
    records = two_segments(tmp_path)
    path = tmp_path / records[0]["data"]["object"]
    data = bytearray(path.read_bytes())
    data[4096 + LAYOUT.stride * 2 + at] ^= 1
    path.write_bytes(data)
    store = Store(tmp_path, records)
    read(store, [("a", 0, 2), ("b", 1, 1)])
    with pytest.raises(
        StreamCorrupt,
        match="block 2 of domain b, lane 1, is not what its segment b/1/0 says: row 2, 24 bytes "
        f"from 4144 on in {path}",
    ):
        read(store, [("a", 0, 2), ("b", 1, 2)])


def test_rows_of_another_domain_are_refused(tmp_path: Path) -> None:
    a, b = two_segments(tmp_path)
    data = b["data"] | {"offset": 0}
    with pytest.raises(StreamCorrupt, match="block 0 of domain b, lane 1, is not what"):
        read(Store(tmp_path, [a, b | {"data": data}]), [("b", 1, 0)])


def test_a_file_that_is_replaced_stays_what_it_was_where_it_is_mapped(tmp_path: Path) -> None:
    records = two_segments(tmp_path)
    store = Store(tmp_path, records)
    read(store, [("a", 0, 0)])
    path = tmp_path / records[0]["data"]["object"]
    other = path.with_name("other")
    other.write_bytes(b"\1" * path.stat().st_size)
    other.replace(path)
    assert read(store, [("a", 0, 1)]) == [block("a", 0, 1)]
    with pytest.raises(StreamCorrupt, match="block 1 of domain a, lane 0, is not what"):
        read(Store(tmp_path, records), [("a", 0, 1)])


def test_where_addresses_are_few_files_are_mapped_in_turns(tmp_path: Path) -> None:
    """In a process of its own, since a limit stays."""
    writer, records = StoreWriter(tmp_path, LAYOUT.tokens), []
    for domain in "ab":
        writer.add(domain, 0, 0, rows(domain, 0, 0, 9))
        records += writer.seal()
    for record in records:
        os.truncate(tmp_path / record["data"]["object"], 100 << 20)
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        pool.apply(_read_in_turns, (tmp_path, records))


def _read_in_turns(folder: Path, records: Records) -> None:
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (used + (400 << 20), most))
    store = Store(folder, records)
    for domain in "abab":
        assert read(store, [(domain, 0, 8)]) == [block(domain, 0, 8)]
    with pytest.raises(StreamMissing, match="bytes of addresses are left"):
        read(store, [("a", 0, 0), ("b", 0, 0)])


def test_a_side_that_is_replaced_is_named(tmp_path: Path) -> None:
    records = two_segments(tmp_path)
    path = tmp_path / records[0]["side"]["object"]
    path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(StreamCorrupt, match=r"segment a/0/0: side .* are not those with the SHA"):
        read(Store(tmp_path, records), [("a", 0, 0)])


def test_a_side_of_other_rows_is_refused(tmp_path: Path) -> None:
    a, b = two_segments(tmp_path)
    with pytest.raises(StreamCorrupt, match="segment a/0/0: .* of 5 rows: found 3"):
        read(Store(tmp_path, [a | {"side": b["side"]}, b]), [("a", 0, 0)])


@pytest.mark.parametrize("seed", range(20))
def test_batches_of_a_drawn_log_are_their_blocks(seed: int, tmp_path: Path) -> None:
    run = LoggedRun(random.Random(seed))
    run.in_place = {name for name in run.in_place if all(run.sizes[name])}  # others have no blocks
    run.live()
    derivation = Derivation("r")
    for entry in run.log:
        derivation.apply(entry)
    needed = [row for batch in run.rows.values() for row in batch]
    ends: dict[tuple[str, int], int] = {}
    for _, d, lane, _, stored in needed:
        ends[f"d{d}", lane] = max(ends.get((f"d{d}", lane), 0), stored + 1)
    writer = StoreWriter(tmp_path, LAYOUT.tokens)
    for (domain, lane), end in ends.items():
        cut = run.draw.randint(1, end)
        for first, behind in ((0, cut), (cut, end))[: 1 + (cut < end)]:
            writer.add(domain, lane, first, rows(domain, lane, first, behind))
    store = Store(tmp_path, writer.seal())
    batch = 1
    while batch <= run.batch:
        derived = derivation.derive(batch, ALL, run.ended, run.draw.choice([1, 60, 4096]))
        of = derived.domain, derived.lane, derived.block
        places = store.sealed.places(derived.domains, *of)
        out = store.reader.read(store.reader.open(places)).words
        for number in range(batch, derived.last + 1):
            found = LAYOUT.of(out[derived.of(number)]).tolist()
            assert found == [block(f"d{d}", lane, n) for _, d, lane, _, n in run.rows[number]]
        batch = derived.last + 1


def in_place(folder: Path, begin: int = 13) -> tuple[Records, list[int], Path]:
    """Blocks of domain c in a file of another, behind some bytes of it."""
    draw, path = random.Random(begin), folder / "others tokens.bin"
    tokens = [draw.randrange(1 << 16) for _ in range(8 * 50 + 1)]
    writer = StoreWriter(folder, LAYOUT.tokens)
    return writer.in_place("c", tokens, begin, [range(30), range(30, 50)], path), tokens, path


@pytest.mark.parametrize("begin", [0, 1, 13, 4096])
def test_rows_in_place_are_read_beside_those_of_the_store(begin: int, tmp_path: Path) -> None:
    records, tokens, _ = in_place(tmp_path, begin)
    store = Store(tmp_path, two_segments(tmp_path) + records)
    wanted = [("c", 0, n) for n in (49, 0, 29, 30, 7)]
    expected = [tokens[8 * n : 8 * n + 9] for _, _, n in wanted]
    assert read(store, [*wanted, ("a", 0, 4)]) == [*expected, block("a", 0, 4)]
    assert store.sealed.in_place(("a", "c", "d"), 2).tolist() == [
        [False, True, False],
        [False, False, False],
    ]


def test_a_file_that_is_not_what_it_was_is_named(tmp_path: Path) -> None:
    records, _, path = in_place(tmp_path)
    store = Store(tmp_path, records)
    read(store, [("c", 0, 1)])
    os.utime(path, (1, 1))
    for reader in (store, Store(tmp_path, records)):
        with pytest.raises(StreamCorrupt, match=f"{path} is not what it was when it was indexed"):
            read(reader, [("c", 0, 1)])
    path.unlink()
    with pytest.raises(StreamMissing, match=f"{path} cannot be read: No such file"):
        read(Store(tmp_path, records), [("c", 0, 1)])


def test_a_row_in_place_that_was_changed_is_named(tmp_path: Path) -> None:
    records, _, path = in_place(tmp_path)
    data, time = bytearray(path.read_bytes()), path.stat().st_mtime_ns
    data[13 + 16 * 31] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(time, time))
    with pytest.raises(StreamCorrupt, match="block 31 of domain c, lane 0, is not what its"):
        read(Store(tmp_path, records), [("c", 0, 2), ("c", 0, 31)])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"stride": 0}, "must have a stride"),
        ({"stride": 17}, "must have .* bytes of rows"),
        ({"file": None}, "must have .* bytes of rows"),
        ({"file": {"bytes": 99, "version": "1", "indexSha256": ""}}, "within their file"),
    ],
)
def test_a_record_of_rows_in_place_that_cannot_be_is_refused(
    wrong: dict[str, Any], said: str, tmp_path: Path
) -> None:
    records, _, _ = in_place(tmp_path)
    with pytest.raises(StreamCorrupt, match=said):
        sealed_of([records[0] | wrong])


@pytest.mark.parametrize("name", ["file://x", "/etc/passwd", "file:///a/../b", "d/0.rows"])
def test_a_file_in_place_has_an_absolute_path(name: str, tmp_path: Path) -> None:
    records, _, _ = in_place(tmp_path)
    records[0]["data"]["object"] = name
    with pytest.raises(StreamCorrupt, match="a file with rows in place must be file:///ABSOLUTE"):
        read(Store(tmp_path, records), [("c", 0, 1)])
