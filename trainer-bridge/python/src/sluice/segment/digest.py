"""Digests of what is in batches, by the hashes of their rows.

That of a batch is the sum of ``mix(mix(index) + hash)`` over all its sequences, modulo 2^64. So the
parts of ranks add up to it, however many they are and in whatever order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sluice.wire.chain import Hashes, mix_all


def digests(index: NDArray[Any], hashes: Hashes, starts: NDArray[np.int64]) -> Hashes:
    """The part of each batch that some sequences are.

    ``index`` [n] are their global indices, ``hashes`` [n] those of their rows; batch i has those in
    [``starts[i]``, ``starts[i + 1]``), at least one.
    """
    terms = mix_all(mix_all(index.astype(np.uint64)) + hashes)
    sums: Hashes = np.add.reduceat(terms, starts[:-1])
    return sums
