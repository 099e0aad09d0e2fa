"""A run's sequences, of which no label of some documents is trained from a batch on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import pytest

from records import grant, revised, snapshot, started
from sluice import wire
from sluice.block.block import Block
from sluice.block.reader import BlockReader
from sluice.errors import EvalSetError, StreamCorrupt, StreamStalled, WireFormatError
from sluice.evaluation.sets import EvalSet, run_sets
from sluice.kafka.access import LogRecord
from sluice.run.info import RunInfo
from sluice.run.rank import TrainerRank
from sluice.run.sets import DocumentSet, document_hash, id_hash, masked_in, read_set
from sluice.stream.batch import Batch
from sluice.stream.masks import BatchMasks
from sluice.wire.codec import encode
from test_loader import loader
from vectors import vectors
from writers import MemorySource, TestingStream, block, reader_over

SIZES = [8] * 6
STREAM = TestingStream(4, SIZES)
VECTORS = vectors("masks")


def set_record(*documents: tuple[str, str]) -> wire.Record:
    by_domain: dict[str, set[bytes]] = {}
    for domain, name in documents:
        by_domain.setdefault(domain, set()).add(document_hash(domain, name.encode()))
    domains = [
        {"domain": domain, "hashes": b"".join(sorted(by_domain[domain]))}
        for domain in sorted(by_domain)
    ]
    return {"forgotten": True, "why": "", "timeMillis": 0, "domains": domains}


def pairs(named: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(each["domain"], each["id"]) for each in named]


JAVA_A = DocumentSet.of(set_record(("java", "a")))


class MemorySets:
    """Sets of documents in memory."""

    place = "the testing topic"

    def __init__(self, *sets: DocumentSet) -> None:
        self.sets = {one.name: one for one in sets}
        self.looks = 0

    def read(self, names: Collection[str]) -> dict[str, DocumentSet]:
        self.looks += 1
        return {name: one for name, one in self.sets.items() if name in names}


def masked(*masks: tuple[int, str], **changes: Any) -> RunInfo:
    named = [{"fromBatch": at, "set": name, "documents": 1, "why": ""} for at, name in masks]
    return RunInfo(STREAM.run.run_id, STREAM.run.spec | {"masks": named} | changes)


def filled() -> MemorySource:
    source = MemorySource(4, 3, waits=True)
    source.write(STREAM.sequences)
    return source


@pytest.mark.parametrize("vector", VECTORS["documents"])
def test_documents_are_known_by_the_shared_vectors(vector: dict[str, str]) -> None:
    found = document_hash(vector["domain"], vector["id"].encode())
    assert found.hex() == vector["hash"]
    assert id_hash(found).decode() == vector["idHash"]


@pytest.mark.parametrize("vector", VECTORS["sets"])
def test_sets_are_known_by_the_shared_vectors(vector: dict[str, Any]) -> None:
    record = set_record(*pairs(vector["documents"]))
    found = DocumentSet.of(wire.decode_as("DocumentSet", wire.encode("DocumentSet", record)))
    assert found.name == vector["name"]
    for domain, name in pairs(vector["documents"]):
        assert found.contains(domain, name.encode())
        assert not found.contains("other", name.encode())
    assert not found.contains("java", b"not in it")


def mask(run: RunInfo, sets: list[DocumentSet], whole: Block) -> Sequence[Block]:
    masks = BatchMasks(MemorySets(*sets), 5.0, 60.0, lambda: 0.0)
    assert masks.know(run, 1)
    return masks.masked(run, 1, [whole])


@pytest.mark.parametrize("vector", VECTORS["masks"])
def test_labels_follow_the_shared_vectors(vector: dict[str, Any]) -> None:
    lengths = vector["documentLengths"]
    written = block(
        vector["domain"],
        0,
        tokens=bytes(2 * sum(lengths)),
        documentLengths=lengths,
        documentIds=vector["documentIds"],
        lossMask=vector["lossMask"],
    )
    sets = [DocumentSet.of(set_record(one)) for one in pairs(vector["masked"])]
    changes = {"sequenceLength": sum(lengths) - 1, "documentIds": vector["ids"]}
    run = masked(*dict.fromkeys((1, one.name) for one in sets), **changes)
    whole = BlockReader(run).read(wire.encode("TokenBlock", written))
    (found,) = mask(run, sets, whole)
    assert found.loss_mask.tolist() == vector["trained"]
    assert found.tokens.tolist() == whole.tokens.tolist()
    assert [row.loss_mask.tolist() for row in found.rows(1)] == [[one] for one in vector["trained"]]


def assert_masked(batch: Batch, is_masked: bool) -> None:
    """Document a has the first two of five tokens of each block: labels 0 and 1."""
    java = STREAM.run.domains.index("java")
    for domain, mask in zip(batch.domains, batch.loss_mask, strict=True):
        kept = not (is_masked and domain == java)
        assert mask.tolist() == [kept, kept, True, True]


@pytest.mark.parametrize("world", [1, 2, 4])
def test_documents_are_masked_from_exactly_their_batch_on_for_each_rank(world: int) -> None:
    run, sets = masked((4, JAVA_A.name)), MemorySets(JAVA_A)
    log = [started(run), grant(1, 0, 0, 6)]
    for rank in range(world):
        with loader(filled(), log, TrainerRank(rank, world), run, sets=sets) as steps:
            for number in range(1, 7):
                assert_masked(steps.next().whole, number >= 4)
            steps.seek_to_batch(3)
            assert_masked(steps.next().whole, False)
            assert_masked(steps.next().whole, True)


def test_a_revision_masks_from_its_batch_on_and_a_rewind_keeps_it() -> None:
    run, source = masked((3, JAVA_A.name)), MemorySource(4, 3, waits=True)
    source.write(STREAM.sequences[:16])
    source.write([STREAM.rewritten(at, weights_version=2) for at in range(16, 48)])
    log = [started(STREAM.run), grant(1, 0, 0, 2)]
    log.append(revised(2, 1, 0, run, snapshot(2, 16, 2, [8, 4, 4])))
    log.append(grant(3, 2, 2, 6, version=2))
    with loader(source, log, run=STREAM.run, sets=MemorySets(JAVA_A)) as steps:
        for number in range(1, 7):
            assert_masked(steps.next().whole, number >= 3)
    log.append(revised(4, 3, 1, masked((2, JAVA_A.name)), snapshot(1, 8, 1, [4, 2, 2])))
    log.append(grant(5, 4, 1, 6, timeline=1))
    source.write(TestingStream(4, SIZES, timeline=1, after=1).sequences)
    with loader(source, log, run=STREAM.run, sets=MemorySets(JAVA_A)) as steps:
        for number in range(1, 7):
            assert_masked(steps.next().whole, number >= 2)


@pytest.mark.parametrize("ids", ["names", "hashes"])
def test_documents_are_matched_with_what_the_run_says_that_its_blocks_have(ids: str) -> None:
    run, source = masked((2, JAVA_A.name), documentIds=ids), MemorySource(4, 3, waits=True)
    for written in STREAM.sequences:
        record = wire.decode_as("TokenBlock", written.value)
        domain = record["domain"]
        hashes = [
            id_hash(document_hash(domain, name.encode())).decode() for name in record["documentIds"]
        ]
        source.write(
            [replace(written, value=wire.encode("TokenBlock", record | {"documentIds": hashes}))]
        )
    log = [started(run), grant(1, 0, 0, 6)]
    with loader(source, log, run=run, sets=MemorySets(JAVA_A)) as steps:
        assert_masked(steps.next().whole, False)
        assert_masked(steps.next().whole, ids == "hashes")


def test_a_log_that_does_not_say_what_blocks_have_of_documents_is_broken() -> None:
    run = masked((1, JAVA_A.name), documentIds="both")
    with (
        pytest.raises(StreamCorrupt, match="document-ids must be names or hashes: 'both'"),
        loader(filled(), [started(run)], run=run) as steps,
    ):
        steps.next()


def test_rows_of_masked_sequences_are_masked_alike() -> None:
    run = masked((1, JAVA_A.name), rowLengths=[{"fromBatch": 1, "labels": 2}])
    log = [started(run), grant(1, 0, 0, 6)]
    with loader(filled(), log, run=run, sets=MemorySets(JAVA_A)) as steps:
        batch = steps.next().whole
    java = run.domains.index("java")
    for at, (domain, mask) in enumerate(zip(batch.domains, batch.loss_mask, strict=True)):
        assert mask.tolist() == [not (domain == java and at % 2 == 0)] * 2


def test_no_batch_is_handed_out_before_its_set_is_there() -> None:
    run, sets, source = masked((3, JAVA_A.name)), MemorySets(), MemorySource(4)
    source.write(STREAM.sequences)
    log = [started(run), grant(1, 0, 0, 6)]
    read = reader_over(source, run, log, gap_timeout=60.0, sets=sets)
    read.next(1.0)
    read.next(1.0)
    with pytest.raises(
        StreamStalled,
        match="batch 3 waits for the documents that run r masks in it: the testing topic has no set"
        f" whose content has the digest {JAVA_A.name}",
    ):
        read.next(12.0)
    sets.sets = MemorySets(JAVA_A).sets
    assert_masked(read.next(12.0), True)


def test_a_set_that_stays_away_ends_the_reading() -> None:
    run, source = masked((1, JAVA_A.name)), MemorySource(4)
    source.write(STREAM.sequences)
    log = [started(run), grant(1, 0, 0, 6)]
    read = reader_over(source, run, log, gap_timeout=30.0, sets=MemorySets())
    with pytest.raises(StreamCorrupt, match=f"digest {JAVA_A.name}, for 30 s"):
        read.next(3600.0)


def record(key: str, value: bytes) -> LogRecord:
    return LogRecord("sluice.sets", 0, 0, 0, [], value, key.encode())


def test_a_forged_set_is_none() -> None:
    genuine = wire.encode("DocumentSet", set_record(("java", "a")))
    forged = wire.encode("DocumentSet", set_record(("java", "b")))
    assert read_set(record(JAVA_A.name, genuine), {JAVA_A.name}) == JAVA_A
    assert read_set(record(JAVA_A.name, forged), {JAVA_A.name}) is None
    assert read_set(record("other", genuine), {JAVA_A.name}) is None
    assert read_set(record(JAVA_A.name, genuine[:-1]), {JAVA_A.name}) is None
    assert read_set(record(JAVA_A.name, b""), {JAVA_A.name}) is None
    assert read_set(record(JAVA_A.name, genuine + b"x"), {JAVA_A.name}) is None


@pytest.mark.parametrize(
    "domains",
    [
        [],
        [("a", b"")],
        [("a", bytes(15))],
        [("a", bytes(32))],
        [("a", b"\xff" * 16 + bytes(16))],
        [("b", bytes(16)), ("a", bytes(16))],
        [("a", bytes(16)), ("a", b"\xff" * 16)],
        [("a", b"".join(at.to_bytes(16, "big") for at in range(50_001)))],
    ],
)
def test_a_record_that_is_no_set_is_refused(domains: list[tuple[str, bytes]]) -> None:
    content = [{"domain": domain, "hashes": hashes} for domain, hashes in domains]
    with pytest.raises(WireFormatError, match="set"):
        DocumentSet.of(set_record() | {"domains": content})


@pytest.mark.parametrize(
    "masks",
    [
        [(0, JAVA_A.name)],
        [(1, "x")],
        [(1, JAVA_A.name), (2, JAVA_A.name)],
        [(5, JAVA_A.name), (4, "0" * 64)],
    ],
)
def test_a_log_with_masks_that_are_none_is_broken(masks: list[tuple[int, str]]) -> None:
    run = masked(*masks)
    with (
        pytest.raises(StreamCorrupt, match="control log of run r-1: a mask must begin at batch"),
        loader(filled(), [started(run)], run=run) as steps,
    ):
        steps.next()


def test_no_label_of_masked_documents_counts_in_held_out_blocks() -> None:
    run = masked((1_000, JAVA_A.name))
    with pytest.raises(EvalSetError, match=f"the testing topic has no set .* {JAVA_A.name}"):
        run_sets(run, MemorySets())
    is_masked = masked_in(run, run_sets(run, MemorySets(JAVA_A)), "java")
    found = EvalSet("java", BlockReader(run), limit=2, lanes=1, is_masked=is_masked)
    for ordinal, names in enumerate([["a", "a"], ["a", "b"], ["c", "b"]]):
        found.take(0, encode("TokenBlock", block("java", ordinal, documentIds=names)))
    left = [(held_out.ordinal, held_out.loss_mask.tolist()) for held_out in found.blocks]
    assert left == [(1, [False, False, True, True]), (2, [True] * 4)]
    assert masked_in(run, run_sets(run, MemorySets(JAVA_A)), "prose") is None
