"""A small service in memory: documents, blocks, a run with a command and a rewind, two ranks."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from checker.blocks import digest
from checker.check import Report, check
from checker.corpus import tokens_of
from checker.derived import Sequence, stream
from checker.history import Event, History
from checker.log import Log, start
from checker.packing import Packed, packed
from checker.rules import (
    UNIT,
    WORD,
    digest_term,
    held_out,
    id_hash,
    plan,
    row_hash,
    shuffled,
)
from checker.sealed import Sealed
from checker.wire import of
from memory import MemoryTopics, encoded

RUN, DATASET, DOMAINS, LANES, PARTITIONS, SIZE = "r.1", "d", ["a", "b", "c"], 2, 4, 6
FINGERPRINT, SEED, HELD_OUT, PLAN = 0x1234, 7, 0.2, 2
TYPE = "io.sluice.schema."
Decided = tuple[int, str, list[int]]
Counts = Callable[[int, list[int]], list[int]]

DATASET_SPEC = {
    "name": DATASET,
    "fingerprint": FINGERPRINT,
    "tokenizer": "bytes",
    "vocabulary": 258,
    "tokenWidth": 2,
    "endOfDocument": 256,
    "padding": 257,
    "sequenceLength": 15,
    "shuffleBuffer": 4,
    "seed": 3,
    "heldOut": HELD_OUT,
    "heldOutTokens": 0,
    "fimRate": 0.0,
    "packing": "concat",
    "packingWindow": 0,
    "padDocumentsTo": 1,
    "documentIds": "hashes",
    "heldOutRule": 1,
    "lanes": LANES,
    "domains": DOMAINS,
    "shuffleWaitMillis": 30_000,
}
RELEASES = (2, 20, 37)
"""Documents of each domain before its shuffle buffer was released; some have fewer."""
RUN_SPEC: dict[str, Any] = {
    "run": "r",
    "dataset": DATASET,
    "fingerprint": FINGERPRINT,
    "tokenizer": "bytes",
    "vocabulary": 258,
    "sequenceLength": 15,
    "domains": DOMAINS,
    "lanes": LANES,
    "streamPartitions": PARTITIONS,
    "batchSizes": [{"fromBatch": 1, "sequences": SIZE}],
    "seed": SEED,
    "initialWeights": [UNIT // 2, UNIT // 4, UNIT // 4],
    "policy": "odm",
    "updateEvery": 4,
    "epochs": [9, 9, 9],
    "metrics": [{"name": "train_loss", "every": 4}],
}


class World:
    """What happened, told in order; ``counts`` may bend what a grant says."""

    def __init__(
        self, counts: Counts = lambda batch, given: given, delivery: str = "tokens"
    ) -> None:
        self.spec = RUN_SPEC | {"delivery": delivery}
        self.topics = MemoryTopics()
        self.events: list[Event] = []
        self.now = 1_000
        self.counts = counts
        self.log = Log(RUN)
        self.serial = -1
        for topic in ("datasets", "control", "feedback.r", "runs"):
            self.topics.create(topic)

    # documents

    def ingest(self, lost: str = "") -> None:
        """All of it; the text that is ``lost`` gets into no block."""
        self.topics.add("datasets", encoded("DatasetSpec", DATASET_SPEC))
        self.topics.create(f"releases.{DATASET}")
        self.topics.create(f"lineage.{DATASET}")
        for domain, count in zip(DOMAINS, (12, 40, 40), strict=True):
            documents = [
                (f"{domain}{n}", f"{domain} text {n} " * (1 + n % 3)) for n in range(count)
            ]
            self.topics.create(f"corpus.{domain}")
            for name, text in documents:
                said = {"domain": domain, "text": digest(text.encode())}
                self.happens("invoke", "ingest", **said)
                record = {"id": name, "text": text, "origin": "test", "line": 1, "properties": {}}
                self.topics.add(f"corpus.{domain}", encoded("Document", record))
                self.happens("ok", "ingest", **said)
            end = {"domain": domain, "lane": 0, "size": count}
            self.topics.add(f"corpus.{domain}", encoded("EndOfDomain", end))
            self._pack(domain, [each for each in documents if each[1] != lost])

    def _pack(self, domain: str, documents: list[tuple[str, str]]) -> None:
        apart = [each for each in documents if held_out(each[1], HELD_OUT)]
        trained: list[tuple[str, str] | None] = []
        for count, each in enumerate(documents, 1):
            trained += [] if held_out(each[1], HELD_OUT) else [each]
            if count in RELEASES:
                trained.append(None)
                release = {
                    "dataset": DATASET,
                    "fingerprint": FINGERPRINT,
                    "domain": domain,
                    "documents": count,
                }
                self.topics.add(f"releases.{DATASET}", encoded("ShuffleRelease", release))
        for kind, some in (("blocks", shuffled(3, domain, 4, trained)), ("eval", apart)):
            topic, number = f"{kind}.{DATASET}.{domain}", 0
            self.topics.create(topic, LANES)
            tokens = ((name, tokens_of(text, None)) for name, text in some)
            for number, block in enumerate(packed(DATASET_SPEC, tokens, 1), 1):
                lane, ordinal = (number - 1) % LANES, (number - 1) // LANES
                record = {
                    "fingerprint": FINGERPRINT,
                    "domain": domain,
                    "lane": lane,
                    "ordinal": ordinal,
                    "tokenWidth": 2,
                    "tokens": block.tokens,
                    "documentLengths": block.lengths,
                    "documentIds": [each and id_hash(domain, each) for each in block.ids],
                    "trainedTokens": 15,
                    "lossMask": block.mask,
                }
                self.topics.add(topic, encoded("TokenBlock", record), lane, ordinal)
                self._tell(domain, kind == "eval", lane, ordinal, block)
            for lane in range(LANES):
                size = (number - lane + LANES - 1) // LANES
                end = {"domain": domain, "lane": lane, "size": size}
                self.topics.add(topic, encoded("EndOfDomain", end), lane, size)

    def _tell(self, domain: str, apart: bool, lane: int, ordinal: int, block: Packed) -> None:
        hashes = (id_hash(domain, part.name) + "=" for part in block.parts)
        record = {
            "fingerprint": FINGERPRINT,
            "domain": domain,
            "heldOut": apart,
            "lane": lane,
            "ordinal": ordinal,
            "hashes": b"".join(base64.urlsafe_b64decode(each) for each in hashes),
            "contents": bytes.fromhex("".join(part.content for part in block.parts)),
            "starts": [part.start for part in block.parts],
            "tokens": [part.tokens for part in block.parts],
            "names": [part.name for part in block.parts],
            "whole": True,
        }
        self.topics.add(f"lineage.{DATASET}", encoded("BlockLineage", record), key=domain)

    def seal(self, domain: str, lane: int, first: int, last: int) -> None:
        """A segment has these blocks; of the lane's last one it says so."""
        blocks = len(self.topics.held[f"blocks.{DATASET}.{domain}"][lane]) - 1
        part = {"object": f"{DATASET}/{domain}", "offset": 0, "length": 1, "sha256": ""}
        record = {
            "dataset": DATASET,
            "fingerprint": FINGERPRINT,
            "domain": domain,
            "lane": lane,
            "first": first,
            "rows": last - first + 1,
            "ended": last + 1 == blocks,
            "data": part,
            "side": part,
            "timeMillis": self.tick(),
        }
        key = f"{domain}/{lane}/{first}"
        self.topics.add(f"segments.{DATASET}", encoded("Segment", record), key=key)

    def sealed(self) -> Sealed:
        return Sealed(self.topics, DATASET, FINGERPRINT)

    # the log

    def propose(self, kind: str, body: dict[str, Any], timeline: int = 0, at: int = 0) -> None:
        self.serial += 1
        record = {
            "runId": RUN,
            "timeline": timeline,
            "serial": self.serial,
            "basedOn": self.log.at["offset"],
            "writer": "test",
            "timeMillis": at or self.tick(),
            "why": "",
            "body": (TYPE + kind, body),
        }
        value = encoded("ControlRecord", record)
        offset = self.topics.add("control", value, key=RUN)
        assert self.log.read(offset, value) == "applies"

    def begin(self) -> None:
        body = {"spec": self.spec, "planVersion": PLAN, "startOrdinals": [0, 0, 0]}
        body["snapshot"] = snapshot(self.log)
        self.propose("RunStarted", body)

    def grant(
        self, to: int, decided: tuple[int, str, list[int]] | None = None, at: int = 0
    ) -> None:
        """``decided`` are a round, its attempt and its weights."""
        state = self.log.snapshot
        weights = decided[2] if decided else state["weights"]
        error, counts, batches = list(state["planError"]), [], to - state["batch"]
        for batch in range(state["batch"] + 1, to + 1):
            counts += self.counts(batch, plan(error, weights, SIZE, None, PLAN))
        decision: dict[str, Any] = {"policyState": b"", "kept": False, "values": []}
        if decided:
            decision |= dict(zip(("round", "attempt", "weights"), decided, strict=True))
            decision["step"] = decided[0] * RUN_SPEC["updateEvery"]
        body = {
            "after": state["batch"],
            "to": to,
            "firstSequence": state["nextSequence"],
            "weightsVersion": state["weightsVersion"] + bool(decided),
            "batchSizes": [SIZE] * batches,
            "counts": counts,
            "effectiveWeights": weights,
            "supply": [],
            "decision": decision if decided else None,
        }
        self.propose("MixtureGrant", body, self.log.at["timeline"], at)

    def revise(self, command: str, state: dict[str, Any], timeline: int, skipped_to: int) -> None:
        body = {"commandId": command, "spec": self.spec, "snapshot": state, "skippedTo": skipped_to}
        self.propose("RunRevised", body, timeline)

    def emit(self) -> list[Sequence]:
        """The whole stream, as one emitter that was never in time for a rewind."""
        self.topics.create("stream.r", PARTITIONS)
        found = self.derived()
        for each in found:
            value = self.topics.held[f"blocks.d.{each.domain}"][each.lane][each.block].value
            place = each.at % PARTITIONS
            self.topics.add("stream.r", value, place, each.batch, header=each.header())
        return found

    def derived(self) -> list[Sequence]:
        """All that is granted."""
        blocks = {domain: self.topics.held[f"blocks.d.{domain}"] for domain in DOMAINS}
        ended = {domain: [len(lane) - 1 for lane in lanes] for domain, lanes in blocks.items()}
        return list(stream(self.log, ended))

    # trainers

    def happens(self, kind: str, op: str, process: str = "test", **values: Any) -> None:
        self.events.append(
            {"at": self.tick(), "process": process, "type": kind, "op": op, **values}
        )

    def tick(self) -> int:
        self.now += 10
        return self.now

    def says(self, rank: int, kind: str, op: str, **values: Any) -> None:
        self.happens(kind, op, f"trainer-{rank}", run=RUN, rank=rank, worldSize=2, **values)

    def report(self, rank: int, step: int, attempt: str, lost: bool = False) -> None:
        named = {"timeline": 0, "step": step, "metric": "train_loss", "attempt": attempt}
        self.says(rank, "invoke", "report", **named)
        entries = [{"domain": domain, "sum": 1.0, "count": 1} for domain in DOMAINS]
        record = {**named, "runId": RUN, "rank": rank, "worldSize": 2, "entries": entries}
        record |= {"trainerStep": step, "timeMillis": self.now}
        if not lost:
            self.topics.add("feedback.r", encoded("TrainerFeedback", record), key=RUN)
        self.says(rank, "ok", "flush", batch=step)

    def take(self, rank: int, emitted: list[Sequence], timeline: int, batches: range) -> None:
        for batch in batches:
            rows = [each for each in emitted if (each.timeline, each.batch) == (timeline, batch)]
            mine = rows[rank * SIZE // 2 : (rank + 1) * SIZE // 2]
            held = self.topics.held
            shown = []
            for each in mine:
                value = held[f"blocks.d.{each.domain}"][each.lane][each.block].value
                shown.append([each.at, each.domain, digest(value)])
            where = {"timeline": timeline, "batch": batch, "version": rows[0].version}
            self.says(rank, "ok", "take", **where, first=rows[0].at, size=SIZE, rows=shown)

    def read(
        self, rank: int, derived: list[Sequence], timeline: int, batches: range, wrong: int = 0
    ) -> None:
        """It says what it read of batches; of the last one as much more as is ``wrong``."""
        digests = []
        for batch in batches:
            rows = [each for each in derived if (each.timeline, each.batch) == (timeline, batch)]
            digest = sum(
                digest_term(each.at, self.row(each))
                for each in rows[rank * SIZE // 2 : (rank + 1) * SIZE // 2]
            )
            digests.append(digest + wrong * (batch == batches[-1]))
        record = {
            "runId": RUN,
            "timeline": timeline,
            "batch": batches[-1],
            "trainerStep": batches[-1],
            "worldSize": 2,
            "rank": rank,
            "timeMillis": self.tick(),
            "read": {"first": batches[0], "digests": [signed(each) for each in digests]},
        }
        self.topics.add("feedback.r", encoded("TrainerProgress", record), key=RUN)

    def row(self, sequence: Sequence) -> int:
        blocks = self.topics.held[f"blocks.{DATASET}.{sequence.domain}"][sequence.lane]
        block = of("TokenBlock", blocks[sequence.block].value)
        assert block is not None
        return row_hash(block["tokens"])

    def checked(self) -> Report:
        return check(self.topics, History(self.events))


def signed(word: int) -> int:
    return (word + (1 << 63) & WORD) - (1 << 63)


def snapshot(log: Log, **changes: Any) -> dict[str, Any]:
    state = log.snapshot or start(RUN_SPEC | {"removed": []})
    return {**state, "policyState": b"", **changes}
