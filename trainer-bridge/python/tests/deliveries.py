"""A run of chance that is delivered in both ways: its log, its stream, and its segments."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from itertools import accumulate
from pathlib import Path
from typing import Any

from records import entry, snapshot, start_of
from segment_files import StoreWriter, row_hash, row_of, side_of
from sluice import wire
from sluice.run.control import ControlLog
from sluice.run.info import RunInfo
from sluice.run.rank import TrainerRank
from sluice.run.sets import DocumentSet, document_hash
from sluice.segment.rows import RowFormat
from sluice.segment.sealed import SealedLanes
from sluice.segment.store import SegmentStore
from sluice.stream.derived import DerivedReader
from sluice.stream.reader import StreamReader
from sluice.wire import chain
from sluice.wire.header import StreamHeader
from test_derive import LoggedRun
from test_masks import MemorySets, set_record
from writers import FINGERPRINT, MemoryLog, MemorySource, Written, block, reader_over, run_info

LABELS = 12
PARTITIONS = 4
UNUSABLE = b"no block"
MASKED = DocumentSet.of(set_record(("d0", "3"), ("d0", "5"), ("d1", "5")))


class MemorySegments:
    """What is said to be sealed, in memory; more of it at each look."""

    def __init__(self, records: list[dict[str, Any]]) -> None:
        self.sealed = SealedLanes("d", FINGERPRINT, RowFormat(LABELS + 1, 2))
        self.looks = 0
        self._records = records
        self._read = 0

    def refresh(self) -> None:
        self.looks += 1
        for record in self._records[self._read :]:
            self.sealed.take(wire.decode_as("Segment", wire.encode("Segment", record)))
        self._read = len(self._records)

    def close(self) -> None:
        self._read = 0


class DeliveredRun(LoggedRun):
    """The run r-1, with row lengths, masks, loss masks, and blocks that cannot be used."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.records: list[dict[str, Any]] = []
        self.segments: list[dict[str, Any]] = []
        self.stream: list[Written] = []
        self.now = 0.0
        self._chains = [chain.START] * PARTITIONS
        self._blocks: dict[tuple[str, int, int], dict[str, Any] | None] = {}
        self._wanted: dict[tuple[str, int], int] = {}
        self._seed = seed
        self.store = f"file://{folder}"
        self._writer = StoreWriter(folder, LABELS + 1, fingerprint=FINGERPRINT)
        super().__init__(random.Random(seed))
        self.in_place = set()

    @property
    def spec(self) -> dict[str, Any]:
        usual = run_info(PARTITIONS, [24] * 8 + [48]).spec
        return (
            usual
            | super().spec
            | {
                "sequenceLength": LABELS,
                "epochs": [1] * len(self.domains),
                "initialWeights": [1] * len(self.domains),
                "rowLengths": [{"fromBatch": 4, "labels": 6}, {"fromBatch": 11, "labels": 12}],
                "masks": [{"fromBatch": 6, "set": MASKED.name, "documents": 3, "why": ""}],
            }
        )

    @property
    def run(self) -> RunInfo:
        """As it was started."""
        return RunInfo("r-1", self.records[0]["body"][1]["spec"])

    def size_of(self, batch: int) -> int:
        return 24 if batch < 9 else 48

    def sum_up(self) -> None:
        self.grant()

    def write(self, kind: str, body: dict[str, Any]) -> None:
        serial, at = len(self.records), body.get("snapshot")
        if kind == "RunStarted":
            body = start_of(RunInfo("r-1", self.spec)) | {"startOrdinals": [0] * len(self.used)}
        elif kind == "MixtureGrant":
            body |= {"decision": None}
        elif at is not None:
            whole = snapshot(at["batch"], at["nextSequence"], at["weightsVersion"], at["ordinals"])
            few = {"weights": [1] * len(self.domains), "planError": [0] * len(self.domains)}
            body = body | {"commandId": "c", "snapshot": whole | few, "skippedTo": self.batch}
        self.records.append(entry(serial, serial - 1, kind, body) | {"timeline": self.timeline})
        if kind == "MixtureGrant":
            self.emit(range(body["after"] + 1, body["to"] + 1))

    def rewind(self) -> None:
        self._chains = [chain.START] * PARTITIONS
        super().rewind()

    def end(self, state: str) -> None:
        """Says that the run has ended."""
        self.write("RunStateChanged", {"state": state, "commandId": "", "refused": False})

    def emit(self, batches: Iterable[int]) -> None:
        for batch in batches:
            rows = self.rows[batch]
            for index, d, lane, ordinal, stored in rows:
                domain = self.domains[d]
                found = self.block(domain, lane, stored)
                wanted = self._wanted.get((domain, lane), 0)
                self._wanted[domain, lane] = max(wanted, stored + 1)
                partition = index % PARTITIONS
                hashed = chain.domain_hash(FINGERPRINT, domain)
                after = chain.next_chain(self._chains[partition], index, hashed, lane, stored)
                self._chains[partition] = after
                at = rows[0][0], len(rows), index, self.version, ordinal, after
                header = StreamHeader(self.timeline, batch, *at)
                value = UNUSABLE if found is None else wire.encode("TokenBlock", found)
                self.stream.append(Written(partition, header, value))

    def block(self, domain: str, lane: int, ordinal: int) -> dict[str, Any] | None:
        """A block; None for one that cannot be used."""
        place = domain, lane, ordinal
        if place not in self._blocks:
            draw = random.Random(f"{self._seed}/{domain}/{lane}/{ordinal}")
            usable = draw.random() > 0.02
            self._blocks[place] = self._drawn(draw, *place) if usable else None
        return self._blocks[place]

    def _drawn(self, draw: random.Random, domain: str, lane: int, ordinal: int) -> dict[str, Any]:
        first, masked = draw.randint(0, LABELS), draw.randint(0, LABELS)
        second = draw.randint(0, LABELS + 1 - first)
        runs = [LABELS - masked, draw.randint(0, masked)] if draw.random() < 0.3 else None
        return block(
            domain,
            ordinal,
            lane=lane,
            tokens=b"".join(
                draw.randrange(1 << 16).to_bytes(2, "little") for _ in range(LABELS + 1)
            ),
            documentLengths=[first, second, LABELS + 1 - first - second],
            documentIds=[draw.choice("123456"), draw.choice("35"), draw.choice(["", "5"])],
            trainedTokens=LABELS if runs is None else runs[0],
            lossMask=runs,
            producedAtMillis=draw.randrange(1000),
        )

    def seal(self, stop: int = 1 << 30) -> None:
        """Says of all blocks with ordinals below one that are in batches that they are sealed."""
        ended = []
        for (domain, lane), wanted in self._wanted.items():
            size = self.sizes[domain][lane]
            end = min(size or wanted, stop)
            blocks = [self.block(domain, lane, n) for n in range(end)]
            rows = [row_of(_tokens(one), 2) for one in blocks]
            for first, behind in ((0, end // 2), (end // 2, end)):
                if first < behind:
                    side = _side(domain, blocks[first:behind], rows[first:behind])
                    self._writer.add(domain, lane, first, rows[first:behind], side)
                    ended.append(behind == size)
        records = self._writer.seal()
        self.segments += [one | {"ended": last} for one, last in zip(records, ended, strict=True)]

    def idle(self, seconds: float) -> None:
        self.now += seconds

    def streamed(self, rank: TrainerRank) -> StreamReader:
        """A reader of the stream as it is now."""
        source = MemorySource(PARTITIONS, limit=50, waits=True)
        source.write(self.stream)
        return reader_over(source, self.run, self.records, rank, sets=MemorySets(MASKED))

    def reader(
        self,
        rank: TrainerRank,
        away: Callable[[], bool] = lambda: False,
        cache: Path | None = None,
    ) -> DerivedReader:
        """A reader of what is sealed."""
        return DerivedReader(
            self.run,
            ControlLog(self.run, lambda: MemoryLog(self.records, away, self.idle)),
            MemorySegments(self.segments),
            SegmentStore(self.store, "d", cache),
            rank,
            sets=MemorySets(MASKED),
            gap_timeout=300.0,
            status_interval=5.0,
            clock=lambda: self.now,
        )


def _tokens(found: dict[str, Any] | None) -> list[int]:
    packed = bytes(2 * (LABELS + 1)) if found is None else found["tokens"]
    return [int.from_bytes(packed[i : i + 2], "little") for i in range(0, len(packed), 2)]


def _document(domain: str, name: str) -> int:
    whole = document_hash(domain, name.encode())
    return int.from_bytes(whole[:8], "little") if name else 0


def _side(domain: str, blocks: list[dict[str, Any] | None], rows: list[bytes]) -> bytes:
    padding: dict[str, Any] = {"producedAtMillis": 0, "trainedTokens": 0, "lossMask": [0, LABELS]}
    padding |= {"documentLengths": [LABELS + 1], "documentIds": [""]}
    said = [one or padding for one in blocks]
    runs = [one["lossMask"] or [LABELS] for one in said]
    parts = [one["documentLengths"] for one in said]
    columns: list[tuple[str, str, list[int]]] = [
        ("hash", "u64", [row_hash(row) for row in rows]),
        ("produced", "i64", [one["producedAtMillis"] for one in said]),
        ("trained", "i32", [one["trainedTokens"] for one in said]),
        ("partsEnd", "i32", list(accumulate(map(len, parts)))),
        ("length", "i32", [length for each in parts for length in each]),
        ("document", "u64", [_document(domain, n) for one in said for n in one["documentIds"]]),
    ]
    if any(one["lossMask"] for one in said):
        columns += [
            ("runsEnd", "i32", list(accumulate(map(len, runs)))),
            ("run", "i32", [length for each in runs for length in each]),
        ]
    return side_of(columns, len(blocks))
