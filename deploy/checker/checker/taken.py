"""What trainers took, against what was granted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from checker.finding import Finding
from checker.log import Batch
from checker.rules import UNIT
from checker.run import Place, Rank, Run, at, rank_of


def granted(run: Run) -> Iterator[Finding]:
    """Nothing is taken that no grant names."""
    for take in run.takes:
        batch, place = run.granted.get(at(take)), _place(take)
        said = {"first": take["first"], "size": take["size"]}
        if batch is None:
            yield run.finding("granted", place, "a grant names it", f"none does: {said}")
            continue
        expected = {"first": batch.first, "size": batch.size}
        within = range(batch.first, batch.first + batch.size)
        beyond = [index for index, *_ in take["rows"] if index not in within]
        if said != expected or beyond:
            yield run.finding("granted", place, expected, f"{said}, rows beyond it {beyond}")


def order(run: Run) -> Iterator[Finding]:
    """No gap, repeat or inversion for a rank, which goes on from the start or a checkpoint."""
    next_batch: dict[Rank, int] = {}
    begins = run.log.openings[0][1]
    kept: dict[int, set[int]] = {}
    for event in run.history.events:
        if event.get("run") != run.id or event["type"] != "ok":
            continue
        if event["op"] == "checkpoint":
            kept.setdefault(event["rank"], set()).add(event["batch"])
        elif event["op"] == "begin":
            rank, batch = rank_of(event), event["batch"]
            if batch not in {begins, *kept.get(rank.rank, ())}:
                known = sorted({begins, *kept.get(rank.rank, ())})[-3:]
                place = f"rank {rank.rank} begins at {event['at']}"
                yield run.finding("order", place, f"after a checkpoint of {known}", batch)
            next_batch[rank] = batch + 1
        elif event["op"] == "take":
            rank = rank_of(event)
            awaited = next_batch.get(rank, begins + 1)
            if event["batch"] != awaited:
                found = f"batch {event['batch']}"
                yield run.finding("order", _place(event), f"batch {awaited}", found)
            next_batch[rank] = event["batch"] + 1
            share = list(rank.rows(event["first"], event["size"]))
            rows = [index for index, *_ in event["rows"]]
            if rows != share:
                yield run.finding("order", _place(event), _span(share), _span(rows))


def version(run: Run) -> Iterator[Finding]:
    """A batch has its grant's version; versions never go back within a timeline."""
    last: dict[Rank, tuple[int, int, int]] = {}
    for take in run.takes:
        rank, now = rank_of(take), (take["timeline"], take["batch"], take["version"])
        before = last.get(rank, now)
        batch = run.granted.get(at(take))
        if now[0] == before[0] and now[1] > before[1] and now[2] < before[2]:
            expected = f"at least version {before[2]} of batch {before[1]}"
            yield run.finding("version", _place(take), expected, f"it is {now[2]}")
        elif batch is not None and batch.version != now[2]:
            expected = f"version {batch.version} of its grant"
            yield run.finding("version", _place(take), expected, f"it is {now[2]}")
        last[rank] = now


def mixture(run: Run) -> Iterator[Finding]:
    """What was taken has the counts of the plan; where nothing kept a domain, its bound holds."""
    taken: dict[Place, dict[int, str]] = {}
    for take in run.takes:
        rows = taken.setdefault(at(take), {})
        rows.update({index: domain for index, domain, _ in take["rows"]})
    timeline, bounded, lowest = -1, False, 0
    owed: dict[str, int] = {}
    for batch in run.log.batches:
        if batch.timeline != timeline:
            timeline, owed = batch.timeline, {}
        bounded = bounded or batch.bounded
        lowest = min(lowest, _mean(batch))
        rows = taken.get((batch.timeline, batch.batch), {})
        if len(rows) != batch.size or "" in rows.values():
            continue  # a rank, or the domain of a block that nobody can read, is not known
        names = list(rows.values())
        counts = [names.count(name) for name in batch.domains]
        for name, should, found in zip(batch.domains, batch.counts, counts, strict=True):
            owed[name] = owed.get(name, 0) + should - found
        place = f"timeline {batch.timeline}, batch {batch.batch}"
        if counts != batch.counts:
            yield run.finding("mixture", place, f"counts {batch.counts}", counts)
            continue
        if not bounded and (run.log.plan_version > 1 or not batch.masked):
            yield from _within(run, batch, owed, lowest)


def _within(run: Run, batch: Batch, owed: dict[str, int], lowest: int) -> Iterator[Finding]:
    """Section 7; ``owed`` are sequences that were granted and not taken."""
    k = len(batch.domains)
    error = dict(zip(batch.domains, batch.error, strict=True))
    least = (lowest if batch.masked else 0) - UNIT
    most = int(sum(1 / n for n in range(1, k + 1)) * UNIT) - UNIT
    kept = [name for i, name in enumerate(batch.domains) if i not in batch.masked]
    within = {name: error[name] + owed.get(name, 0) * UNIT for name in kept}
    beyond = {name: e / UNIT for name, e in within.items() if not least < e <= most}
    if beyond:
        place = f"timeline {batch.timeline}, batch {batch.batch}"
        expected = f"errors in ({least / UNIT:.3f}, {most / UNIT:.3f}] sequences"
        yield run.finding("mixture", place, expected, beyond)


def _mean(batch: Batch) -> int:
    """The mean error of the domains that are not masked; 0 if all or none are."""
    kept = [e for i, e in enumerate(batch.error) if i not in batch.masked]
    return sum(kept) // len(kept) if kept and batch.masked else 0


def _place(take: dict[str, Any]) -> str:
    names = ("rank", "timeline", "batch")
    return ", ".join(f"{name} {take[name]}" for name in names) + f" at {take['at']}"


def _span(rows: list[int]) -> str:
    return f"rows {rows[0]}…{rows[-1]} ({len(rows)})" if rows else "no rows"
