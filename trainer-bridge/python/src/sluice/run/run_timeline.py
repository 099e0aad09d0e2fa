"""Where a run's batches lie, and which specification governs each of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sluice.errors import InvalidState, Rewound
from sluice.run.entry import origin_of
from sluice.run.info import RunInfo
from sluice.run.state import StreamState
from sluice.run.timelines import Timelines
from sluice.wire import Record, chain


class Governing(NamedTuple):
    """A specification, and the batch after which, at ``first_index``, it takes effect."""

    after: int
    first_index: int
    run: RunInfo

    def first_index_of(self, batch: int) -> int:
        """Global index of the first sequence of a batch that it governs."""
        skipped = self.run.first_index(self.after + 1)
        return self.first_index + self.run.first_index(batch) - skipped


class Stretch(NamedTuple):
    """Batches of one size: the first one, how many, sequences in each, and where it starts."""

    batch: int
    batches: int
    sequences: int
    first_index: int


class Origin(NamedTuple):
    """The batch of another run that a fork continues, at sequence ``first_index`` of the index.

    ``ordinals`` [lanes, domains] are the next blocks then, flat; empty when they are not known.
    """

    run_id: str
    timeline: int
    batch: int
    first_index: int
    ordinals: Sequence[int] = ()

    @staticmethod
    def of(body: Record) -> Origin | None:
        """That of a RunStarted, if it is a fork's."""
        origin = origin_of(body)
        if origin is None:
            return None
        at = origin["snapshot"]
        batch, first = at["batch"], at["nextSequence"]
        return Origin(origin["runId"], origin["timeline"], batch, first, at["ordinals"])

    @staticmethod
    def named_by(snapshot: Record) -> Origin | None:
        """That which a LogSnapshot names, if it is of a fork."""
        point = origin_of(snapshot)
        if point is None:
            return None
        return Origin(point["runId"], point["timeline"], point["batch"], point["nextSequence"])


@dataclass(frozen=True, slots=True)
class RunTimeline:
    """What the log has decided about a run; ``origin`` is what the run was forked from.

    ``governing`` are the run's specifications, in the order of their batches.
    """

    run_id: str
    origin: Origin | None
    timelines: Timelines
    governing: tuple[Governing, ...]

    @staticmethod
    def of(run: RunInfo, origin: Origin | None = None, plan_version: int = 1) -> RunTimeline:
        """The timeline of a run that nothing but its start is known of."""
        after = first_index = 0
        if origin is not None:
            after, first_index = origin.batch, origin.first_index
        chain_start = chain.start(plan_version, run.run_id)
        begin = Timelines.starting_after(after, first_index, chain_start)
        return RunTimeline(run.run_id, origin, begin, (Governing(after, first_index, run),))

    def revised(self, timeline: int, body: Record) -> RunTimeline:
        """After a RunRevised, which opens a timeline unless it is of the newest one."""
        after, first = body["snapshot"]["batch"], body["snapshot"]["nextSequence"]
        stands = tuple(one for one in self.governing if one.after < after)
        known = self.timelines
        return replace(
            self,
            timelines=known if timeline == known.newest else known.opening(timeline, after, first),
            governing=(*stands, Governing(after, first, RunInfo(self.run_id, body["spec"]))),
        )

    @property
    def run(self) -> RunInfo:
        """The run under the specification that it goes on with."""
        return self.governing[-1].run

    def _governs(self, batch: int) -> Governing:
        later = (one for one in reversed(self.governing) if one.after < batch)
        return next(later, self.governing[0])

    def run_at(self, batch: int) -> RunInfo:
        """The run under the specification that governs a batch."""
        return self._governs(batch).run

    def first_index(self, batch: int) -> int:
        """Global index of the first sequence of a batch."""
        return self._governs(batch).first_index_of(batch)

    def schedule(self, after: int) -> Iterator[Stretch]:
        """Stretches of the batches after one; the last of a run without an end has no end."""
        for i, one in enumerate(self.governing):
            last = sys.maxsize
            if i + 1 < len(self.governing):
                last = self.governing[i + 1].after
            for batch, batches, sequences in one.run.schedule():
                start = max(batch, one.after + 1, after + 1)
                end = min(batch + batches - 1, last)
                if start <= end:
                    yield Stretch(start, end - start + 1, sequences, one.first_index_of(start))

    @property
    def start(self) -> StreamState:
        """The state before the run's first batch."""
        first = self.timelines.first
        return StreamState(self.run_id, first.timeline, first.after, first.first_index)

    def before(self, batch: int) -> StreamState:
        """The state before a batch."""
        first = self.timelines.first.after + 1
        if batch < first:
            raise InvalidState(
                f"batch must be at least {first}, the first of run {self.run_id}: {batch}"
            )
        owner = self.timelines.owner(batch - 1)
        return StreamState(self.run_id, owner, batch - 1, self.first_index(batch))

    def resume(self, state: StreamState) -> StreamState:
        """The state that a trainer goes on from.

        It is of this run; or, for a fork, of the run and exactly the batch that it continues.
        """
        if state.run_id != self.run_id:
            return self._of_origin(state)
        if state.batch in (0, self.start.batch):
            return self.start
        self._require_owned(state)
        first = self.first_index(state.batch + 1)
        if state.batch < self.start.batch or state.first_index != first:
            raise InvalidState(
                f"the state is not one of run {self.run_id}: batch {state.batch + 1} starts at "
                f"sequence {first}, the state has {state.first_index}"
            )
        return state

    def _require_owned(self, state: StreamState) -> None:
        newest, own = self.timelines.newest, state.timeline
        if own > newest:
            raise InvalidState(
                f"the state is of timeline {own}, run {self.run_id} has timelines 0 to {newest}"
            )
        if self.timelines.owner(state.batch) != own:
            raise Rewound(own, newest, min(state.batch - 1, self.timelines.end(own)))

    def _of_origin(self, state: StreamState) -> StreamState:
        origin = self.origin
        if origin is None or origin.run_id != state.run_id:
            raise InvalidState(
                f"the state is of run {state.run_id}, this stream is of run {self.run_id}: "
                "open the run that the checkpoint was trained on"
            )
        batch, timeline = origin.batch, origin.timeline
        if (state.batch, state.timeline) != (batch, timeline):
            raise InvalidState(
                f"run {self.run_id} continues run {state.run_id} after batch {batch} of timeline "
                f"{timeline}: resume from a checkpoint of exactly that batch, not of batch "
                f"{state.batch} of timeline {state.timeline}"
            )
        return self.start
