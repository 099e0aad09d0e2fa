"""Many lists shuffled at once, each by a SplitMix64 of its own: section 10 of docs/protocol.md."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sluice.wire.chain import GOLDEN, Hashes, mix_all

_GOLDEN = np.uint64(GOLDEN)
_UPPER = np.uint64(32)

Ints = NDArray[np.int64]


def keyed(*words: int | NDArray[Any]) -> Hashes:
    """States of generators, each fixed by its words; words are numbers, or one for each."""
    state = np.zeros(1, dtype=np.uint64)
    for word in words:
        signed = np.atleast_1d(np.asarray(word, dtype=np.int64))
        state = mix_all(state * _GOLDEN + signed.view(np.uint64) + _GOLDEN)
    return state


def within(sizes: Ints) -> Ints:
    """Place of each item in its list, of lists that lie one after the other."""
    starts = np.cumsum(sizes) - sizes
    places: Ints = np.arange(sizes.sum()) - np.repeat(starts, sizes)
    return places


def shuffled(values: Ints, sizes: Ints, states: Hashes) -> Ints:
    """Lists of these sizes, which lie one after the other, each shuffled from its end.

    What is drawn is made for all at once. To swap is left to lists: an array takes as long for one
    swap as a list for ten.
    """
    swaps = np.maximum(sizes - 1, 0)
    steps = within(swaps) + 1
    last = np.repeat(sizes, swaps) - steps
    drawn = mix_all(np.repeat(states, swaps) + steps.view(np.uint64) * _GOLDEN) >> _UPPER
    lower = ((drawn * (last + 1).view(np.uint64)) >> _UPPER).view(np.int64)
    starts = np.repeat(np.cumsum(sizes) - sizes, swaps)
    items = values.tolist()
    for i, j in zip((starts + last).tolist(), (starts + lower).tolist(), strict=True):
        items[i], items[j] = items[j], items[i]
    return np.array(items, dtype=np.int64)
