"""One batch of a run, as trackers of experiments and pictures want it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sluice.run.heaviest import heaviest, others
from sluice.run.info import RunInfo

_PREFIX = "sluice/"
_TARGETS = "targets."


class Mark(NamedTuple):
    """The last batch that a reader of rows has, and the timeline that it was of."""

    timeline: int
    batch: int


@dataclass(frozen=True, eq=False)
class Row:
    """A batch, and what was decided and measured of it; every array is [domains], in the order of
    ``domains``.

    ``weights`` are those in force, exactly as the log has them, ``shares`` the parts of the batch's
    sequences that were each domain's: NaN for batch 0, which has none. ``losses`` are means of the
    run's trainers by metric, ``targets`` the target losses of the run's policy, both in nats per
    token, NaN where there is none. ``round`` is the last that was decided when the batch was
    granted, ``kept`` whether it kept the weights, None but for the first batch after a decision.
    ``lead`` is how many batches were granted beyond this one when a trainer first said that it had
    trained on it, None where none has. ``seconds`` since 1970 are when that was said, or else when
    the batch was granted.
    """

    timeline: int
    batch: int
    seconds: float
    tokens_seen: int
    weights_version: int
    round: int
    domains: tuple[str, ...]
    weights: NDArray[np.float64]
    shares: NDArray[np.float64]
    losses: Mapping[str, NDArray[np.float64]]
    targets: NDArray[np.float64]
    kept: bool | None = None
    lead: int | None = None

    @property
    def mark(self) -> Mark:
        """Where this row is."""
        return Mark(self.timeline, self.batch)


def targets_of(run: RunInfo) -> NDArray[np.float64]:
    """The target loss of each domain, in nats per token; NaN where the policy has none."""
    settings = run.spec["policySettings"]
    return np.array([_number(settings.get(_TARGETS + name)) for name in run.domains])


def _number(setting: object) -> float:
    try:
        found = float(str(setting))
    except ValueError:
        return float("nan")
    return found if np.isfinite(found) else float("nan")


def flat(row: Row, top: int | None) -> dict[str, float]:
    """A row's numbers by keys that begin with ``sluice/``, as ``steps.metrics()`` has them.

    ``sluice/weight/NAME``, ``share``, ``target_loss`` and each metric of a loss, such as
    ``eval_loss``, are of the ``top`` domains with the greatest weights in this batch, of equal ones
    those that are first in the run; None is all. Where some are left out, ``sluice/others/domains``
    is how many, and ``sluice/others/weight`` and ``share`` are their sums. What is not known has no
    key. ``sluice/timeline`` is the last key.

    Raises:
        ValueError: if ``top`` is no whole number from 0.
    """
    named = heaviest(row.weights, top)
    rest = others(named, row.weights.size)
    numbers: dict[str, float] = {
        "batch": row.batch,
        "tokens_seen": row.tokens_seen,
        "weights_version": row.weights_version,
        "round": row.round,
    }
    if row.lead is not None:
        numbers["lead"] = row.lead
    if row.kept is not None:
        numbers["round_kept"] = int(row.kept)
    names = [row.domains[place] for place in named.tolist()]
    of_domains = {"weight": row.weights, "share": row.shares, "target_loss": row.targets}
    for what, values in (of_domains | dict(row.losses)).items():
        for name, value in zip(names, values[named].tolist(), strict=True):
            if value == value:  # not NaN
                numbers[f"{what}/{name}"] = value
    if rest.size:
        numbers["others/domains"] = rest.size
        numbers["others/weight"] = float(row.weights[rest].sum())
        share = float(row.shares[rest].sum())
        if share == share:
            numbers["others/share"] = share
    numbers["timeline"] = row.timeline
    return {_PREFIX + key: value for key, value in numbers.items()}
