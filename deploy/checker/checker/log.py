"""A run's log by docs/protocol.md alone.

Sections are those of the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import NamedTuple

from checker.reading import Opening, continues, entry_digest, follows
from checker.rules import UNIT, lane_share, plan, without
from checker.wire import Record, of

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
        begun = body["origin"][1]["snapshot"] if body["origin"] else body["snapshot"]
        begun = begun[1] if isinstance(begun, tuple) else begun
        return deepcopy(begun or start(body["spec"]))
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


class Batch(NamedTuple):
    """A granted batch; ``planned`` are the plan's counts, ``error`` what those of the log leave."""

    timeline: int
    batch: int
    first: int
    version: int
    counts: list[int]
    planned: list[int]
    error: list[int]
    bounded: bool
    """Whether domains were behind, so that others took their seats."""

    masked: list[int]
    domains: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return sum(self.counts)


def take(s: Record, grant: Record, last: int, plan_version: int, timeline: int = 0) -> list[Batch]:
    decide(s, grant)
    effective, taken = grant["effectiveWeights"], []
    gone = {i for i, w in enumerate(s["weights"]) if w > 0 and effective[i] == 0}
    s["masked"] = sorted(gone | set(s["masked"]))
    bounds = grant["supply"]
    for batch, size, counts in rows(grant):
        if batch <= last:
            most = available(bounds, s["ordinals"], len(counts)) if bounds else None
            planned = plan(s["planError"], effective, size, most, plan_version)
            for i, (should, is_now) in enumerate(zip(planned, counts, strict=True)):
                s["planError"][i] += (should - is_now) * UNIT
            shape = (timeline, batch, s["nextSequence"], grant["weightsVersion"], counts)
            taken.append(Batch(*shape, planned, list(s["planError"]), bool(bounds), s["masked"]))
            given = lane_share(counts, s["nextSequence"], s["ordinals"])
            s["ordinals"] = [a + b for a, b in zip(s["ordinals"], given, strict=True)]
            s["nextSequence"] += size
            s["batch"] = batch
    return taken


class Entry(NamedTuple):
    """A record that applied."""

    timeline: int
    kind: str
    body: Record
    offset: int
    at: int
    """When it was proposed, by its writer's clock."""


class Log:
    """One run's fold; it goes on over what it finds wrong and says so in ``wrong``."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.at = {"timeline": 0, "serial": -1, "offset": -1, "granted": 0}
        self.entries: list[Entry] = []
        self.batches: list[Batch] = []
        self.openings: list[Opening] = []
        self.wrong: list[tuple[str, str, str, str]] = []
        """Rule, place, and both values."""
        self.spec: Record = {}
        self.snapshot: Record = {}
        self.state = ""
        self.heard_to = 0
        self.plan_version = 0
        self.broken = False
        self.standing = (0, 0)
        """Among the runs of its name: whether the log is its own, and where or when it starts."""

    def read(self, offset: int, value: bytes | None) -> str:
        record = of("ControlRecord", value)
        if record is None or record["runId"] != self.run_id or self.broken:
            return "ignored"
        if not follows(self.at, record):
            return "ignored"
        kind, body = record["body"][0].rpartition(".")[2], record["body"][1]
        begun = snapshot_of(kind, body)
        shape = {**body, "body": kind, "timeline": record["timeline"]}
        granted = continues(self.at, {**shape, "batch": begun and begun["batch"]})
        if granted is None:
            self.broken = True
            self._says("log", offset, "an entry that continues the log", f"{kind} does not")
            return "breaks"
        opens = record["timeline"] > self.at["timeline"] or not self.openings
        kept = {key: record[key] for key in ("timeline", "serial")}
        self.at = {**kept, "offset": offset, "granted": granted}
        if record["basedOnDigest"] is not None:
            self.at["digest"] = entry_digest(value or b"")
        entry = Entry(record["timeline"], kind, body, offset, record["timeMillis"])
        self._apply(entry, opens)
        self.entries.append(entry)
        return "applies"

    def _apply(self, entry: Entry, opens: bool) -> None:
        kind, body = entry.kind, entry.body
        self.spec = body.get("spec", self.spec)
        self.snapshot = snapshot_of(kind, body) or self.snapshot
        every = self.spec["updateEvery"]
        reached = self.snapshot["round"] * every
        if opens:
            begins = (self.snapshot["batch"], self.snapshot["nextSequence"])
            self.openings.append((entry.timeline, *begins))
        if kind == "RunStarted":
            self.plan_version = body["planVersion"]
            self.state, self.heard_to = "running", reached
            return
        if kind == "MixtureGrant":
            self._take(entry)
        elif kind == "RunStateChanged" and not body["refused"]:
            self.state = body["state"]
        elif opens:
            self.heard_to = min(self.heard_to, self.snapshot["batch"])
        reached = self.snapshot["round"] * every if every else self.snapshot["batch"]
        self.heard_to = max(self.heard_to, reached)

    def _take(self, entry: Entry) -> None:
        grant, first = entry.body, self.snapshot["nextSequence"]
        if self._unknown_weights():
            self.snapshot["weights"] = grant["effectiveWeights"]
        if grant["firstSequence"] != first:
            self._says("log", entry.offset, f"first {first}", f"it is {grant['firstSequence']}")
        version = self.plan_version
        taken = take(self.snapshot, grant, grant["to"], version, entry.timeline)
        expected = without(self.snapshot["weights"], self.snapshot["masked"])
        if grant["effectiveWeights"] != expected:
            is_now = f"they are {grant['effectiveWeights']}"
            self._says("mixture", entry.offset, f"effective weights {expected}", is_now)
        for batch in taken:
            if batch.planned != batch.counts:
                should = f"batch {batch.batch} has counts {batch.planned}"
                self._says("mixture", entry.offset, should, f"they are {batch.counts}")
        domains = tuple(self.spec["domains"])
        self.batches += [batch._replace(domains=domains) for batch in taken]

    def _unknown_weights(self) -> bool:
        """A start of before its snapshot was kept leaves the policy's first weights out."""
        if self.batches:
            return False
        begun = [each.body for each in self.entries if each.kind in ("RunStarted", "RunRevised")]
        bare = not begun[0]["origin"] and not begun[0]["snapshot"]
        return bare and len(begun) == 1

    def _says(self, rule: str, offset: int, expected: str, found: str) -> None:
        self.wrong.append((rule, f"entry at offset {offset}", expected, found))

    # 23. States of the past

    def as_of(self, batch: int) -> Record:
        lineage: list[tuple[str, Record]] = []
        timeline = 0
        for at, kind, body, *_ in self.entries:
            if at > timeline:
                timeline, to = at, body["snapshot"]["batch"]
                lineage = [one for one in lineage if _stands(*one, to)]
            if kind not in ("RunStateChanged", "LogSnapshot"):
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
                take(s, body, batch, self.plan_version)
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
