"""What a person is told of held-out blocks that do not come."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

_LOG = logging.getLogger("sluice")
_FIRST_SECONDS = 10.0
_EVERY_SECONDS = 60.0


class Waiting:
    """One wait, with its end: a warning after ten seconds, and then each minute."""

    def __init__(self, timeout: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._timeout = timeout
        self._clock = clock
        self._began = clock()
        self._due = _FIRST_SECONDS

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return self._clock() - self._began > self._timeout

    def tell(self, missing: Callable[[], list[str]]) -> None:
        """Says what is missing, if it is time to."""
        seconds = self._clock() - self._began
        if seconds < self._due:
            return
        self._due = seconds + _EVERY_SECONDS
        _LOG.warning(
            "held-out blocks have not come for %d s, of %g s that they may take: %s; fewer are "
            "enough of a domain that has ended",
            seconds,
            self._timeout,
            ", ".join(missing()),
        )
