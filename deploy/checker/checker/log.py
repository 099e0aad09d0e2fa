"""A run's log, and the stream that follows from it, by docs/protocol.md alone.

Sections are those of the page.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import fastavro
from fastavro.schema import (
    fingerprint,
    load_schema,
    load_schema_ordered,
    to_parsing_canonical_form,
)

from checker.reading import continues
from checker.rules import (
    HEADER,
    block_of,
    domain_hash,
    lane_orders,
    lane_share,
    merged,
    next_chain,
    plan,
    without,
)

SCHEMAS = Path(__file__).parents[3] / "schemas" / "src" / "main"
EARLIER = SCHEMAS / "resources" / "io" / "sluice" / "schema" / "earlier"
Record = dict[str, Any]

# 3. Records

_FILES = ("RunSpec", "RunSnapshot", "RunOrigin", "ControlRecord")
_CURRENT = load_schema_ordered([str(SCHEMAS / "avro" / f"{name}.avsc") for name in _FILES])
_WRITTEN = {
    bytes.fromhex(fingerprint(to_parsing_canonical_form(schema), "CRC-64-AVRO")): schema
    for schema in [_CURRENT, *map(load_schema, sorted(EARLIER.glob("ControlRecord-*.avsc")))]
}


def decoded(value: bytes) -> Record | None:
    """The control record, its body a (type, record) pair; None for anything else."""
    if value[:2] != b"\xc3\x01" or value[2:10] not in _WRITTEN:
        return None
    body, written = io.BytesIO(value[10:]), _WRITTEN[value[2:10]]
    found: Any = fastavro.schemaless_reader(body, written, _CURRENT, return_record_name=True)
    return found if not body.read() else None


# 5. The control log


def start(spec: Record) -> Record:
    domains = spec["domains"]
    return {
        "batch": 0,
        "nextSequence": 0,
        "weightsVersion": 1,
        "round": 0,
        "baseRound": 0,
        "weights": spec["initialWeights"],
        "pinned": False,
        "drainTo": 0,
        "planError": [0] * len(domains),
        "ordinals": [0] * (len(domains) * spec["lanes"]),
        "masked": [domains.index(name) for name in spec["removed"]],
    }


def snapshot_of(kind: str, body: Record) -> Record | None:
    """What a start or a revision begins with; a copy."""
    if kind == "RunStarted":
        return deepcopy(body["origin"][1]["snapshot"] if body["origin"] else start(body["spec"]))
    return deepcopy(body["snapshot"]) if kind == "RunRevised" else None


def decide(s: Record, grant: Record) -> None:
    decision = grant["decision"] and grant["decision"][1]
    if decision:
        s["round"] = decision["round"]
        if not decision["kept"]:
            s["weights"] = decision["weights"]
    s["weightsVersion"] = grant["weightsVersion"]


def rows(grant: Record) -> Iterator[tuple[int, int, list[int]]]:
    """Batch, size and counts of each batch of a grant."""
    domains = len(grant["effectiveWeights"])
    for place, size in enumerate(grant["batchSizes"]):
        counts = grant["counts"][place * domains : (place + 1) * domains]
        assert sum(counts) == size
        yield grant["after"] + 1 + place, size, counts


def available(bounds: list[int], ordinals: list[int], domains: int) -> list[int]:
    left = [max(0, bound - used) for bound, used in zip(bounds, ordinals, strict=True)]
    return [len(left) // domains * min(left[d::domains]) for d in range(domains)]


def take(s: Record, grant: Record, last: int) -> None:
    decide(s, grant)
    effective = grant["effectiveWeights"]
    gone = {i for i, w in enumerate(s["weights"]) if w > 0 and effective[i] == 0}
    s["masked"] = sorted(gone | set(s["masked"]))
    assert effective == without(s["weights"], s["masked"])
    for batch, size, counts in rows(grant):
        if batch <= last:
            bounds = grant["supply"]
            most = available(bounds, s["ordinals"], len(counts)) if bounds else None
            assert plan(s["planError"], effective, size, most) == counts
            given = lane_share(counts, s["nextSequence"], s["ordinals"])
            s["ordinals"] = [a + b for a, b in zip(s["ordinals"], given, strict=True)]
            s["nextSequence"] += size
            s["batch"] = batch


class Log:
    """One run's fold; ``entries`` are (timeline, type, body) of what applied."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.at = {"timeline": 0, "serial": -1, "offset": -1, "granted": 0}
        self.entries: list[tuple[int, str, Record]] = []
        self.spec: Record = {}
        self.snapshot: Record = {}
        self.state = ""
        self.heard_to = 0

    def read(self, offset: int, value: bytes) -> str:
        record = decoded(value)
        if record is None or record["runId"] != self.run_id:
            return "ignored"
        if (record["serial"], record["basedOn"]) != (self.at["serial"] + 1, self.at["offset"]):
            return "ignored"
        kind, body = record["body"][0].rpartition(".")[2], record["body"][1]
        begun = snapshot_of(kind, body)
        shape = {**body, "body": kind, "timeline": record["timeline"]}
        granted = continues(self.at, {**shape, "batch": begun and begun["batch"]})
        if granted is None:
            return "breaks"
        opens = record["timeline"] > self.at["timeline"]
        kept = {key: record[key] for key in ("timeline", "serial")}
        self.at = {**kept, "offset": offset, "granted": granted}
        self._apply(kind, body, opens)
        self.entries.append((record["timeline"], kind, body))
        return "applies"

    def _apply(self, kind: str, body: Record, opens: bool) -> None:
        self.spec = body.get("spec", self.spec)
        self.snapshot = snapshot_of(kind, body) or self.snapshot
        every = self.spec["updateEvery"]
        reached = self.snapshot["round"] * every
        if kind == "RunStarted":
            self.state, self.heard_to = "running", reached
            return
        if kind == "MixtureGrant":
            take(self.snapshot, body, body["to"])
        elif kind == "RunStateChanged" and not body["refused"]:
            self.state = body["state"]
        elif opens:
            self.heard_to = min(self.heard_to, self.snapshot["batch"])
        reached = self.snapshot["round"] * every if every else self.snapshot["batch"]
        self.heard_to = max(self.heard_to, reached)

    # 23. States of the past

    def as_of(self, batch: int) -> Record:
        lineage: list[tuple[str, Record]] = []
        timeline = 0
        for at, kind, body in self.entries:
            if at > timeline:
                timeline, to = at, body["snapshot"]["batch"]
                lineage = [one for one in lineage if _stands(*one, to)]
            if kind != "RunStateChanged":
                lineage.append((kind, body))
        base, s = 0, {}
        for place, entry in enumerate(lineage):
            begun = snapshot_of(*entry)
            if begun and begun["batch"] <= batch:
                base, s = place, begun
        for kind, body in lineage[base + 1 :]:
            if kind != "MixtureGrant":
                break
            if body["after"] < batch:
                take(s, body, batch)
            elif _closes_by(body, batch):
                decide(s, body)
        s["drainTo"] = 0
        return s


def _closes_by(grant: Record, batch: int) -> bool:
    decision = grant["decision"]
    return bool(decision and decision[1]["step"] <= batch)


def _stands(kind: str, body: Record, to: int) -> bool:
    if kind == "RunRevised":
        return bool(body["snapshot"]["batch"] <= to)
    return kind == "RunStarted" or bool(body["after"] < to) or _closes_by(body, to)


# 13. Deriving a stream


def stream(log: Log, ended: dict[str, list[int]]) -> Iterator[Record]:
    """Every granted sequence; ``ended`` are the blocks of each lane of the domains that ended."""
    spec: Record = {}
    newest, index, ordinals, chains = -1, 0, [0], [0]
    for timeline, kind, body in log.entries:
        spec = body.get("spec", spec)
        lanes, total, domains = spec["lanes"], spec["streamPartitions"], len(spec["domains"])
        begun = snapshot_of(kind, body)
        if begun:
            index, ordinals = begun["nextSequence"], begun["ordinals"]
            chains = [0] * total if timeline > newest else chains
            newest = timeline
        if kind != "MixtureGrant":
            continue
        for batch, size, counts in rows(body):
            given = lane_share(counts, index, ordinals)
            order = merged(lane_orders(spec["seed"], timeline, batch, given, lanes), index)
            for g in range(index, index + size):
                lane, d, partition = g % lanes, order[g - index], g % total
                name, place = spec["domains"][d], g % lanes * domains + d
                blocks = ended.get(name, [None] * lanes)[lane]
                block = block_of(ordinals[place], spec["seed"], d, lane, blocks)
                domain = domain_hash(spec["fingerprint"], name)
                chains[partition] = next_chain(chains[partition], g, domain, lane, block)
                fields = (timeline, batch, index, size, g, body["weightsVersion"], ordinals[place])
                ordinals[place] += 1
                yield {
                    "partition": partition,
                    "timestamp": batch,
                    "header": HEADER.pack(1, *fields, chains[partition]).hex(),
                    "block": {"domain": name, "lane": lane, "ordinal": block},
                }
            index += size
