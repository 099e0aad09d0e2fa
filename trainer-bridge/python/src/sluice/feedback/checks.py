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
        self._known: tuple[RunInfo, str, tuple[str, ...]] | None = None

    def check(self, run: RunInfo, metric: str, totals: DomainTotals) -> None:
        """Fails unless there is a finite sum and a positive count for domains of the run, or for
        what else it says that the metric is of."""
        require(len(totals) > 0, "a measurement must have at least one domain")
        self._check_names(run, metric, totals.names)
        if not np.isfinite(totals.sums).all():
            place = int(np.isfinite(totals.sums).argmin())
            name, found = totals.names[place], totals.sums[place]
            raise InvalidFeedback(f"sum of domain '{name}' must be finite: {found}")
        if totals.counts.min() < 1:
            place = int((totals.counts >= 1).argmin())
            name, count = totals.names[place], totals.counts[place]
            raise InvalidFeedback(f"count of domain '{name}' must be at least 1: {count}")

    def _check_names(self, run: RunInfo, metric: str, names: tuple[str, ...]) -> None:
        required = run.metrics.get(metric)
        of = required.of if required is not None else ()
        if (names is run.domains and not of) or (run, metric, names) == self._known:
            return
        allowed = frozenset(of) or run.domain_names
        if not allowed.issuperset(names):
            other = next(name for name in names if name not in allowed)
            known = ", ".join(of or run.domains)
            what = f"'{other}' is not what {metric} is of" if of else f"unknown domain '{other}'"
            raise InvalidFeedback(f"{what}: run {run.run_id} has {known}")
        require(len(set(names)) == len(names), "a measurement must name each domain once")
        self._known = (run, metric, names)
