"""Perplexities of held-out losses."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sluice.errors import InvalidFeedback
from sluice.feedback.totals import DomainTotals


def perplexities(losses: Mapping[str, tuple[float, int]]) -> DomainTotals:
    """e to the power of each domain's mean loss, as a sum over one observation.

    Ranks that measured the same blocks merge to it again. Ranks that measured different ones have
    to merge their losses first: a mean of perplexities is not the perplexity of the whole.
    """
    totals = DomainTotals.of(losses)
    means = totals.sums / totals.counts
    with np.errstate(over="ignore"):
        found = np.exp(means)
    for place in np.flatnonzero(~np.isfinite(found)):
        raise InvalidFeedback(
            f"perplexity of domain '{totals.names[place]}' must be finite: e^{means[place]}"
        )
    return DomainTotals(totals.names, found, np.ones(len(totals), np.int64))
