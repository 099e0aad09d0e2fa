"""Per-domain losses of ordinary training steps, as sums and counts that ranks merge exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from sluice.errors import InvalidFeedback
from sluice.feedback.totals import DomainTotals, on_host


class DomainSums:
    """Sums and counts for each domain of a run.

    Sums are kept without rounding, as the non-overlapping parts of Shewchuk's algorithm, so the
    totals of the same values are the same bits in whatever order and on however many ranks they
    were added.
    """

    def __init__(self, domains: Sequence[str]) -> None:
        self._names = tuple(domains)
        self._parts: list[list[float]] = [[] for _ in domains]
        self._counts = [0] * len(self._names)

    def add(self, domain: int, value: float, count: int) -> None:
        """Adds a value of a domain, which stands for ``count`` labels."""
        if not math.isfinite(value):
            raise InvalidFeedback(f"sum of domain '{self._names[domain]}' must be finite: {value}")
        parts = self._parts[domain]
        kept = 0
        for part in parts:
            if abs(value) < abs(part):
                value, part = part, value
            high = value + part
            low = part - (high - value)
            if low:
                parts[kept] = low
                kept += 1
            value = high
        parts[kept:] = [value]
        self._counts[domain] += count

    def empty(self) -> DomainSums:
        """Sums of the same domains, with nothing in them."""
        return DomainSums(self._names)

    def widened(self, domains: Sequence[str]) -> DomainSums:
        """The same sums for a run that may have been given further domains."""
        wider = DomainSums(domains)
        if wider._names[: len(self._names)] != self._names:
            raise ValueError(f"domains {self._names} are not the first of {wider._names}")
        for domain, parts in enumerate(self._parts):
            wider._parts[domain] = list(parts)
            wider._counts[domain] = self._counts[domain]
        return wider

    def merge(self, others: Iterable[DomainSums]) -> DomainSums:
        """Adds what other ranks have."""
        for other in others:
            if other._names != self._names:
                raise ValueError(f"domains {other._names} are not {self._names}")
            for domain, parts in enumerate(other._parts):
                for part in parts:
                    self.add(domain, part, 0)
                self._counts[domain] += other._counts[domain]
        return self

    def totals(self) -> DomainTotals:
        """Sum and count of each domain that has any, as feedback takes them."""
        found = [domain for domain, count in enumerate(self._counts) if count > 0]
        every = len(found) == len(self._names)
        return DomainTotals(
            self._names if every else [self._names[domain] for domain in found],
            [math.fsum(self._parts[domain]) for domain in found],
            [self._counts[domain] for domain in found],
        )

    def means(self) -> dict[str, float]:
        """Mean of each domain that has any."""
        return {name: total / count for name, (total, count) in self.totals().items()}


def train_loss(
    per_row_loss: Any, domain_ids: Any, label_counts: Any, domains: Sequence[str]
) -> DomainSums:
    """Per-domain losses of some rows.

    ``per_row_loss`` [n] is the sum of each row's label losses in nats, ``domain_ids`` [n] and
    ``label_counts`` [n] are the batch's, ``domains`` are ``batch.info.domain_names``. Rows without
    labels, such as masked blocks, do not count. Arrays and tensors are taken; a tensor of a GPU is
    waited for, so add the rows of several steps at once.
    """
    losses, counts = on_host(per_row_loss), on_host(label_counts)
    ids = on_host(domain_ids)
    if not losses.shape == ids.shape == counts.shape or losses.ndim != 1:
        raise InvalidFeedback(
            "losses, domain ids and label counts must be one for each row: "
            f"shapes {losses.shape}, {ids.shape}, {counts.shape}"
        )
    sums = DomainSums(domains)
    for loss, domain, count in zip(losses.tolist(), ids.tolist(), counts.tolist(), strict=True):
        if not -1 <= domain < len(domains):
            raise InvalidFeedback(f"domain id must be in [-1, {len(domains) - 1}]: {int(domain)}")
        if count > 0 and domain >= 0:
            sums.add(int(domain), loss, int(count))
    return sums
