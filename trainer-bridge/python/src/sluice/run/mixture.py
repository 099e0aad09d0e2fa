"""Weights and tokens per domain of the batches that a run was granted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sluice.errors import StreamCorrupt
from sluice.run.info import RunInfo
from sluice.run.run_timeline import RunTimeline
from sluice.wire import Record

ONE = float(1 << 40)
"""Weights in the log are integers that sum to this."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """The mixture of one batch; every array is [domains].

    ``weights`` are those in force, of version ``version``; ``size`` is the batch's sequences.
    ``sequences`` and ``tokens`` are those of all batches up to this one, ``epochs`` the passes over
    the domain's blocks, NaN while the number of its blocks is not known.
    """

    version: int
    size: int
    weights: NDArray[np.float64]
    sequences: NDArray[np.int64]
    tokens: NDArray[np.int64]
    epochs: NDArray[np.float64]


@dataclass(slots=True)
class Granted:
    """Batches up to ``to`` of a grant, whose sequences are ``counts`` [batches, domains]."""

    timeline: int
    after: int
    to: int
    version: int
    weights: NDArray[np.float64]
    counts: NDArray[np.int32]

    @staticmethod
    def of(timeline: int, body: Record) -> Granted:
        """A MixtureGrant that applies; fails unless its counts sum to its batches."""
        weights = np.array(body["effectiveWeights"], dtype=np.float64) / ONE
        after, to, sizes = body["after"], body["to"], body["batchSizes"]
        counts = np.array(body["counts"], dtype=np.int32)
        if counts.size != (to - after) * weights.size or len(sizes) != to - after:
            raise StreamCorrupt(
                f"the grant of batches {after + 1} to {to} must have {to - after} sizes and "
                f"{(to - after) * weights.size} counts: {len(sizes)} and {counts.size}"
            )
        counts = counts.reshape(to - after, weights.size)
        sums = counts.sum(axis=1)
        if (sums != sizes).any() or (counts < 0).any():
            at = int(((sums != sizes) | (counts < 0).any(axis=1)).argmax())
            raise StreamCorrupt(
                f"the counts of batch {after + 1 + at} must not be negative and sum to its "
                f"{sizes[at]} sequences: {sums[at]}"
            )
        return Granted(timeline, after, to, body["weightsVersion"], weights, counts)

    def leave(self, last: int) -> None:
        """Keeps the batches up to one: what is beyond it belongs to later timelines."""
        beyond = self.to - last
        if beyond > 0:
            self.counts = self.counts[: max(len(self.counts) - beyond, 0)]
            self.to -= beyond


class MixtureLedger:
    """Fold of a run's grants, asked for batches in order.

    Keeps the counts of batches after the last one that was asked for only, so a run of millions of
    batches takes a few rows of memory.
    """

    def __init__(self, run: RunInfo, last_batch: int) -> None:
        self._length = run.sequence_length
        self._batch = last_batch
        self._after = 0
        self._size = 0
        self._sequences: NDArray[np.int64] | None = None
        self._grants: deque[Granted] = deque()

    def begin(self, snapshot: Record) -> None:
        """Begins at a RunSnapshot, instead of at the run's start."""
        domains = len(snapshot["weights"])
        self._sequences = _granted(snapshot["ordinals"], domains)
        self._batch = max(self._batch, snapshot["batch"])
        self._after = snapshot["batch"]

    def begins_after(self, batch: int) -> bool:
        """Whether a batch is before those whose mixtures can be told."""
        return batch <= self._after

    def extend(self, grants: Iterable[Granted], run_timeline: RunTimeline) -> None:
        """Takes further grants that apply, in order.

        Of any grant only the batches that later timelines of the run left to it count.
        """
        if self._sequences is None:
            self._sequences = _before(run_timeline)
            self._batch = max(self._batch, run_timeline.start.batch)
        for old in self._grants:
            old.leave(run_timeline.timelines.end(old.timeline))
        for granted in grants:
            granted.leave(run_timeline.timelines.end(granted.timeline))
            passed = max(self._batch - granted.after, 0)
            self._sequences = _sum(self._sequences, granted.counts[:passed])
            granted.counts = granted.counts[passed:]
            self._grants.append(granted)
        self._grants = deque(one for one in self._grants if len(one.counts))

    def at(self, batch: int) -> Mixture | None:
        """The mixture of a batch at or after the one asked for last, its epochs not known; None
        if it is not granted yet."""
        sequences = self._sequences
        if sequences is None:
            return None
        while self._grants and self._grants[0].to < batch:
            passed = self._grants.popleft()
            sequences = self._sequences = _sum(sequences, passed.counts)
            self._batch = passed.to
        if not self._grants:
            return None
        grant, ahead = self._grants[0], batch - self._batch
        if ahead:
            self._size = int(grant.counts[ahead - 1].sum())
            sequences = self._sequences = _sum(sequences, grant.counts[:ahead])
            grant.counts = grant.counts[ahead:]
            self._batch = batch
        return Mixture(
            version=grant.version,
            size=self._size,
            weights=grant.weights,
            sequences=sequences,
            tokens=sequences * self._length,
            epochs=np.full(sequences.size, np.nan),
        )


def _before(run_timeline: RunTimeline) -> NDArray[np.int64]:
    """Sequences of each domain before the run's first batch: those of what it was forked from."""
    domains = len(run_timeline.governing[0].run.domains)
    if run_timeline.origin is None:
        return np.zeros(domains, dtype=np.int64)
    return _granted(run_timeline.origin.ordinals, domains)


def _granted(ordinals: Sequence[int], domains: int) -> NDArray[np.int64]:
    """Sequences of each domain, of the next ordinals [lanes, domains] of its lanes."""
    found: NDArray[np.int64] = np.array(ordinals, dtype=np.int64).reshape(-1, domains).sum(axis=0)
    return found


def _sum(sequences: NDArray[np.int64], counts: NDArray[np.int32]) -> NDArray[np.int64]:
    """With the rows of some batches; a revision may have added domains."""
    if len(counts) == 0:
        return sequences
    added = counts.sum(axis=0)
    total = np.zeros(max(sequences.size, added.size), dtype=np.int64)
    total[: sequences.size] += sequences
    total[: added.size] += added
    return total
