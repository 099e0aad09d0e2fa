"""What a reader does by docs/protocol.md, written again from that page alone."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from checker.rules import HEADER, chain_start, domain_hash, next_chain

Opening = tuple[int, int, int]

# 5. The control log


def entry_digest(value: bytes) -> int:
    return int.from_bytes(sha256(value).digest()[:8], "big", signed=True)


def follows(at: dict[str, int], record: dict[str, Any]) -> bool:
    """Whether a record is next."""
    first, base = at["serial"] == -1, record.get("basedOnDigest")
    known = base in (None, entry_digest(b"")) if first else base == at.get("digest")
    return known and (record["serial"], record["basedOn"]) == (at["serial"] + 1, at["offset"])


def continues(at: dict[str, int], record: dict[str, Any]) -> int | None:
    body, granted = record["body"], at["granted"]
    first, same = at["serial"] == -1, record["timeline"] == at["timeline"]
    if first or body == "RunStarted":
        starts = first and body == "RunStarted" and record["timeline"] == 0
        return record["batch"] if starts else None
    if body == "MixtureGrant":
        return record["to"] if same and record["after"] == granted else None
    if body in ("RunStateChanged", "LogSnapshot"):
        return granted if same else None
    opens = record["timeline"] == at["timeline"] + 1
    fits = (same and record["batch"] == granted) or (
        opens and record["batch"] <= record["skippedTo"] <= granted
    )
    return record["batch"] if fits else None


# 14. Timelines, 17. Resuming

ENDLESS = 1 << 62


class Timelines:
    """Openings, as (timeline, after, firstIndex)."""

    def __init__(self, opened: list[Opening]) -> None:
        self.opened = opened

    @property
    def newest(self) -> int:
        return self.opened[-1][0]

    def owner(self, batch: int) -> int:
        return next((o for o in reversed(self.opened) if o[1] < batch), self.opened[0])[0]

    def of_index(self, g: int) -> Opening:
        return next((o for o in reversed(self.opened) if o[2] <= g), self.opened[0])

    def end(self, timeline: int) -> int:
        return min((o[1] for o in self.opened if o[0] > timeline), default=ENDLESS)


def resumed(
    case: dict[str, Any],
    timelines: Timelines,
    start: Opening,
    first_index: Callable[[int], int],
    state: dict[str, Any],
) -> dict[str, Any]:
    at_start = {"resumes": dict(zip(("timeline", "batch", "firstIndex"), start, strict=True))}
    own, batch, origin = state["timeline"], state["batch"], case["origin"]
    if state["runId"] != case["runId"]:
        names = ("runId", "timeline", "batch")
        same = origin and all(state[name] == origin[name] for name in names)
        return at_start if same else {"refused": True}
    if batch in (0, start[1]):
        return at_start
    if own > timelines.newest:
        return {"refused": True}
    if timelines.owner(batch) != own:
        return {"rewoundTo": min(batch - 1, timelines.end(own))}
    if batch < start[1] or state["firstIndex"] != first_index(batch + 1):
        return {"refused": True}
    return {"resumes": {"timeline": own, "batch": batch, "firstIndex": state["firstIndex"]}}


# 15. Reading a stream


class Reader:
    """All rows of the batches after one; says what becomes of each record."""

    def __init__(self, case: dict[str, Any]) -> None:
        keys = ("timeline", "after", "firstIndex")
        self.timelines = Timelines([tuple(o[key] for key in keys) for o in case["timelines"]])
        self.partitions = case["streamPartitions"]
        self.fingerprint = int(case["fingerprint"], 16)
        self.start = chain_start(case.get("planVersion", 1), case.get("runId", ""))
        self.batch, self.first = case["batch"] + 1, case["firstIndex"]
        self.shapes: dict[int, tuple[int, int, int]] = {}
        self.filled: dict[int, int] = {}
        self.expected, self.chain = {}, {}
        for p in range(self.partitions):
            index = self.first + (p - self.first) % self.partitions
            fresh = index - self.partitions < self.timelines.of_index(index)[2]
            self.expected[p], self.chain[p] = index, self.start if fresh else None

    def take(self, record: dict[str, Any]) -> dict[str, Any]:
        partition, block = record["partition"], record["block"]
        header = HEADER.unpack(bytes.fromhex(record["header"]))
        timeline, batch, first, size, index, version = header[1:7]
        awaited = self.expected[partition]
        own = self.timelines.of_index(awaited)[0]
        if timeline > self.timelines.newest:
            return {"reading": "rewound", "rewoundTo": batch - 1}
        if timeline != own or index != awaited:
            return {"reading": "passed over"}
        if not self._fits(timeline, batch, (first, size, version), index):
            return {"reading": "corrupt"}
        before, claimed = self.chain[partition], header[8]
        if block is not None and before is not None:
            domain = domain_hash(self.fingerprint, block["domain"])
            if next_chain(before, index, domain, block["lane"], block["ordinal"]) != claimed:
                return {"reading": "corrupt"}
        self.expected[partition] += self.partitions
        goes_on = self.timelines.of_index(self.expected[partition])[0] == own
        self.chain[partition] = claimed if goes_on else self.start
        self.filled[batch] = self.filled.get(batch, 0) + 1
        return {"reading": "accepted", **self._completed()}

    def _fits(self, timeline: int, batch: int, shape: tuple[int, int, int], index: int) -> bool:
        first, size, _ = shape
        within = batch >= 1 and 0 <= first <= index < first + size
        known = self.shapes.setdefault(batch, shape) if within else None
        begins = first == self.first if batch == self.batch else first > self.first
        owned = self.timelines.owner(batch) == timeline
        return known == shape and batch >= self.batch and begins and owned

    def _completed(self) -> dict[str, int]:
        shape = self.shapes.get(self.batch)
        if shape is None or self.filled[self.batch] < shape[1]:
            return {}
        self.batch, self.first = self.batch + 1, shape[0] + shape[1]
        return {"completes": self.batch - 1}
