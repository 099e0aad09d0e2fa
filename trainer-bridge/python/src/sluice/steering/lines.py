"""Rounds that the simulator asks about, a line of JSON for each."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, TextIO

from sluice.errors import WireFormatError
from sluice.steering.round import Means, Round

LINES = "SLUICE_EXTERNAL"
"""The variable of the environment with which ``sluice simulate --external`` says that it asks so:
its value is ``lines``."""

_ABOUT = ("step", "weights")


def answer_lines(decide: Callable[[Round], Means], questions: TextIO, answers: TextIO) -> int:
    """Answers each line with one, until there are no more; how many there were."""
    count = 0
    for line in questions:
        weights = decide(read_round(line))
        answers.write(json.dumps({"weights": dict(weights)}) + "\n")
        answers.flush()
        count += 1
    return count


def read_round(line: str) -> Round:
    """The round that a line asks about; every mapping beside the weights is of a metric."""
    try:
        asked = json.loads(line)
        metrics = {
            name: _means(value)
            for name, value in asked.items()
            if name not in _ABOUT and isinstance(value, dict)
        }
        return Round(int(asked["step"]), _means(asked["weights"]), metrics)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise WireFormatError(
            'a round must be a line of JSON {"step": number, "weights": {domain: number}, '
            f'"eval_loss": {{domain: number}}}}: {line[:200]!r}'
        ) from error


def _means(values: dict[str, Any]) -> Means:
    """Those that are numbers: JSON has none for what was not measured."""
    return {
        name: float(value)
        for name, value in values.items()
        if isinstance(value, int | float) and math.isfinite(value)
    }
