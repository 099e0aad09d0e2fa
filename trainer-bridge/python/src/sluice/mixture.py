"""Weights and tokens per domain of the batches that a run was granted."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sluice.runs import RunInfo

_ONE = float(1 << 40)  # weights in the log are integers that sum to this


@dataclass(frozen=True, eq=False)
class Mixture:
    """The mixture of one batch; every array is [domains].

    ``weights`` are those in force, ``tokens`` those of all batches up to this one, ``epochs`` the
    passes over the domain's blocks, NaN while the number of its blocks is not known.
    """

    weights: NDArray[np.float64]
    tokens: NDArray[np.int64]
    epochs: NDArray[np.float64]


@dataclass(slots=True)
class _Granted:
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
        self._sequences = np.zeros(len(run.domains), dtype=np.int64)
        self._grants: deque[_Granted] = deque()

    def grant(self, body: Mapping[str, Any]) -> None:
        """Takes an accepted MixtureGrant: batches (after, to]."""
        counts = np.array(body["counts"], dtype=np.int64).reshape(-1, self._sequences.size)
        before = max(self._batch - body["after"], 0)
        self._sequences += counts[:before].sum(axis=0)
        if body["to"] > self._batch:
            weights = np.array(body["effectiveWeights"], dtype=np.float64) / _ONE
            self._grants.append(_Granted(body["to"], weights, counts[before:]))

    def at(self, batch: int, blocks: NDArray[np.float64]) -> Mixture | None:
        """The mixture of a batch at or after the one asked for last; None if not granted yet.

        ``blocks`` [domains] are those that each domain has, NaN for what is not known.
        """
        while self._grants and self._grants[0].to < batch:
            passed = self._grants.popleft()
            self._sequences += passed.counts.sum(axis=0)
            self._batch = passed.to
        if not self._grants:
            return None
        grant = self._grants[0]
        self._sequences += grant.counts[: batch - self._batch].sum(axis=0)
        grant.counts = grant.counts[batch - self._batch :]
        self._batch = batch
        return Mixture(
            weights=grant.weights,
            tokens=self._sequences * self._length,
            epochs=self._sequences / blocks,
        )
