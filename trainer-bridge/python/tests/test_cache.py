"""Objects of segments that are read through a cache of this node."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sluice.segment.topic as topic
from deliveries import DeliveredRun
from fake_cache import FakeCache
from segment_files import StoreWriter
from sluice.cache.folder import VARIABLE, cache_folder
from sluice.cache.node_cache import CacheWaits, NodeCache
from sluice.errors import StreamCorrupt, StreamMissing, StreamStalled
from sluice.kafka.access import KafkaAccess
from sluice.run.rank import TrainerRank
from sluice.segment.reader import SegmentReader
from sluice.segment.store import SegmentStore
from sluice.stream.exposed import NETWORK
from sluice.stream.loader import Loader
from test_derived import told
from test_segments import LAYOUT, Records, Store, block, in_place, read, rows, sealed_of
from writers import FINGERPRINT, run_info

BUCKET = "s3://bucket/of=us"
NAME = "d/" + 64 * "0" + ".rows"


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[FakeCache]:
    """Of a bucket, in a folder whose name is short enough for a socket's."""
    with tempfile.TemporaryDirectory() as folder:
        running = FakeCache(Path(folder), {BUCKET: tmp_path})
        yield running
        running.stop()


def segments(folder: Path) -> Records:
    """Three of lane 0 of domain a, each in objects of its own."""
    writer, records = StoreWriter(folder, LAYOUT.tokens), []
    for first in (0, 5, 10):
        writer.add("a", 0, first, rows("a", 0, first, first + 5))
        records += writer.seal()
    return records


class CachedStore(Store):
    """What is sealed in a bucket."""

    def __init__(self, cache: FakeCache, records: Records, uri: str = BUCKET) -> None:
        self.sealed = sealed_of(records)
        self.reader = SegmentReader(SegmentStore(uri, "d", cache.folder), self.sealed)

    def require(self, *ordinals: int) -> None:
        found = read(self, [("a", 0, ordinal) for ordinal in ordinals])
        assert found == [block("a", 0, ordinal) for ordinal in ordinals]


def objects(*records: dict[str, Any]) -> list[str]:
    return [record[part]["object"] for record in records for part in ("data", "side")]


def test_what_is_mapped_is_asked_for_once(cache: FakeCache, tmp_path: Path) -> None:
    records = segments(tmp_path)
    store = CachedStore(cache, records)
    store.require(0, 4, 11)
    assert cache.asked_for("get") == objects(records[0], records[2])
    asked = len(cache.asked)
    store.require(1, 3, 14)
    assert len(cache.asked) == asked
    assert {Path(name).name for name in cache.held} == {
        Path(name).name for name in objects(records[0], records[2])
    }


def test_an_object_of_many_segments_is_asked_for_once(cache: FakeCache, tmp_path: Path) -> None:
    writer = StoreWriter(tmp_path, LAYOUT.tokens)
    for first in (0, 5):
        writer.add("a", 0, first, rows("a", 0, first, first + 5))
    store = CachedStore(cache, writer.seal())
    store.require(0, 5)
    assert len(cache.asked_for("get")) == 2


def test_what_follows_is_asked_for_ahead(cache: FakeCache, tmp_path: Path) -> None:
    records = segments(tmp_path)
    store = CachedStore(cache, records)
    store.require(0)
    assert cache.asked_for("ahead") == objects(records[0], records[1])
    del cache.asked[:]
    store.require(14)
    assert cache.asked_for("ahead") == objects(records[2])


def test_what_the_cache_has_let_go_of_is_asked_for_anew(cache: FakeCache, tmp_path: Path) -> None:
    records = segments(tmp_path)
    store = CachedStore(cache, records)
    store.require(0, 5)
    store.reader.let_go_of_evicted()
    del cache.asked[:]
    store.require(0, 5)
    assert not cache.asked
    (path,) = cache.folder.rglob(Path(records[0]["data"]["object"]).name)
    path.unlink()
    store.require(0, 5)  # what is mapped is there
    assert not cache.asked
    store.reader.let_go_of_evicted()
    store.require(5)
    assert cache.asked_for("get") == objects(records[1])


def test_what_goes_before_it_is_mapped_is_waited_for(cache: FakeCache, tmp_path: Path) -> None:
    records = segments(tmp_path)
    store = CachedStore(cache, records)
    place = f"objects/{hashlib.sha256(BUCKET.encode()).hexdigest()[:16]}/"
    cache.says = [("get", f"ok {place}{records[0]['data']['object']}\n".encode())]
    with pytest.raises(CacheWaits, match="cannot be read: No such file"):
        store.require(0)
    store.require(0)


def test_waits_until_the_cache_has_it(cache: FakeCache, tmp_path: Path) -> None:
    store = CachedStore(cache, segments(tmp_path))
    cache.says = [("get", b"wait 3 of 4 MiB\n")] * 2
    for _ in range(2):
        with pytest.raises(CacheWaits, match=r"does not have d/.* of s3://.*: 3 of 4 MiB"):
            store.require(0)
    store.require(0)


@pytest.mark.parametrize("part", ["data", "side"])
def test_what_the_store_does_not_have_is_named(part: str, cache: FakeCache, tmp_path: Path) -> None:
    records = segments(tmp_path)
    path = tmp_path / records[0][part]["object"]
    path.write_bytes(b"another")
    with pytest.raises(StreamCorrupt, match=f"{path.name} of {BUCKET}: the store has other bytes"):
        CachedStore(cache, records).require(0)
    path.unlink()
    with pytest.raises(StreamMissing, match=f"{path.name} of {BUCKET}: there is no such object"):
        CachedStore(cache, records).require(0)
    with pytest.raises(StreamMissing, match="it is not a store of this cache"):
        CachedStore(cache, records, "s3://another").require(0)


def test_what_is_held_is_given_back_when_there_is_no_room(cache: FakeCache, tmp_path: Path) -> None:
    store = CachedStore(cache, segments(tmp_path))
    cache.room = 2
    for ordinal in (0, 5, 12, 1):
        store.require(ordinal)
    assert cache.asked_for("release") == ["release"] * 3
    with pytest.raises(StreamMissing, match="2 objects are held"):
        store.require(0, 5)
    store.require(5)


def test_a_cache_that_is_away_is_waited_for(cache: FakeCache, tmp_path: Path) -> None:
    store = CachedStore(cache, segments(tmp_path))
    store.require(0)
    cache.stop()
    store.require(4)
    for _ in range(2):
        with pytest.raises(CacheWaits) as waits:
            store.require(5)
        assert str(waits.value).startswith(f"the cache in {cache.folder} does not answer: ")
        assert str(waits.value).endswith(
            f"; start 'sluice cache {cache.folder} --store {BUCKET} --size SIZE' on this node"
        )
    cache.start()
    store.require(5)
    assert len(cache.held) == 2
    store.require(0)
    assert len(cache.held) == 4


@pytest.mark.parametrize(
    "answer",
    [
        b"\n",
        b"ok\n",
        b"no\n",
        b"\xff\n",
        b"wait a while\n" * 2,
        b"wait " + 5000 * b"x" + b"\n",
        b"ok objects/../../../etc/passwd\n",
        b"ok /etc/passwd\n",
        b"ok objects/0123456789abcdef/" + NAME.encode() + b"\n",
    ],
)
def test_what_no_cache_says_is_no_answer(answer: bytes, cache: FakeCache, tmp_path: Path) -> None:
    store = CachedStore(cache, segments(tmp_path))
    cache.says = [("get", answer)]
    with pytest.raises(CacheWaits, match=f"the cache in {cache.folder} does not answer: it "):
        store.require(0)
    store.require(0)
    cache.says = [("sluice-cache", answer)]
    other = NodeCache(cache.folder, BUCKET)
    with pytest.raises(CacheWaits, match="does not answer: it "):
        other.get(NAME)
    other.close()


def test_what_cannot_be_shown_is_not(cache: FakeCache) -> None:
    client = NodeCache(cache.folder, BUCKET)
    cache.says = [("get", b"error \x1b[2Ja\n")]
    with pytest.raises(StreamMissing, match=r": \?\[2Ja$"):
        client.get(NAME)
    client.close()


def test_names_ofstores_are_words(cache: FakeCache) -> None:
    client = NodeCache(cache.folder, "file:///a b/100%/é\n")
    assert not client.serves()
    assert cache.asked[-1] == "serves file:///a%20b/100%25/é%0A"
    client.close()


def test_a_folder_is_read_through_a_cache_that_serves_it(tmp_path: Path, cache: FakeCache) -> None:
    source = tmp_path / "a folder"
    records, uri = segments(source), f"file://{source}"
    CachedStore(cache, records, uri).require(0)
    assert not cache.held
    cache.stores[uri] = source
    store = CachedStore(cache, records, uri)
    store.require(0, 5)
    assert len(cache.held) == 4
    assert len(cache.asked_for("serves")) == 2


def test_rows_in_place_are_read_where_they_lie(tmp_path: Path, cache: FakeCache) -> None:
    records, tokens, _ = in_place(tmp_path)
    assert read(CachedStore(cache, records), [("c", 0, 7)]) == [tokens[56:65]]
    assert cache.asked_for("get") == [records[0]["side"]["object"]]


@pytest.mark.parametrize("part", ["data", "side"])
def test_what_is_wrong_in_the_cache_is_fetched_anew(
    part: str, cache: FakeCache, tmp_path: Path
) -> None:
    records = segments(tmp_path)
    CachedStore(cache, records).require(0, 5)
    (path,) = cache.folder.rglob(Path(records[0][part]["object"]).name)
    path.write_bytes(bytes(path.stat().st_size))
    store = CachedStore(cache, records)
    with pytest.raises(StreamCorrupt, match=str(path)):
        store.require(0, 5)
    assert set(objects(records[0])) == set(cache.asked_for("check"))
    store.require(0, 5)


def test_what_was_cut_in_the_cache_is_fetched_anew(cache: FakeCache, tmp_path: Path) -> None:
    records = segments(tmp_path)
    store = CachedStore(cache, records)
    store.require(0, 5)
    (path,) = cache.folder.rglob(Path(records[0]["data"]["object"]).name)
    path.write_bytes(b"cut")
    with pytest.raises(StreamCorrupt, match=f"{path} has 3 bytes"):
        store.require(0, 5)
    store.require(0, 5)


@pytest.mark.parametrize("uri", ["s3://b", "s3://bucket/", "s3://bucket/.x", "s3://bucket/a b"])
def test_a_bucket_that_cannot_be_is_refused(uri: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="or s3://BUCKET/PREFIX of parts of A-Za-z0-9._=- that"):
        SegmentStore(uri, "d", tmp_path)
    with pytest.raises(ValueError, match="in at most 700 characters"):
        SegmentStore("s3://bucket/" + 700 * "a", "d", tmp_path)


def test_a_bucket_needs_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = {"name": "d", "fingerprint": FINGERPRINT, "store": BUCKET}
    monkeypatch.setattr(topic, "specifications", lambda *_: [spec])
    with pytest.raises(StreamMissing) as missing:
        topic.store_of(KafkaAccess(), run_info(4, [8]), None)
    assert str(missing.value) == (
        f"run r-1 reads rows of dataset d in {BUCKET}: start 'sluice cache FOLDER --store "
        f"{BUCKET} --size SIZE' on this node, and set SLUICE_NODE_CACHE=FOLDER"
    )


def test_the_folder_is_the_one_given_or_that_of_the_environment(tmp_path: Path) -> None:
    assert cache_folder(None, {}) is None
    assert cache_folder(None, {VARIABLE: ""}) is None
    assert cache_folder(None, {VARIABLE: str(tmp_path)}) == tmp_path
    assert cache_folder(tmp_path / "given", {VARIABLE: "nowhere"}) == tmp_path / "given"
    assert cache_folder(None, {VARIABLE: str(tmp_path / "later")}) == tmp_path / "later"
    with pytest.raises(ValueError, match=f"SLUICE_NODE_CACHE must be the folder .*: '{__file__}'"):
        cache_folder(None, {VARIABLE: __file__})
    for wrong in ("", __file__):
        with pytest.raises(ValueError, match=f"cache must be the folder of .*: '{wrong}'"):
            Loader(run_info(4, [8]), cache=wrong)


@pytest.mark.parametrize("seed", range(5))
def test_batches_are_those_that_are_read_where_they_lie(
    seed: int, cache: FakeCache, tmp_path: Path
) -> None:
    run = DeliveredRun(seed, tmp_path)
    run.live()
    run.grant()
    run.end("completed")
    run.seal()
    rank = TrainerRank(seed % 3, 3)
    with Loader.over(run.reader(rank)) as direct:
        steps = list(direct)
    run.store = BUCKET
    reader = run.reader(rank, cache=cache.folder)
    cache.says = [("get", b"wait a while\n")] * 3
    with Loader.over(reader) as cached:
        assert list(map(told, cached)) == list(map(told, steps))
    assert not cache.says


def test_a_reader_says_that_it_waits_for_the_cache(cache: FakeCache, tmp_path: Path) -> None:
    run = DeliveredRun(3, tmp_path)
    run.store = BUCKET
    run.grant()
    run.seal()
    run.end("failed")
    reader = run.reader(TrainerRank(), cache=cache.folder)
    cache.says = [("get", b"wait 3 of 4 MiB\n")] * 1000
    with pytest.raises(StreamStalled, match=r"1 is granted .*\) but the cache in .*: 3 of 4 MiB"):
        reader.next(1.0)
    assert reader.last_cause == NETWORK
    cache.stop()
    with pytest.raises(StreamStalled, match=r"\) but the cache in .* does not answer: "):
        reader.next(1.0)
    del cache.says[:]
    cache.start()
    assert reader.next(1.0).info.batch == 1
    reader.close()
