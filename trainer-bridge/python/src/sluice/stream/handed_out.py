"""The steps that a loader has handed out, as far as its metrics tell of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from sluice.run.heaviest import TOP, require_top
from sluice.stream.exposed import ExposedTime
from sluice.stream.step_info import StepInfo
from sluice.stream.unsaid import UnsaidDigests

_MOST_AHEAD = 16  # steps that a framework fetches before it trains on the first of them


class HandedOut:
    """Which step was trained on last: the last one that was handed out, unless it is said.

    And what its batches were, and what the steps waited for. The first of the loader, and the first
    after it went elsewhere, are not counted: what they waited for is the start.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._steps: deque[StepInfo] = deque(maxlen=_MOST_AHEAD)
        self._trained: StepInfo | None = None
        self._exposed = ExposedTime()
        self._last: float | None = None
        self.digests = UnsaidDigests()

    def add(self, step: StepInfo) -> None:
        """Takes note of the next step."""
        self._steps.append(step)
        self.digests.add(step.batch, step.digest)
        now = self._clock()
        if self._last is not None:
            self._exposed = self._exposed.plus(now - self._last, step.wait_causes)
        self._last = now

    def trained(self, batch: int) -> None:
        """Takes note that a batch was trained on."""
        self._trained = next((one for one in self._steps if one.batch == batch), self._trained)

    def forget(self) -> None:
        """The loader goes elsewhere; for how long was waited still counts."""
        self._steps.clear()
        self._trained = None
        self._last = None
        self.digests.forget()

    def waiting(self, since: float | None, cause: str) -> ExposedTime:
        """The same with the wait that is going on since some time, if one is."""
        last = self._last
        if since is None or last is None:
            return self._exposed
        now = self._clock()
        return self._exposed.plus(now - last, {cause: now - since})

    @property
    def batch(self) -> int:
        """The batch that was trained on last; 0 when that is not known."""
        last = self._last_trained
        return 0 if last is None else last.batch

    @property
    def _last_trained(self) -> StepInfo | None:
        return self._trained or (self._steps[-1] if self._steps else None)

    def metrics(self, top: int | None = TOP) -> dict[str, float]:
        """Those of the step that was trained on last, and what all steps waited for; of its domains
        the ``top`` with the greatest weights."""
        require_top(top)
        last = self._last_trained
        step = {} if last is None else last.metrics(top)
        return step | self._exposed.metrics()
