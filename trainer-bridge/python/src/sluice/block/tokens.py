"""What a block packs: its tokens and which of its labels are trained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

TokenArray = NDArray[np.unsignedinteger[Any]]  # uint16 or uint32
_DTYPES: dict[int, np.dtype[np.unsignedinteger[Any]]] = {
    2: np.dtype("<u2"),
    4: np.dtype("<u4"),
}


def dtype(width: int) -> np.dtype[np.unsignedinteger[Any]]:
    """Little-endian unsigned integers of 2 or 4 bytes."""
    return _DTYPES[width]


def decode(packed: bytes, width: int, at: int = 0, size: int | None = None) -> TokenArray:
    """Token ids, as a view of little-endian unsigned integers of 2 or 4 bytes.

    They are ``size`` bytes from ``at`` on, by default all.
    """
    if width not in (2, 4):
        raise ValueError(f"token width must be 2 or 4 bytes: {width}")
    if size is None:
        size = len(packed) - at
    if size % width:
        raise ValueError(f"{size} bytes are not whole tokens of {width} bytes")
    ids = np.frombuffer(packed, _DTYPES[width], size // width, at)
    if width == 4 and ids.size and int(ids.max()) >= 1 << 31:
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


def runs(mask: NDArray[np.bool_]) -> list[int]:
    """The run lengths of a mask, as :func:`trained` takes them."""
    edges = np.flatnonzero(np.diff(mask, prepend=True)).tolist()
    lengths: list[int] = np.diff([0, *edges, mask.size]).tolist()
    return lengths
