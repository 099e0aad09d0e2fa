"""What writers leave in a stream topic, with and without faults."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sluice import wire
from sluice.errors import KafkaUnreachable
from sluice.kafka.access import LogRecord
from sluice.run.control import ControlLog
from sluice.run.entry import digest_of
from sluice.run.info import RunInfo
from sluice.run.rank import TrainerRank
from sluice.run.sets import SetSource
from sluice.run.snapshots import Beginning, Snapshots
from sluice.run.supply import Supply
from sluice.stream.assembler import WHOLE, StreamAssembler
from sluice.stream.reader import StreamReader
from sluice.wire import chain
from sluice.wire.header import StreamHeader, StreamHeaders

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

    def __init__(
        self,
        partitions: int,
        sizes: list[int],
        batches: int = 0,
        *,
        timeline: int = 0,
        after: int = 0,
        version: int = 1,
        domains: Sequence[str] = DOMAINS,
        chains: Sequence[int] = (),
    ) -> None:
        """Of a timeline, the batches after one; a later one has other blocks.

        ``chains`` are those of the partitions so far.
        """
        self.partitions = partitions
        self.sizes = sizes
        self.run = run_info(partitions, sizes, batches)
        self.sequences: list[Written] = []
        so_far = list(chains) or [chain.START] * partitions
        first = 0
        for number, size in enumerate(sizes, start=1):
            for index in range(first, first + size) if number > after else ():
                domain = domains[(index * 7 + index // 5) % len(domains)]
                partition, ordinal = index % partitions, index + 1000 * timeline
                so_far[partition] = chain.next_chain(
                    so_far[partition], index, chain.domain_hash(FINGERPRINT, domain), 0, ordinal
                )
                header = StreamHeader(
                    timeline, number, first, size, index, version, ordinal, so_far[partition]
                )
                value = wire.encode("TokenBlock", block(domain, ordinal))
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
        "tokenizer": "bytes",
        "vocabulary": 65_536,
        "sequenceLength": LENGTH,
        "domains": DOMAINS,
        "streamPartitions": partitions,
        "batchSizes": starts,
        "batches": batches,
        "lanes": 1,
        "seed": 7,
        "initialWeights": [1 << 39, 1 << 38, 1 << 38],
        "policy": "static",
        "policySettings": {},
        "updateEvery": 0,
        "lag": 0,
        "onTimeout": "hold",
        "timeoutMillis": 600_000,
        "lead": 0,
        "smoothing": {},
        "whenBehind": "wait",
        "epochs": [1, 1, 1],
        "removed": [],
        "reclaim": "never",
        "evalTokens": 0,
        "probeTokens": 0,
        "metrics": [],
        "rowLengths": [],
        "masks": [],
        "documentIds": "names",
        "delivery": "tokens",
        "priority": 10,
        "tokensPerSecond": 0,
        "streamBytes": 0,
    }
    return RunInfo("r-1", spec)


def offer(assembler: StreamAssembler, *records: Written) -> None:
    """Offers records of one partition."""
    if records:
        headers = StreamHeaders.decode([written.header.encode() for written in records])
        values = [written.value for written in records]
        assembler.offer(records[0].partition, headers, values)


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
    """A stream topic in memory; a poll that finds nothing lets the clock run instead.

    ``waits`` makes such a poll wait in earnest, until something is written, for use by a thread.
    """

    def __init__(
        self,
        partitions: int,
        limit: int = 3,
        waits: bool = False,
    ) -> None:
        self.log: list[list[Written]] = [[] for _ in range(partitions)]
        self.partitions = list(range(partitions))
        self.now = 0.0
        self.closed = False
        self.gone = False
        self.error: Exception | None = None
        self.polls = 0
        self._waits = waits
        self._written = threading.Condition()
        self._limit = limit
        self._offsets = [0] * partitions
        self._ends = [0] * partitions

    def write(self, written: list[Written]) -> None:
        with self._written:
            for one in written:
                self.log[one.partition].append(one)
            self._written.notify_all()

    def fail(self, error: Exception) -> None:
        with self._written:
            self.error = error
            self._written.notify_all()

    def seek(self, batch: int, partitions: Collection[int]) -> None:
        self.partitions = sorted(partitions)
        for partition in self.partitions:
            found = (
                offset
                for offset, written in enumerate(self.log[partition])
                if written.header.batch >= batch
            )
            self._offsets[partition] = next(found, len(self.log[partition]))

    def poll(self, timeout: float, assembler: StreamAssembler) -> None:
        self.polls += 1
        with self._written:
            if self.error is not None or not self._pass_on(assembler):
                self.now += timeout
                if self._waits and self.error is None:
                    self._written.wait(min(timeout, 0.01))
            if self.error is not None:
                raise self.error

    def _pass_on(self, assembler: StreamAssembler) -> bool:
        left = self._limit
        for partition in self.partitions:
            start = self._offsets[partition]
            found = self.log[partition][start : start + left]
            offer(assembler, *found)
            self._offsets[partition] += len(found)
            left -= len(found)
        return left < self._limit

    def misses(self, assembler: StreamAssembler) -> bool:
        return any(
            self._offsets[p] < len(self.log[p]) for p in self.partitions if assembler.awaits(p)
        )

    def is_gone(self) -> bool:
        return self.gone

    def mark_end(self) -> None:
        self._ends = [len(records) for records in self.log]

    def reached_end(self, assembler: StreamAssembler) -> bool:
        return all(
            self._offsets[p] >= self._ends[p] for p in self.partitions if assembler.awaits(p)
        )

    def require_retained(self, assembler: StreamAssembler) -> None:
        """Memory keeps everything."""

    def note(self, assembler: StreamAssembler) -> str:
        return ""

    def close(self) -> None:
        self.closed = True


class MemoryLog:
    """The control log of the run r-1, whose records become visible at the next catch-up.

    While ``away`` holds, nobody tells of them.
    """

    def __init__(
        self,
        records: list[dict[str, Any]],
        away: Callable[[], bool] = lambda: False,
        idle: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self.records = records
        self.away = away
        self.idle = idle
        self.catch_ups = 0
        self.handed_out = 0
        self._read = 0

    def begin(self, patience: float, batch: int | None) -> Beginning | None:
        found = Snapshots(self, "r-1", patience).beginning(batch)
        self._read = 0 if found is None else found.entry.offset + 1
        return found

    def span(self, patience: float) -> tuple[int, int]:
        return 0, len(self.records)

    def stretch(self, start: int, end: int, patience: float) -> list[LogRecord]:
        found = [self._record(offset) for offset in range(start, min(end, len(self.records)))]
        self.handed_out += len(found)
        return found

    def catch_up(self, timeout: float, sink: Callable[[LogRecord], None]) -> None:
        self.catch_ups += 1
        if self.away():
            raise KafkaUnreachable("no answer")
        for offset in range(self._read, len(self.records)):
            sink(self._record(offset))
            self.handed_out += 1
        self._read = len(self.records)

    def wait(self, seconds: float, sink: Callable[[LogRecord], None]) -> None:
        """Lets time pass if there is nothing."""
        if self._read == len(self.records) or self.away():
            self.idle(seconds)
        self.catch_up(seconds, sink)

    def digest_at(self, offset: int, patience: float) -> int | None:
        self._read = min(offset + 1, len(self.records))
        here = offset < len(self.records)
        return digest_of(self._record(offset).value) if here else None

    def _record(self, offset: int) -> LogRecord:
        value = wire.encode("ControlRecord", self.records[offset])
        return LogRecord("sluice.control", 0, offset, 0, [], value)

    def rewind(self) -> None:
        """Reads from the beginning again, as of a topic that has become shorter."""
        self._read = 0

    def close(self) -> None:
        self._read = 0


def reader_over(
    source: MemorySource,
    run: RunInfo,
    control: list[dict[str, Any]],
    rank: TrainerRank = WHOLE,
    supply: Supply | None = None,
    gap_timeout: float = 300.0,
    status_interval: float = 5.0,
    clock: Callable[[], float] | None = None,
    away: Callable[[], bool] = lambda: False,
    sets: SetSource | None = None,
) -> StreamReader:
    return StreamReader(
        run,
        source,
        ControlLog(run, lambda: MemoryLog(control, away)),
        rank,
        supply,
        sets,
        gap_timeout=gap_timeout,
        status_interval=status_interval,
        clock=clock or (lambda: source.now),
    )
