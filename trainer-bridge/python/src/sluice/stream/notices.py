"""What a person is told of a loader that waits, or that begins where nothing was loaded."""

from __future__ import annotations

import logging

from sluice.run.info import RunInfo
from sluice.run.run_timeline import RunTimeline
from sluice.run.status import StatusSource

_LOG = logging.getLogger("sluice")
_EVERY_SECONDS = 60
_FIRST_ASKED = 1.0  # seconds; shorter waits are not worth a question


class LoaderNotices:
    """Warnings of one loader, with what the service says of its run."""

    def __init__(self, run: RunInfo, status: StatusSource) -> None:
        self._run = run
        self._status = status
        self._told = (0, 0)  # the batch that is awaited, and for how many minutes
        self._asked = (0, 0.0)  # the batch that is awaited, and how long it was when this asked
        self._lacking = False

    def waits(self, batch: int, seconds: float, reason: str) -> None:
        """Once a minute: what a batch is waited for, and the command that shows it."""
        minutes = int(seconds // _EVERY_SECONDS)
        if minutes == 0 or (batch, minutes) == self._told:
            return
        self._told = (batch, minutes)
        standing = self._status.read()
        says = "" if standing is None else "; ".join(standing.waits)
        _LOG.warning(
            "batch %d of run %s has not come for %d min: %s%s; "
            "'sluice run show %s' shows where the run stands",
            batch,
            self._run.run_id,
            minutes,
            reason,
            f"; the service: {says}" if says else "",
            self._run.name,
        )

    def asks_for_supply(self, batch: int, seconds: float) -> None:
        """Asks now and then, the less often the longer a batch that is not granted is waited for,
        whether that is for want of documents."""
        asked, after = self._asked
        if seconds < _FIRST_ASKED or (asked == batch and seconds < 2 * after):
            return
        self._asked = (batch, seconds)
        standing = self._status.read()
        self._lacking = standing is not None and standing.lacks_supply

    def lacks_supply(self, batch: int) -> bool:
        """Whether the last answer was that documents are wanting for this batch."""
        return self._asked[0] == batch and self._lacking

    def begins_without_state(self, timeline: RunTimeline) -> None:
        """Where a state would be expected: the run goes on from another, or was trained on."""
        origin, first = timeline.origin, timeline.start.batch + 1
        if origin is not None:
            _LOG.warning(
                "run %s goes on from batch %d of run %s, and no state of it was loaded: a model "
                "that was not trained on those batches trains from batch %d on; give "
                "load_state_dict that of its checkpoint",
                self._run.run_id,
                origin.batch,
                origin.run_id,
                first,
            )
            return
        standing = self._status.read()
        if standing is not None and standing.progress > first:
            _LOG.warning(
                "run %s was trained on up to batch %d, and this trainer begins at batch %d: give "
                "load_state_dict the state of its checkpoint; a fresh model would go through "
                "mixtures that another one's losses decided",
                self._run.run_id,
                standing.progress,
                first,
            )
