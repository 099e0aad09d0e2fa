"""What trainers measure, and what the rounds of each policy wait for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from sluice.errors import InvalidFeedback
from sluice.feedback.totals import DomainTotals

EVAL_LOSS = "eval_loss"
PERPLEXITY = "perplexity"
TRAIN_LOSS = "train_loss"
ALIGNMENT = "alignment"
GRADIENT_NORM = "gradient_norm"
LEARNING_RATE = "learning_rate"

_NEEDS = {
    "velocitune": {EVAL_LOSS},
    "dynamic-batch-loading": {EVAL_LOSS},
    "estimate-targets": {EVAL_LOSS},
    "external": {EVAL_LOSS},
    "odm": {TRAIN_LOSS},
    "odm-paper": {TRAIN_LOSS},
    "ado": {TRAIN_LOSS},
    "dga": {ALIGNMENT},
    "doge": {ALIGNMENT, GRADIENT_NORM, LEARNING_RATE},
}
_ENDS_STAGE = re.compile(r"stages\.[0-9]+\.when\..*")
_GROUP = re.compile(r"groups\.([^.]+)\.policy(?:\.([^.]+)(?:\.(.+))?)?")


def needed_by(policy: str, settings: Mapping[str, str]) -> set[str]:
    """Metrics that a run's rounds wait for; none for a policy that is not known here.

    ``settings`` are the policy's, flat, as in the run's specification.
    """
    if policy == "tree":
        return _needed_by_groups(settings)
    if policy == "topic-perplexity":
        return {PERPLEXITY if settings.get("metric") == "perplexity" else EVAL_LOSS}
    return set(_NEEDS.get(policy, ()))


def _needed_by_groups(settings: Mapping[str, str]) -> set[str]:
    """What the groups' policies wait for, and the losses that end a stage."""
    needed: set[str] = set()
    policies: dict[str, str] = {}
    below: dict[str, dict[str, str]] = defaultdict(dict)
    for key, value in settings.items():
        group = _GROUP.fullmatch(key)
        if _ENDS_STAGE.fullmatch(key):
            needed.add(EVAL_LOSS)
        elif group is not None:
            name, policy, setting = group.groups()
            policies[name] = policy or value
            if setting is not None:
                below[name][setting] = value
    for name, policy in policies.items():
        needed |= needed_by(policy, below[name])
    return needed


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
