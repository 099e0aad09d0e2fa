"""Where a run is after a batch."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sluice.derive.lanes import lane_share
from sluice.derive.shuffle import Ints
from sluice.errors import StreamCorrupt
from sluice.run.entry import Entry, origin_of
from sluice.wire import Record


@dataclass(frozen=True, eq=False, slots=True)
class Turn:
    """What a run goes on with after ``batch``, by an entry that says all of it.

    ``first_index`` is that of the next batch; ``ordinals`` [lanes, domains] are next ordinals,
    epochs counted through.
    """

    timeline: int
    batch: int
    first_index: int
    version: int
    seed: int
    lanes: int
    domains: tuple[str, ...]
    ordinals: Ints

    @staticmethod
    def of(entry: Entry) -> Turn:
        """What a RunStarted, a RunRevised or a LogSnapshot makes of the run."""
        body = entry.body
        if entry.kind == "RunStarted":
            origin = origin_of(body)
            at = _nothing(body["spec"]) if origin is None else origin["snapshot"]
        else:
            at = body["snapshot"]
        spec, timeline = body["spec"], entry.timeline
        lanes, domains, batch = spec["lanes"], tuple(spec["domains"]), at["batch"]
        ordinals = np.array(at["ordinals"], dtype=np.int64)
        if lanes < 1 or not domains or ordinals.size != lanes * len(domains):
            raise StreamCorrupt(
                f"batch {batch} must leave ordinals of {lanes} lanes of {len(domains)} domains: "
                f"{ordinals.size}"
            )
        first, version = at["nextSequence"], at["weightsVersion"]
        by_lane = ordinals.reshape(lanes, len(domains))
        return Turn(timeline, batch, first, version, spec["seed"], lanes, domains, by_lane)


def _nothing(spec: Record) -> Record:
    """The snapshot before the first batch of a run of its own."""
    zeros = [0] * (spec["lanes"] * len(spec["domains"]))
    return {"batch": 0, "nextSequence": 0, "weightsVersion": 1, "ordinals": zeros}


@dataclass(slots=True)
class Cursor:
    """The state after ``batch``; ``ordinals`` [lanes, domains] are never changed in place."""

    turn: Turn
    batch: int
    first_index: int
    ordinals: Ints

    @staticmethod
    def at(turn: Turn) -> Cursor:
        """Where an entry says that the run is."""
        return Cursor(turn, turn.batch, turn.first_index, turn.ordinals)

    def shares(self, counts: NDArray[np.int32]) -> Ints:
        """How lanes share the next batches, of ``counts`` [batches, domains]: [batches, lanes,
        domains]."""
        if self.turn.lanes == 1:
            return counts.astype(np.int64)[:, None, :]
        shares = np.empty((len(counts), *self.ordinals.shape), dtype=np.int64)
        used, first = self.ordinals.copy(), self.first_index
        for row, share in zip(counts, shares, strict=True):
            share[:] = lane_share(row, first, used)
            used += share
            first += int(row.sum())
        return shares

    def passing(self, shares: Ints) -> Cursor:
        """The state after batches that lanes share so."""
        return replace(
            self,
            batch=self.batch + len(shares),
            first_index=self.first_index + int(shares.sum()),
            ordinals=self.ordinals + shares.sum(axis=0),
        )

    def taking(self, turn: Turn) -> Cursor:
        """The state before the same batch, under another specification or in another timeline.

        Fails if the entry says something else of what was granted before.
        """
        old, batch = self.turn, self.batch + 1
        same, known = turn.timeline == old.timeline, len(old.domains)
        if turn.lanes != old.lanes or (same and turn.domains[:known] != old.domains):
            raise StreamCorrupt(
                f"batch {batch} has domains {turn.domains}, those before {old.domains}"
            )
        goes_on = np.array_equal(turn.ordinals[:, :known], self.ordinals)
        if turn.first_index != self.first_index or (same and not goes_on):
            raise StreamCorrupt(
                f"batch {batch} begins at sequence {turn.first_index} and ordinals "
                f"{turn.ordinals.tolist()}, the batches before it end at sequence "
                f"{self.first_index} and ordinals {self.ordinals.tolist()}"
            )
        return Cursor.at(turn)
