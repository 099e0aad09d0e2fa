"""How a batch's sequences are shared among lanes: section 9 of docs/protocol.md."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sluice.derive.shuffle import Ints


def lane_share(counts: NDArray[Any], first: int, used: Ints) -> Ints:
    """Sequences [lanes, domains] that each lane gives of ``counts`` [domains].

    ``first`` is the index of the batch's first sequence, ``used`` [lanes, domains] what was used
    before it.
    """
    lanes, domains = used.shape
    if lanes == 1:
        return counts.astype(np.int64).reshape(1, domains)
    given = np.repeat((counts // lanes).astype(np.int64)[None, :], lanes, axis=0)
    extra = np.zeros((lanes, domains), dtype=bool)
    left = counts % lanes
    some = np.flatnonzero(left)
    turns = (some[:, None] + first + np.arange(lanes)) % lanes
    order = np.argsort(used[turns, some[:, None]], axis=1, kind="stable")
    get = np.arange(lanes) < left[some, None]
    extra[
        np.take_along_axis(turns, order, axis=1)[get],
        np.broadcast_to(some[:, None], get.shape)[get],
    ] = True
    given += extra
    _even(given, extra, first, used)
    return given


def _even(given: Ints, extra: NDArray[np.bool_], first: int, used: Ints) -> None:
    """Lets lanes with more sequences than seats hand some to lanes with fewer."""
    lanes = len(given)
    total = int(given.sum())
    skipped = (np.arange(lanes) - first) % lanes
    surplus = given.sum(axis=1) - np.maximum(total - skipped + lanes - 1, 0) // lanes
    for one in range(lanes):
        for other in range(lanes):
            moved = int(min(surplus[one], -surplus[other]))
            if moved > 0:
                can = np.flatnonzero(extra[one] & ~extra[other])
                ahead = used[other, can] - used[one, can]
                hands = can[np.argsort(ahead, kind="stable")[:moved]]
                given[one, hands] -= 1
                given[other, hands] += 1
                extra[one, hands], extra[other, hands] = False, True
                surplus[one] -= moved
                surplus[other] += moved
