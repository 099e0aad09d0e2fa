"""What a run can use of a measurement."""

from __future__ import annotations

import numpy as np

from sluice.errors import InvalidFeedback
from sluice.feedback.totals import DomainTotals
from sluice.run.info import RunInfo


def require(holds: bool, message: str) -> None:
    """Fails with this message unless something holds."""
    if not holds:
        raise InvalidFeedback(message)


class MeasurementCheck:
    """Refuses measurements that no run could use; names that were checked last are remembered."""

    def __init__(self) -> None:
        self._known: tuple[RunInfo, tuple[str, ...]] | None = None

    def check(self, run: RunInfo, totals: DomainTotals) -> None:
        """Fails unless there is a finite sum and a positive count for domains of the run."""
        require(len(totals) > 0, "a measurement must have at least one domain")
        self._check_names(run, totals.names)
        if not np.isfinite(totals.sums).all():
            place = int(np.isfinite(totals.sums).argmin())
            name, found = totals.names[place], totals.sums[place]
            raise InvalidFeedback(f"sum of domain '{name}' must be finite: {found}")
        if totals.counts.min() < 1:
            place = int((totals.counts >= 1).argmin())
            name, count = totals.names[place], totals.counts[place]
            raise InvalidFeedback(f"count of domain '{name}' must be at least 1: {count}")

    def _check_names(self, run: RunInfo, names: tuple[str, ...]) -> None:
        if names is run.domains or (run, names) == self._known:
            return
        if not run.domain_names.issuperset(names):
            domain = next(name for name in names if name not in run.domain_names)
            known = ", ".join(run.domains)
            raise InvalidFeedback(f"unknown domain '{domain}': run {run.run_id} has {known}")
        require(len(set(names)) == len(names), "a measurement must name each domain once")
        self._known = (run, names)
