"""Batches of a run without a stream: its log says which rows they have, and segments have these."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sluice.cache.node_cache import CacheWaits
from sluice.derive.blocks import UNKNOWN, DomainEnds
from sluice.derive.fold import Derivation
from sluice.derive.rows import DerivedRows
from sluice.errors import KafkaUnreachable, StreamCorrupt, StreamStalled
from sluice.run.control import ControlLog, Follower
from sluice.run.info import RunInfo
from sluice.run.mixture import Mixture
from sluice.run.rank import TrainerRank
from sluice.run.sets import SetSource
from sluice.run.state import StreamState
from sluice.run.supply import Supply
from sluice.segment.reader import OpenedRows, SegmentReader
from sluice.segment.sealed import Places
from sluice.segment.store import SegmentStore
from sluice.segment.table import NOWHERE
from sluice.segment.topic import SegmentTopic
from sluice.stream.batch import Batch
from sluice.stream.batch_reader import BatchReader
from sluice.stream.exposed import EMISSION, NETWORK
from sluice.stream.stored import DerivedShape, batch_of, unusable

_LOG = logging.getLogger("sluice")


class _Placed(NamedTuple):
    """Some batches, and where their rows are, as far as is known."""

    derived: DerivedRows
    places: Places


class _Found(NamedTuple):
    """A batch whose rows can be read."""

    shape: DerivedShape
    derived: DerivedRows
    rows: OpenedRows


class DerivedReader(BatchReader[_Found]):
    """Batches whose rows are derived of the run's log, and read from segments."""

    def __init__(
        self,
        run: RunInfo,
        control: ControlLog,
        segments: SegmentTopic,
        store: SegmentStore,
        rank: TrainerRank,
        supply: Supply | None = None,
        sets: SetSource | None = None,
        *,
        gap_timeout: float,
        status_interval: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(
            run,
            control,
            rank,
            supply,
            sets,
            gap_timeout=gap_timeout,
            status_interval=status_interval,
            clock=clock,
        )
        self._segments = segments
        self._rows = SegmentReader(store, segments.sealed)
        self._lanes = int(run.spec["lanes"])
        self._undecodable = 0
        self._followed_at = clock()
        control.follow(self._derives)
        control.refresh()
        self._go_to(self.run_timeline.start)

    def _derives(self, first: int) -> Follower:
        self._derivation = Derivation(self._run.run_id, first)
        return self._derivation

    def _go_to(self, state: StreamState) -> None:
        self.rank.require_shares(self.run_timeline, state.batch)
        self._state = state
        self._timeline = self.run_timeline.timelines.newest
        self._placed: _Placed | None = None
        self._looked = False  # whether what is sealed was asked for, for the next batch
        self._lacking = ""  # which block is not sealed
        self._fetching = ""  # what the cache says that has to be asked again

    @property
    def state(self) -> StreamState:
        """Position after the last batch that was handed out."""
        return self._state

    @property
    def undecodable(self) -> int:
        """Blocks of this rank that could not be used and were handed on masked."""
        return self._undecodable

    @property
    def _followed(self) -> int:
        return self._timeline

    def _take(self) -> _Found | None:
        try:
            return self._take_now()
        except KafkaUnreachable as error:
            self._astray = f"; {error}"
            return None

    def _take_now(self) -> _Found | None:
        self._follow(self._clock())
        self._require_stands()
        batch = self._state.batch + 1
        if self._placed is None or self._placed.derived.last < batch:
            if self._derivation.is_past(batch):
                self._control.start_over(batch - 1)  # what was read may begin behind it
                self._control.refresh()
                self._require_stands()
            if not self._derivation.has(batch):
                return None
            self._placed = self._place(batch)
        if not self._knows_masks():
            return None
        places = self._sealed(self._placed, batch)
        self._astray = self._fetching = ""
        rows = None if places is None else self._opened(batch, places)
        if rows is None:
            return None
        found = _Found(DerivedShape.of(self._placed.derived, batch), self._placed.derived, rows)
        self._pass(found.shape)
        return found

    def _follow(self, now: float) -> None:
        """Reads what came of the log now and then: what is granted may have been taken back."""
        if now - self._followed_at >= self.status_interval:
            self._followed_at = now
            self._control.wait(0)
            self._rows.let_go_of_evicted()

    def _place(self, batch: int) -> _Placed:
        derived, sealed = self._derivation.derive(batch, self.rank, self._ends), self._segments
        of = derived.domain, derived.lane, derived.block
        return _Placed(derived, sealed.sealed.places(derived.domains, *of))

    def _ends(self, domains: tuple[str, ...]) -> DomainEnds:
        sealed = self._segments.sealed
        return DomainEnds(sealed.ends(domains, self._lanes), sealed.in_place(domains, self._lanes))

    def _sealed(self, placed: _Placed, batch: int) -> Places | None:
        """Where the batch is, if all of its blocks are sealed, as far as is known or, once, as is
        said now."""
        found = self._found(placed, batch)
        if found is None and not self._looked:
            self._segments.refresh()
            self._looked = True
            self._placed = self._place(batch)
            found = self._found(self._placed, batch)
        return found

    def _found(self, placed: _Placed, batch: int) -> Places | None:
        derived = placed.derived
        of = derived.of(batch)
        places = Places(placed.places.segment[of], placed.places.row[of])
        lacking = np.flatnonzero(places.segment == NOWHERE)
        self._lacking = self._lacks(derived, of.start + int(lacking[0])) if lacking.size else ""
        return None if lacking.size else places

    def _opened(self, batch: int, places: Places) -> OpenedRows | None:
        """The batch's rows, if the cache has their files."""
        try:
            return self._rows.open(places)
        except CacheWaits as waits:
            self._fetching = str(waits)
            return None
        except StreamCorrupt as error:
            raise StreamCorrupt(f"batch {batch}: {error}") from error

    def _lacks(self, derived: DerivedRows, i: int) -> str:
        domain, lane = derived.domains[derived.domain[i]], int(derived.lane[i])
        block, rows = int(derived.block[i]), self._segments.sealed.rows(domain, lane)
        what = "the last block" if block == UNKNOWN else f"block {block}"
        return f"{what} of domain {domain}, lane {lane}, is not sealed: {rows} of the lane's are"

    def _pass(self, shape: DerivedShape) -> None:
        if shape.first_index != self._state.first_index:
            raise StreamCorrupt(
                f"batch {shape.batch} begins at sequence {shape.first_index}, the batch before it "
                f"ends at {self._state.first_index}"
            )
        end = shape.first_index + shape.batch_size
        self._state = StreamState(self._run.run_id, shape.timeline, shape.batch, end)
        self._looked = False

    def _batch_of(self, run: RunInfo, found: _Found, mixture: Mixture | None) -> Batch:
        number = found.shape.batch
        try:
            rows = self._rows.read(found.rows)
        except StreamCorrupt as error:
            raise StreamCorrupt(f"batch {number}: {error}") from error
        derived = found.derived
        for i in unusable(rows.sides).tolist():
            self._undecodable += 1
            at = derived.of(number).start + i
            _LOG.warning(
                "block %d of domain %s cannot be used and is handed on masked",
                derived.block[at],
                derived.domains[derived.domain[at]],
            )
        return batch_of(run, found.shape, derived, rows, self._masks.of(run, number), mixture)

    def _read_on(self, seconds: float) -> None:
        self._control.wait(seconds)

    @property
    def _granted_cause(self) -> str:
        return EMISSION if self._lacking else NETWORK

    def _rest(self) -> _Found | None:
        """What is granted can be read whatever becomes of the run, as long as it is sealed."""
        if self._astray or self._fetching:
            return None
        raise self._ended()

    def _describe(self) -> str:
        self._looked = False  # what is sealed is asked for anew
        lacks = self._lacking or self._fetching
        granted = f"but {lacks}" if lacks else "and is read"
        return self._control.fold.describe(self._state.batch + 1, granted)

    def _heard_nothing(self) -> None:
        """Nothing that was read is counted on to come."""

    def stalled(self, timeout: float, waits_for: str) -> StreamStalled:
        """The error for a batch that did not come in time."""
        return StreamStalled(self._state.batch + 1, -1, -1, timeout, waits_for)

    def close(self) -> None:
        """Gives the connections back."""
        self._control.close()
        self._segments.close()
        self._supply.close()
        self._rows.close()
