"""What a run's rounds wait for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RequiredMetric:
    """A metric that a run's policy needs, as the run's specification resolved it.

    ``every`` are the steps between its measurements, 0 when only step 0 is measured;
    ``at_step_zero`` tells whether step 0 is. ``of`` is what each value is of, empty for the run's
    domains; ``targets`` are the domains whose held-out documents it is measured against, ``tokens``
    the held-out tokens of each domain that one measurement reads: empty and 0 leave it to the
    trainer.
    """

    name: str
    every: int
    at_step_zero: bool = False
    of: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    tokens: int = 0

    @staticmethod
    def read(record: dict[str, Any]) -> RequiredMetric:
        """From a RequiredMetric of a specification."""
        return RequiredMetric(
            record["name"],
            record["every"],
            record["atStepZero"],
            tuple(record["of"]),
            tuple(record["targets"]),
            record["tokens"],
        )

    def is_due(self, step: int) -> bool:
        """Whether it is measured after so many batches."""
        if step == 0:
            return self.at_step_zero
        return self.every > 0 and step % self.every == 0
