"""The stream that follows from a run's log: section 13 of docs/protocol.md."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from collections.abc import Sequence as Lanes
from typing import NamedTuple

from checker.log import Log, rows, snapshot_of
from checker.rules import (
    HEADER,
    block_of,
    chain_start,
    domain_hash,
    lane_orders,
    lane_share,
    merged,
    next_chain,
)
from checker.wire import Record


class Sequence(NamedTuple):
    timeline: int
    batch: int
    first: int
    size: int
    at: int
    """Its global index."""
    version: int
    ordinal: int
    chain: int
    domain: str
    lane: int
    block: int

    def header(self) -> bytes:
        return HEADER.pack(1, *self[:8])


def stream(
    log: Log, ended: Mapping[str, Lanes[int | None]], in_place: Collection[str] = ()
) -> Iterator[Sequence]:
    """Every granted sequence; ``ended`` are the blocks of each lane of the domains that ended."""
    spec: Record = {}
    newest, index, ordinals, chains = -1, 0, [0], [0]
    fresh = chain_start(log.plan_version, log.run_id)
    for timeline, kind, body, *_ in log.entries:
        spec = body.get("spec", spec)
        lanes, total, domains = spec["lanes"], spec["streamPartitions"], len(spec["domains"])
        hashes = [domain_hash(spec["fingerprint"], name) for name in spec["domains"]]
        begun = snapshot_of(kind, body)
        if begun:
            index, ordinals = begun["nextSequence"], begun["ordinals"]
            chains = [fresh] * total if timeline > newest else chains
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
                block = block_of(ordinals[place], spec["seed"], d, lane, blocks, name in in_place)
                chains[partition] = next_chain(chains[partition], g, hashes[d], lane, block)
                fields = (timeline, batch, index, size, g, body["weightsVersion"], ordinals[place])
                ordinals[place] += 1
                yield Sequence(*fields, chains[partition], name, lane, block)
            index += size
