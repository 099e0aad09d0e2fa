"""A rank's rows of the global batches of one run, in order; the loader without threads."""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from sluice.errors import (
    KafkaUnreachable,
    Rewound,
    RunEnded,
    SluiceError,
    StreamCorrupt,
    StreamStalled,
)
from sluice.run.control import ControlLog
from sluice.run.info import RunInfo
from sluice.run.mixture import Mixture
from sluice.run.rank import TrainerRank
from sluice.run.run_timeline import RunTimeline
from sluice.run.sets import NoSets, SetSource
from sluice.run.state import StreamState
from sluice.run.supply import Supply
from sluice.stream.batch import Batch
from sluice.stream.exposed import BROKER, DECODE, GRANT, NETWORK, WaitMarks
from sluice.stream.masks import BatchMasks
from sluice.stream.step_info import Shape

_POLL_SECONDS = 0.1
_FIRST_LOOK = 0.05  # seconds that a loop stands still until the log is asked; then twice as long


class Cancelled(SluiceError):
    """Someone asked the reader to stop."""


class Found(Protocol):
    """A batch whose rows are known."""

    @property
    def shape(self) -> Shape:
        """Which batch it is."""


T = TypeVar("T", bound=Found)


class BatchReader(ABC, Generic[T]):
    """Batches of one run in order, each exactly once."""

    def __init__(
        self,
        run: RunInfo,
        control: ControlLog,
        rank: TrainerRank,
        supply: Supply | None = None,
        sets: SetSource | None = None,
        *,
        gap_timeout: float,
        status_interval: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cancelled = False
        self.status_interval = status_interval
        self._run = run
        self._control = control
        self.rank = rank
        self._supply = supply or Supply(run)
        self._masks = BatchMasks(sets or NoSets(), status_interval, gap_timeout, clock)
        self._clock = clock
        self.awaited = False  # whether the training loop stands still
        self.last_cause = NETWORK  # what the last look waited for; read by the training loop
        self._marks = WaitMarks()
        self._ask_again = _FIRST_LOOK
        self._heard = True
        self._astray = ""  # why it is not known where to read on

    @property
    def run_timeline(self) -> RunTimeline:
        """Where the run's batches lie, as far as the control log has been read."""
        return self._control.timeline

    def seek(self, state: StreamState) -> None:
        """Goes to a state, so that the next batch is the one after it."""
        self._control.refresh()
        self._start_over(self.run_timeline.resume(state))

    def seek_to_batch(self, batch: int) -> None:
        """Goes to a batch, so that it is the next one."""
        self._control.refresh()
        self._start_over(self.run_timeline.before(batch))

    def _start_over(self, state: StreamState) -> None:
        self._control.start_over(state.batch)
        self._control.refresh()
        self._go_to(state)

    @abstractmethod
    def _go_to(self, state: StreamState) -> None:
        """Goes to a state that is one of the run's."""

    @property
    @abstractmethod
    def state(self) -> StreamState:
        """Position after the last batch that was handed out."""

    @property
    @abstractmethod
    def undecodable(self) -> int:
        """Blocks of this rank that could not be used and were handed on masked."""

    @property
    @abstractmethod
    def _followed(self) -> int:
        """The newest timeline that is followed."""

    @abstractmethod
    def _take(self) -> T | None:
        """The next batch, once, if it is there now."""

    @abstractmethod
    def _read_on(self, seconds: float) -> None:
        """Reads on, or waits for something to come."""

    @property
    @abstractmethod
    def _granted_cause(self) -> str:
        """What the next batch waits for, which is granted, as far as is known without asking."""

    @abstractmethod
    def _rest(self) -> T | None:
        """What is left of the next batch, now that its run has ended before it; fails if nothing
        is."""

    @abstractmethod
    def _describe(self) -> str:
        """What the awaited batch waits for beside its masks."""

    @abstractmethod
    def _heard_nothing(self) -> None:
        """No broker has answered."""

    @abstractmethod
    def stalled(self, timeout: float, waits_for: str) -> StreamStalled:
        """The error for a batch that did not come in time."""

    @abstractmethod
    def _batch_of(self, run: RunInfo, found: T, mixture: Mixture | None) -> Batch:
        """The arrays of a batch that was taken."""

    @abstractmethod
    def close(self) -> None:
        """Gives the connections back."""

    def next(self, timeout: float) -> Batch:
        """The rank's rows of the next global batch; waits for them."""
        found = self._next(timeout)
        self._ask_again = _FIRST_LOOK
        mixture = self._control.mixture(found.shape.batch, self._supply)
        if mixture is not None:
            _require_granted(found.shape, mixture)
        self._marks.add(self._clock(), NETWORK)
        batch = self._batch_of(self.run_timeline.run_at(found.shape.batch), found, mixture)
        self._marks.add(self._clock(), DECODE)
        return batch

    def take_marks(self) -> WaitMarks:
        """What the time was spent with since this was asked last, after a batch."""
        taken, self._marks = self._marks, WaitMarks()
        return taken

    @property
    def cause(self) -> str:
        """What the next batch waits for, as far as is known without asking."""
        if not self._heard or self._astray:
            return BROKER
        if self.state.batch >= self._control.fold.granted:
            return GRANT
        return self._granted_cause

    @property
    def _until_asked(self) -> float:
        interval = self.status_interval
        return min(self._ask_again, interval) if self.awaited else interval

    def _next(self, timeout: float) -> T:
        self._require_batches_left()
        start = asked = self._clock()
        found = self._take()
        while found is None:
            now = self._clock()
            left = timeout - (now - start)
            cause = self.last_cause = self.cause
            if left > 0 and now - asked < self._until_asked:
                found = self._read(min(left, _POLL_SECONDS))
                self._marks.add(self._clock(), cause)
                continue
            waits_for = self._ask_control_log()
            asked = now
            self._ask_again = 2 * min(self._ask_again, self.status_interval)
            self.last_cause = self.cause
            self._marks.add(self._clock(), self.last_cause)
            found = self._take_unless_ended()
            if found is None and self._clock() - start >= timeout:
                raise self.stalled(timeout, waits_for)
        return found

    def _knows_masks(self) -> bool:
        batch = self.state.batch + 1
        return self._masks.know(self.run_timeline.run_at(batch), batch)

    def _read(self, seconds: float) -> T | None:
        """Reads on; where Kafka does not answer what that needs, begins again later."""
        if self.cancelled:
            raise Cancelled("the reader was asked to stop")
        try:
            self._read_on(seconds)
            self._astray = ""
        except KafkaUnreachable as error:
            self._astray = f"; {error}"
        return self._take()

    def _require_stands(self) -> None:
        """Fails if the next batch is known to be taken back."""
        back = self._taken_back()
        if back is not None and self.state.batch >= back.batch:
            raise back

    def _taken_back(self) -> Rewound | None:
        """That what comes next was taken back, if it was."""
        own, timelines = self._followed, self.run_timeline.timelines
        end = timelines.end(own)
        return None if end == sys.maxsize else Rewound(own, timelines.newest, end)

    def _require_batches_left(self) -> None:
        run, last = self.run_timeline.run, self.state.batch
        if 0 < run.batches <= last:
            raise RunEnded(run.run_id, "completed", last, f"{run.batches} batches")

    def _take_unless_ended(self) -> T | None:
        found = self._take()
        if not self._control.fold.ended_before(self.state.batch + 1):
            return found
        try:
            return found or self._rest()
        except KafkaUnreachable:
            return None

    def _ended(self) -> RunEnded:
        logged = self._control.fold
        return RunEnded(self._run.run_id, logged.state, self.state.batch, logged.why)

    def _ask_control_log(self) -> str:
        try:
            self._control.refresh()
        except KafkaUnreachable as error:
            self._heard_nothing()
            self._heard = False
            return str(error)
        self._heard = True
        self._require_stands()
        return self._describe() + self._masks.note + self._astray


def _require_granted(shape: Shape, mixture: Mixture) -> None:
    """Every batch is what its grant says."""
    if (shape.weights_version, shape.batch_size) != (mixture.version, mixture.size):
        raise StreamCorrupt(
            f"batch {shape.batch} has {shape.batch_size} sequences of weights version "
            f"{shape.weights_version} in the stream, its grant has {mixture.size} of version "
            f"{mixture.version}"
        )
