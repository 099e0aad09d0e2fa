"""How long a training loop stood still for data, and what it waited for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

GRANT = "grant"
SUPPLY = "supply"
EMISSION = "emission"
BROKER = "broker"
NETWORK = "network"
DECODE = "decode"

CAUSES = (GRANT, SUPPLY, EMISSION, BROKER, NETWORK, DECODE)
"""What a batch that is not there waits for: to be granted; documents, for want of which it is not
granted; the service, which has not written what it granted; a broker that does not answer; its way
from the broker; to be put together."""


class WaitMarks:
    """What the time was spent with in which a batch was read.

    Stretches that follow one another, each up to a time in seconds of the reader's clock.
    """

    def __init__(self) -> None:
        self._marks: list[tuple[float, str]] = []

    def add(self, until: float, cause: str) -> None:
        """From the last mark to this time it was this."""
        if self._marks and self._marks[-1][1] == cause:
            self._marks.pop()
        self._marks.append((until, cause))

    def between(self, start: float, end: float) -> dict[str, float]:
        """Seconds of a stretch by cause; after the last mark the batch was handed over."""
        seconds: dict[str, float] = {}
        at = start
        for until, cause in [*self._marks, (end, DECODE)]:
            until = min(until, end)
            if until > at:
                seconds[cause] = seconds.get(cause, 0.0) + until - at
                at = until
        return seconds


@dataclass(frozen=True)
class ExposedTime:
    """Seconds that some steps took, and what of them was waited for data, by cause.

    A step lasts from the one that was handed out before it until it is handed out itself, and so
    includes what the loop waited for it.
    """

    step_seconds: float = 0.0
    waits: Mapping[str, float] = field(default_factory=dict)

    def plus(self, step_seconds: float, waits: Mapping[str, float]) -> ExposedTime:
        """With one more step."""
        total = {c: self.waits.get(c, 0.0) + waits.get(c, 0.0) for c in CAUSES}
        return ExposedTime(self.step_seconds + step_seconds, total)

    @property
    def wait_seconds(self) -> float:
        """What was waited, for whatever cause."""
        return sum(self.waits.values())

    def share(self, cause: str | None = None) -> float:
        """The part of the steps' time that was waited, for one cause or for any."""
        waited = self.wait_seconds if cause is None else self.waits.get(cause, 0.0)
        return waited / self.step_seconds if self.step_seconds > 0 else 0.0

    def metrics(self) -> dict[str, float]:
        """Flat, for Weights & Biases or TensorBoard."""
        by_cause = {f"sluice/wait_share/{cause}": self.share(cause) for cause in CAUSES}
        return {
            "sluice/wait_seconds_total": self.wait_seconds,
            "sluice/step_seconds_total": self.step_seconds,
            "sluice/wait_share": self.share(),
        } | by_cause

    def record(self) -> dict[str, Any]:
        """What goes on the wire, in milliseconds."""
        waits = {f"{cause}Millis": int(self.waits.get(cause, 0.0) * 1000) for cause in CAUSES}
        return {"stepMillis": int(self.step_seconds * 1000)} | waits
