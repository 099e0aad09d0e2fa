"""A linear axis with round numbers on it."""

from __future__ import annotations

import math
from dataclasses import dataclass

_MOST_TICKS = 6
_LARGE = 1e5


@dataclass(frozen=True)
class Axis:
    """From ``low`` to ``high``, which is above it, with ``step`` between its ticks."""

    low: float
    high: float
    step: float

    @staticmethod
    def exact(low: float, high: float) -> Axis:
        """One that begins and ends with the data."""
        end = high if high > low else low + 1
        return Axis(low, end, _step(end - low))

    @staticmethod
    def covering(low: float, high: float) -> Axis:
        """One that goes to the next tick beyond the data, on either side."""
        around = 0.0 if high > low else max(1e-3, abs(low) / 10)
        step = _step(high - low + 2 * around)
        return Axis(
            math.floor((low - around) / step + 1e-9) * step,
            math.ceil((high + around) / step - 1e-9) * step,
            step,
        )

    def at(self, value: float) -> float:
        """Where a value is, from 0 at the beginning to 1 at the end."""
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """The round numbers on it."""
        first = math.ceil(self.low / self.step - 1e-9)
        last = math.floor(self.high / self.step + 1e-9)
        return [place * self.step for place in range(first, last + 1)]

    def label(self, tick: float) -> str:
        """A tick, in as many decimals as tell it from its neighbours."""
        if max(abs(self.low), abs(self.high)) >= _LARGE:
            return f"{tick:.3g}"
        decimals = max(0, math.ceil(-math.log10(self.step) - 1e-9))
        return f"{tick:.{min(decimals, 9)}f}"


def _step(width: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that gives few ticks."""
    power = 10.0 ** math.floor(math.log10(width / _MOST_TICKS))
    return next(
        factor * power for factor in (1, 2, 5, 10) if width / (factor * power) <= _MOST_TICKS + 1e-9
    )
