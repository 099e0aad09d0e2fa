"""What writers leave in a stream topic, with and without faults."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from sluice import chain, wire
from sluice.assembler import StreamAssembler
from sluice.header import StreamHeader
from sluice.runs import RunInfo

FINGERPRINT = -42
LENGTH = 4
DOMAINS = ["java", "prose", "config"]


def block(domain: str, ordinal: int, **changes: object) -> dict[str, object]:
    tokens = b"".join((60_000 + ordinal + i).to_bytes(2, "little") for i in range(LENGTH + 1))
    record: dict[str, object] = {
        "fingerprint": FINGERPRINT,
        "domain": domain,
        "lane": 0,
        "ordinal": ordinal,
        "tokenWidth": 2,
        "tokens": tokens,
        "documentLengths": [2, 3],
        "documentIds": ["a", "b"],
        "trainedTokens": LENGTH,
        "lossMask": None,
        "contentType": "tokens",
        "payload": None,
    }
    return record | changes


@dataclass(frozen=True)
class Written:
    partition: int
    header: StreamHeader
    value: bytes


class TestingStream:
    """What a writer without faults writes: the sequences of some batches, in order."""

    __test__ = False

    def __init__(self, partitions: int, sizes: list[int]) -> None:
        self.partitions = partitions
        self.sizes = sizes
        self.run = run_info(partitions, sizes)
        self.sequences: list[Written] = []
        chains = [chain.START] * partitions
        first = 0
        for number, size in enumerate(sizes, start=1):
            for index in range(first, first + size):
                domain = DOMAINS[(index * 7 + index // 5) % len(DOMAINS)]
                partition = index % partitions
                chains[partition] = chain.next_chain(
                    chains[partition], index, chain.domain_hash(FINGERPRINT, domain), 0, index
                )
                header = StreamHeader(0, number, first, size, index, 1, index, chains[partition])
                value = wire.encode("TokenBlock", block(domain, index))
                self.sequences.append(Written(partition, header, value))
            first += size

    def rewritten(self, index: int, **changes: int) -> Written:
        written = self.sequences[index]
        return replace(written, header=replace(written.header, **changes))


def run_info(partitions: int, sizes: list[int], batches: int = 0) -> RunInfo:
    starts = [
        {"fromBatch": number, "sequences": size}
        for number, size in enumerate(sizes, start=1)
        if number == 1 or size != sizes[number - 2]
    ]
    spec = {
        "run": "r",
        "dataset": "d",
        "fingerprint": FINGERPRINT,
        "sequenceLength": LENGTH,
        "domains": DOMAINS,
        "streamPartitions": partitions,
        "batchSizes": starts,
        "batches": batches,
    }
    return RunInfo("r-1", spec)


class FaultyWriters:
    """The partitions of a stream topic as an unlucky history of writers leaves them.

    Each writer starts from a checkpoint, so it repeats what was written since; it stops after
    losing a record of some partition, and records that were in flight there may come after the
    hole. A paused writer may wake up and add old records after its successor's. The last writer
    reaches the end.
    """

    def __init__(self, stream: TestingStream, seed: int) -> None:
        self._stream = stream
        self._random = random.Random(seed)
        self.log: list[list[Written]] = [[] for _ in range(stream.partitions)]
        size = len(stream.sequences)
        checkpoint = 0
        for _ in range(self._random.randrange(6)):
            failure = self._random.randrange(checkpoint, size)
            self._write(checkpoint, failure)
            self._write_behind_hole(failure)
            if self._random.randrange(3) == 0:
                start = self._random.randrange(failure + 1)
                self._write(start, self._random.randrange(start, failure + 1))
            checkpoint = self._random.randrange(checkpoint, failure + 1)
        self._write(checkpoint, size)

    def _write(self, start: int, end: int) -> None:
        for written in self._stream.sequences[start:end]:
            self.log[written.partition].append(written)

    def _write_behind_hole(self, lost: int) -> None:
        failed: set[int] = set()
        end = lost + 1 + self._random.randrange(12)
        for written in self._stream.sequences[lost + 1 : end]:
            if self._random.randrange(4) == 0:
                failed.add(written.partition)
            if written.partition not in failed:
                self.log[written.partition].append(written)

    def seek(self, partition: int, batch: int) -> int:
        """Offset of the first record of a batch at or after this one."""
        records = self.log[partition]
        found = (o for o, written in enumerate(records) if written.header.batch >= batch)
        return next(found, len(records))


class MemorySource:
    """A stream topic in memory; a poll that finds nothing lets the clock run instead."""

    def __init__(self, partitions: int, limit: int = 3) -> None:
        self.log: list[list[Written]] = [[] for _ in range(partitions)]
        self.now = 0.0
        self.closed = False
        self._limit = limit
        self._offsets = [0] * partitions
        self._ends = [0] * partitions

    def write(self, written: list[Written]) -> None:
        for one in written:
            self.log[one.partition].append(one)

    def seek(self, batch: int) -> None:
        for partition, records in enumerate(self.log):
            found = (o for o, written in enumerate(records) if written.header.batch >= batch)
            self._offsets[partition] = next(found, len(records))

    def poll(self, timeout: float, assembler: StreamAssembler) -> None:
        left = self._limit
        for partition, records in enumerate(self.log):
            start = self._offsets[partition]
            for written in records[start : start + left]:
                assembler.offer(partition, written.header, written.value)
                self._offsets[partition] += 1
                left -= 1
        if left == self._limit:
            self.now += timeout

    def mark_end(self) -> None:
        self._ends = [len(records) for records in self.log]

    def reached_end(self, assembler: StreamAssembler) -> bool:
        return all(
            self._offsets[p] >= end for p, end in enumerate(self._ends) if assembler.awaits(p)
        )

    def close(self) -> None:
        self.closed = True
