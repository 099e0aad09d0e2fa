"""The steps that a loader has handed out, as far as its metrics tell of them."""

from __future__ import annotations

from collections import deque

from sluice.stream.step_info import StepInfo

_MOST_AHEAD = 16  # steps that a framework fetches before it trains on the first of them


class HandedOut:
    """Which step was trained on last: the last one that was handed out, unless it is said."""

    def __init__(self) -> None:
        self._steps: deque[StepInfo] = deque(maxlen=_MOST_AHEAD)
        self._trained: StepInfo | None = None
        self._waited = 0.0

    def add(self, step: StepInfo) -> None:
        """Takes note of the next step."""
        self._steps.append(step)
        self._waited += step.wait_seconds

    def trained(self, batch: int) -> None:
        """Takes note that a batch was trained on."""
        self._trained = next((one for one in self._steps if one.batch == batch), self._trained)

    def forget(self) -> None:
        """The loader goes elsewhere; for how long was waited still counts."""
        self._steps.clear()
        self._trained = None

    def metrics(self) -> dict[str, float]:
        """Those of the step that was trained on last, and the seconds that all were waited for."""
        last = self._trained or (self._steps[-1] if self._steps else None)
        step = {} if last is None else last.metrics()
        return step | {"sluice/wait_seconds_total": self._waited}
