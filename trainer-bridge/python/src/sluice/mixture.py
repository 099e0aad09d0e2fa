"""Weights and tokens per domain of the batches that a run was granted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sluice.course import Course
from sluice.runs import RunInfo
from sluice.wire import Record

_ONE = float(1 << 40)  # weights in the log are integers that sum to this


@dataclass(frozen=True, eq=False)
class Mixture:
    """The mixture of one batch; every array is [domains].

    ``weights`` are those in force, ``sequences`` and ``tokens`` those of all batches up to this
    one, ``epochs`` the passes over the domain's blocks, NaN while the number of its blocks is not
    known.
    """

    weights: NDArray[np.float64]
    sequences: NDArray[np.int64]
    tokens: NDArray[np.int64]
    epochs: NDArray[np.float64]


@dataclass(slots=True)
class _Granted:
    timeline: int
    to: int
    weights: NDArray[np.float64]
    counts: NDArray[np.int64]  # [batches, domains]


class MixtureLedger:
    """Fold of a run's grants, asked for batches in order.

    Keeps the counts of batches after the last one that was asked for only, so a run of millions of
    batches takes a few rows of memory.
    """

    def __init__(self, run: RunInfo, last_batch: int) -> None:
        self._length = run.sequence_length
        self._batch = last_batch
        self._sequences: NDArray[np.int64] | None = None
        self._grants: deque[_Granted] = deque()

    def extend(self, grants: Iterable[tuple[int, Record]], course: Course) -> None:
        """Takes further MixtureGrants that apply, with their timelines, in order.

        Of any grant only the batches that later timelines of the course left to it count.
        """
        if self._sequences is None:
            self._sequences = _before(course)
            self._batch = max(self._batch, course.start.batch)
        for old in self._grants:
            self._cut(old, course)
        for timeline, body in grants:
            counts = np.array(body["counts"], dtype=np.int64)
            weights = np.array(body["effectiveWeights"], dtype=np.float64) / _ONE
            counts = counts.reshape(-1, weights.size)
            granted = _Granted(timeline, body["to"], weights, counts)
            self._cut(granted, course)
            before = max(self._batch - body["after"], 0)
            self._sequences = _sum(self._sequences, granted.counts[:before])
            granted.counts = granted.counts[before:]
            self._grants.append(granted)
        self._grants = deque(one for one in self._grants if len(one.counts))

    @staticmethod
    def _cut(granted: _Granted, course: Course) -> None:
        beyond = granted.to - course.timelines.end(granted.timeline)
        if beyond > 0:
            granted.counts = granted.counts[: max(len(granted.counts) - beyond, 0)]
            granted.to -= beyond

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
        grant = self._grants[0]
        sequences = self._sequences = _sum(sequences, grant.counts[: batch - self._batch])
        grant.counts = grant.counts[batch - self._batch :]
        self._batch = batch
        return Mixture(
            weights=grant.weights,
            sequences=sequences,
            tokens=sequences * self._length,
            epochs=np.full(sequences.size, np.nan),
        )


def _before(course: Course) -> NDArray[np.int64]:
    """Sequences of each domain before the run's first batch: those of what it was forked from."""
    domains = len(course.governing[0].run.domains)
    if course.origin is None:
        return np.zeros(domains, dtype=np.int64)
    ordinals = np.array(course.origin["snapshot"]["ordinals"], dtype=np.int64)
    before: NDArray[np.int64] = ordinals.reshape(-1, domains).sum(axis=0)
    return before


def _sum(sequences: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """With the rows of some batches; a revision may have added domains."""
    if len(counts) == 0:
        return sequences
    added = counts.sum(axis=0)
    total = np.zeros(max(sequences.size, added.size), dtype=np.int64)
    total[: sequences.size] += sequences
    total[: added.size] += added
    return total
