"""What a run can use of a policy function's answer."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sluice.errors import InvalidWeights, PolicyFailed
from sluice.feedback.totals import on_host
from sluice.steering.round import Means, PolicyFunction, Round, Weights

_LOG = logging.getLogger("sluice")
_MOST = 1e9

OnError = Literal["stop", "keep"]


@dataclass(frozen=True)
class CheckedPolicy:
    """A policy function whose answers are checked.

    ``on_error`` says what becomes of a round that it fails at: ``stop`` raises, and ``keep`` keeps
    the round's weights, with a warning.
    """

    name: str
    function: PolicyFunction
    on_error: OnError = "stop"

    def __post_init__(self) -> None:
        if self.on_error not in ("stop", "keep"):
            raise ValueError(f"on_error must be 'stop' or 'keep': {self.on_error!r}")

    def decide(self, asked: Round) -> Means:
        """Weights of at least one of the round's domains.

        Raises :class:`~sluice.errors.PolicyFailed`, and for an answer that no run could follow
        :class:`~sluice.errors.InvalidWeights`.
        """
        try:
            return self._decide(asked)
        except PolicyFailed as error:
            if self.on_error == "stop":
                raise
            _LOG.warning("the weights of step %d are kept: %s", asked.step, error, exc_info=error)
            return asked.weights

    def _decide(self, asked: Round) -> Means:
        where = f"policy {self.name} at step {asked.step}"
        try:
            answer = self.function(asked)
        except Exception as error:
            raise PolicyFailed(f"{where} failed: {type(error).__name__}: {error}") from error
        try:
            return usable(answer, asked)
        except InvalidWeights as error:
            raise InvalidWeights(f"{where}: {error}") from error.__cause__


def usable(answer: Weights | None, asked: Round) -> Means:
    """The weights that a function answered with; the round's own if it changes none."""
    weights = {name: _number(name, value) for name, value in _by_domain(answer, asked).items()}
    if not weights:
        return asked.weights
    kept = sum(weight for name, weight in asked.weights.items() if name not in weights)
    if not sum(weights.values()) + kept > 0:
        raise InvalidWeights("one of the weights must be above 0: all are 0")
    return weights


def _by_domain(answer: Any, asked: Round) -> Mapping[str, Any]:
    if answer is None:
        return {}
    if not isinstance(answer, Mapping):
        return _in_order(answer, asked)
    for name in answer:
        if name not in asked.weights:
            known = ", ".join(asked.domains)
            raise InvalidWeights(f"unknown domain '{name}' ({answer[name]!r}): the run has {known}")
    return answer


def _in_order(answer: Any, asked: Round) -> Mapping[str, Any]:
    try:
        values = on_host(answer)
    except (TypeError, ValueError) as error:
        raise InvalidWeights(
            f"weights must be a mapping of domains, or an array of {len(asked.domains)} numbers: "
            f"{answer!r:.80}"
        ) from error
    if values.shape != (len(asked.domains),):
        raise InvalidWeights(
            f"weights must be one for each of the {len(asked.domains)} domains "
            f"{', '.join(asked.domains)}: shape {np.shape(values)}"
        )
    return dict(zip(asked.domains, values.tolist(), strict=True))


def _number(domain: str, value: Any) -> float:
    try:
        weight = float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidWeights(_range(domain, value)) from error
    if not 0 <= weight <= _MOST or math.isnan(weight):
        raise InvalidWeights(_range(domain, value))
    return weight


def _range(domain: str, value: Any) -> str:
    return f"weight of domain '{domain}' must be a number in [0, {_MOST:g}]: {value!r:.80}"
