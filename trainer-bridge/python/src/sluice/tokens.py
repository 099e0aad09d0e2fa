"""What a block packs: its tokens and which of its labels are trained."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def decode(packed: bytes, width: int) -> NDArray[np.int64]:
    """Token ids from little-endian unsigned integers of 2 or 4 bytes."""
    if width not in (2, 4):
        raise ValueError(f"token width must be 2 or 4 bytes: {width}")
    if len(packed) % width:
        raise ValueError(f"{len(packed)} bytes are not whole tokens of {width} bytes")
    ids: NDArray[np.int64] = np.frombuffer(packed, dtype=f"<u{width}").astype(np.int64)
    if ids.size and int(ids.max()) >= 1 << 31:
        raise ValueError(f"token id must be below 2^31: {ids.max()}")
    return ids


def trained(labels: int, runs: Sequence[int] | None) -> NDArray[np.bool_]:
    """Which labels count in the loss.

    ``runs`` are lengths over the labels, trained first, then untrained, and so on; labels after the
    last run are untrained. None means that every label is trained.
    """
    mask = np.full(labels, runs is None, dtype=np.bool_)
    position, value = 0, True
    for run in runs or ():
        mask[position : position + run] = value
        position += run
        value = not value
    return mask
