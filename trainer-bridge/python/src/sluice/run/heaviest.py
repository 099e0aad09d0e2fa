"""Which of a run's domains are named where there is room for some of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TOP = 32
"""Domains that metrics name, unless another number is asked for."""


def require_top(top: int | None) -> None:
    """Checks how many domains are to be named; None is all of them."""
    if top is None:
        return
    if isinstance(top, bool) or not isinstance(top, int) or top < 0:
        raise ValueError(f"top must be a whole number from 0, or None for all domains: {top!r}")


def heaviest(weights: NDArray[np.float64], top: int | None) -> NDArray[np.intp]:
    """Places of the ``top`` greatest of some weights [domains], in the run's order; of equal ones
    the first go before the others. None is all places."""
    require_top(top)
    if top is None or top >= weights.size:
        return np.arange(weights.size)
    return np.sort(np.argsort(-weights, kind="stable")[:top])


def others(places: NDArray[np.intp], domains: int) -> NDArray[np.intp]:
    """The places of the other domains."""
    return np.setdiff1d(np.arange(domains), places, assume_unique=True)
