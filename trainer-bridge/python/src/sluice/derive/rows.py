"""What a rank reads of some batches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class DerivedRows:
    """The sequences that one rank reads of neighbouring batches, in their order.

    Batch ``batch + i`` is of ``timeline``, has ``sizes[i]`` sequences of all ranks from the global
    index ``first_indices[i]`` on, and weights of ``versions[i]``; its rows here are [``starts[i]``,
    ``starts[i + 1]``). The other arrays have one entry for each row: its global index, its domain
    as a place in ``domains``, the lane that has its block, the run's ordinal there, epochs counted
    through, and the block's own, which that stands for.
    """

    timeline: int
    batch: int
    domains: tuple[str, ...]
    first_indices: NDArray[np.int64]
    sizes: NDArray[np.int64]
    versions: NDArray[np.int64]
    starts: NDArray[np.int64]
    index: NDArray[np.int64]
    domain: NDArray[np.int64]
    lane: NDArray[np.int64]
    ordinal: NDArray[np.int64]
    block: NDArray[np.int64]

    @property
    def last(self) -> int:
        """The last of the batches."""
        return self.batch + len(self.sizes) - 1

    def of(self, batch: int) -> slice:
        """The rows of one of the batches."""
        i = batch - self.batch
        return slice(int(self.starts[i]), int(self.starts[i + 1]))
