"""What batches say of themselves, and what of it is said to their run."""

from __future__ import annotations

import random
from typing import Any

import pytest
from checker.rules import mix

from segment_files import row_hash, row_of
from senders import MemorySender
from sluice import wire
from sluice.block.reader import BlockReader
from sluice.feedback.reporter import FeedbackReporter
from sluice.run.info import RunInfo
from sluice.run.rank import TrainerRank
from sluice.stream.batch import Batch, batch_of
from sluice.stream.open_batch import Taken
from sluice.stream.unsaid import MOST, UnsaidDigests
from sluice.wire.codec import encode
from test_loader import SIZES, filled, loader
from writers import TestingStream, block

STREAM = TestingStream(1, [3])
MASK = (1 << 64) - 1


def batch(*blocks: dict[str, object], row_length: int = 0) -> Batch:
    lengths = [{"fromBatch": 1, "labels": row_length}] if row_length else []
    run = RunInfo("r-1", STREAM.run.spec | {"rowLengths": lengths})
    reader = BlockReader(run)
    read = [reader.read(encode("TokenBlock", record)) for record in blocks]
    return batch_of(run, Taken(STREAM.sequences[0].header, range(7, 7 + len(read)), read))


def digest(*rows: bytes) -> int:
    return sum(mix(mix(7 + i) + row_hash(row) & MASK) for i, row in enumerate(rows)) & MASK


def padded(tokens: Any) -> bytes:
    data = bytes(tokens)
    return data + bytes(-len(data) % 8)


def test_a_batch_has_the_digest_of_its_rows() -> None:
    blocks = [block("java", 0), block("prose", 1), block("java", 2)]
    expected = digest(*(padded(each["tokens"]) for each in blocks))
    assert batch(*blocks).digest == expected
    assert batch(*blocks, row_length=2).digest == expected
    part = batch(*blocks).rows(1, 2)
    assert part.digest == expected


def test_a_block_that_cannot_be_used_is_a_row_of_zeros() -> None:
    blocks = [block("java", 0), block("java", 1, documentLengths=[2])]
    assert batch(*blocks).digest == digest(padded(blocks[0]["tokens"]), bytes(16))


def test_blocks_of_several_widths_have_the_hashes_of_their_own() -> None:
    wide = [100_000 + i for i in range(5)]
    blocks = [
        block("java", 0),
        block("java", 1, tokenWidth=4, tokens=b"".join(t.to_bytes(4, "little") for t in wide)),
        block("java", 2),
    ]
    expected = digest(padded(blocks[0]["tokens"]), row_of(wide, 4), padded(blocks[2]["tokens"]))
    assert batch(*blocks).digest == expected


@pytest.mark.parametrize("seed", range(100))
def test_every_batch_is_said_once_in_parts_that_a_record_can_say(seed: int) -> None:
    draw = random.Random(seed)
    digests, unsaid, at = UnsaidDigests(), dict[int, int](), draw.randrange(10)
    for _ in range(20):
        for _ in range(draw.randrange(3000)):
            at += 1
            value = draw.getrandbits(64)
            digests.add(at, value)
            unsaid[at] = value
        if draw.random() < 0.2:
            digests.forget()
            unsaid, at = {}, draw.randrange(10_000)
        to = max(0, at - draw.randrange(3))
        said: dict[int, int] = {}
        for part in digests.take(to):
            assert 1 <= len(part["digests"]) <= 1024
            for i, value in enumerate(part["digests"]):
                assert -(1 << 63) <= value < 1 << 63
                assert part["first"] + i not in said
                said[part["first"] + i] = value & MASK
        assert said == {number: value for number, value in unsaid.items() if number <= to}
        unsaid = {number: value for number, value in unsaid.items() if number > to}


def test_whoever_reports_nothing_keeps_the_last_ones() -> None:
    digests = UnsaidDigests()
    for number in range(1, MOST + 6):
        digests.add(number, number)
    parts = digests.take(MOST + 5)
    assert len(parts) == MOST / 1024
    assert parts[0]["first"] == 6
    assert digests.take(MOST + 5) == []


def said(sender: MemorySender) -> list[tuple[int, Any]]:
    records = [wire.decode(value)[1] for _, _, value in sender.sent]
    parts = [record["read"] and record["read"][1] for record in records]
    return [(record["batch"], part) for record, part in zip(records, parts, strict=True)]


def test_progress_says_what_the_loader_handed_out_up_to_it() -> None:
    sender = MemorySender()
    with loader(filled(), rank=TrainerRank(1, 2)) as steps:
        reporter = FeedbackReporter(steps, sender=sender)
        found = [steps.next(20).whole for _ in range(4)]
        reporter.progress(3)
        reporter.progress(3)
        steps.seek_to_batch(2)
        reporter.progress(4)
        again = steps.next(20).whole
        reporter.progress(2)
        reporter.close()
    assert again.digest == found[1].digest
    signed = [each.digest - (1 << 64 if each.digest >> 63 else 0) for each in found]
    assert said(sender) == [
        (3, {"first": 1, "digests": signed[:3]}),
        (3, None),
        (4, None),
        (2, {"first": 2, "digests": signed[1:2]}),
    ]


@pytest.mark.parametrize("world", [2, 4])
def test_the_parts_of_ranks_add_up_to_the_batch(world: int) -> None:
    wholes = digests_of(TrainerRank())
    parts = [digests_of(TrainerRank(rank, world)) for rank in range(world)]
    assert [sum(each) & MASK for each in zip(*parts, strict=True)] == wholes


def digests_of(rank: TrainerRank) -> list[int]:
    with loader(filled(), rank=rank) as steps:
        return [steps.next(20).whole.digest for _ in SIZES]
