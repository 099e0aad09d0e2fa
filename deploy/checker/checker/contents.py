"""One (timeline, index) is one digest, for all ranks and all re-reads; what the stream keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from checker import blocks
from checker.derived import Sequence, stream
from checker.finding import Finding
from checker.rules import HEADER
from checker.run import Place, Run, at
from checker.topics import Topics

Row = tuple[str, str]
"""Domain and digest."""


def digest(run: Run) -> Iterator[Finding]:
    """What was taken is what the log and the blocks say; each re-read is the same."""
    rows: dict[Place, dict[int, dict[Row, str]]] = {}
    for take in run.takes:
        place = f"rank {take['rank']} at {take['at']}"
        batch = rows.setdefault(at(take), {})
        for index, domain, found in take["rows"]:
            batch.setdefault(index, {}).setdefault((domain, found), place)
    dataset = run.log.spec["dataset"]
    for sequence in derived(run):
        found_rows = rows.get((sequence.timeline, sequence.batch), {}).get(sequence.at, {})
        block = run.blocks.of(dataset, sequence.domain, sequence.lane, sequence.block)
        should = (sequence.domain, block)
        for found, place in found_rows.items():
            if found not in (should, ("", block)):
                yield run.finding("digest", _place(sequence, place), should, found)


def derived(run: Run) -> Iterator[Sequence]:
    dataset = run.log.spec["dataset"]
    specs = [entry.body["spec"] for entry in run.log.entries if "spec" in entry.body]
    names = {name for spec in specs for name in spec["domains"]}  # a rewind may drop some
    if run.derived:
        lanes = range(run.log.spec["lanes"])
        sealed = {name: [run.sealed.ended(name, lane) for lane in lanes] for name in names}
        return stream(run.log, sealed, {name for name in names if run.sealed.in_place(name)})
    ended = {name: run.blocks.ended(dataset, name) for name in names}
    return stream(run.log, {name: lanes for name, lanes in ended.items() if lanes})


class Partition(NamedTuple):
    """What a reader that begins at the first record accepts: header and digest of each index."""

    accepted: dict[tuple[int, int], tuple[bytes, str]]
    start: int


def accepted(run: Run, partition: int, topics: Topics) -> Partition:
    """Section 15; without its checks of what is accepted, which are made against the log."""
    topic, total = f"stream.{run.name}", run.log.spec["streamPartitions"]
    start = topics.start(topic, partition)
    first = run.log.openings[0][2]
    awaited = first + (partition - first) % total if start == 0 else None
    found: dict[tuple[int, int], tuple[bytes, str]] = {}
    for message in topics.read(topic, partition):
        if message.header is None or len(message.header) != HEADER.size:
            continue
        _, timeline, *_, index, _, _, _ = HEADER.unpack(message.header)
        own = run.timelines.of_index(index)[0]
        if timeline == own and index == (index if awaited is None else awaited):
            found[timeline, index] = (message.header, blocks.digest(message.value))
            awaited = index + total
    return Partition(found, start)


def partitions(run: Run, topics: Topics) -> list[Partition]:
    """All of the stream, if there is one."""
    topic = f"stream.{run.name}"
    total = topics.partitions(topic) if topic in topics.names() and not run.derived else 0
    return [accepted(run, p, topics) for p in range(total)]


def emitted(run: Run, there: list[Partition]) -> Iterator[Finding]:
    """What is in the stream is what the log says, and nothing else."""
    found = {key: value for each in there for key, value in each.accepted.items()}
    dataset, topic = run.log.spec["dataset"], f"topic stream.{run.name}"
    for sequence in derived(run) if there else ():
        value = found.pop((sequence.timeline, sequence.at), None)
        block = run.blocks.of(dataset, sequence.domain, sequence.lane, sequence.block)
        if value is not None and value != (sequence.header(), block):
            expected, is_now = (sequence.header().hex(), block), (value[0].hex(), value[1])
            yield run.finding("digest", _place(sequence, topic), expected, is_now)
    for timeline, index in sorted(found):
        place = f"{topic}, timeline {timeline}, index {index}"
        yield run.finding("granted", place, "a grant names it", "none does")


def kept(run: Run, there: list[Partition]) -> Iterator[Finding]:
    """Nothing is cut that a live checkpoint needs."""
    live: dict[int, set[int]] = {}
    for event in run.history.events:
        if event.get("run") != run.id or event["type"] != "ok":
            continue
        if event["op"] == "checkpoint":
            if run.timelines.owner(event["batch"]) == event["timeline"]:
                live.setdefault(event["rank"], set()).add(event["batch"])
        elif event["op"] == "drop":
            live.get(event["rank"], set()).discard(event["batch"])
    oldest = min((min(batches) for batches in live.values() if batches), default=None)
    if oldest is None:
        return
    after = run.granted.get((run.timelines.owner(oldest + 1), oldest + 1))
    reached = max((take["batch"] for take in run.takes), default=0)
    if after is None or reached <= oldest:
        return
    for number, partition in enumerate(there):
        needed = after.first + (number - after.first) % len(there)
        indices = {index for _, index in partition.accepted}
        later = needed < after.first + after.size or any(index > needed for index in indices)
        if partition.start > 0 and later and needed not in indices:
            place = f"topic stream.{run.name}, partition {number}"
            expected = f"index {needed} for the checkpoint of batch {oldest}"
            begins = f"it begins with {min(indices, default='nothing')}"
            yield run.finding("kept", place, expected, f"{begins}, at offset {partition.start}")


def _place(sequence: Sequence, where: str) -> str:
    names = ("timeline", "batch")
    shown = ", ".join(f"{name} {getattr(sequence, name)}" for name in names)
    return f"{where}, {shown}, index {sequence.at}"
