"""Which timeline of a run owns which batches."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import NamedTuple

from sluice.wire.chain import START


class Opened(NamedTuple):
    """A timeline: its first batch is the one after ``after`` and starts at ``first_index``."""

    timeline: int
    after: int
    first_index: int


@dataclass(frozen=True, slots=True)
class Timelines:
    """The timelines of a run, in the order of the log.

    Each rewind opens one after a batch; a batch is owned by the last timeline that was opened
    before it. ``chain_start`` is each partition's chain hash before its first sequence in a
    timeline.
    """

    opened: tuple[Opened, ...] = (Opened(0, 0, 0),)
    chain_start: int = START

    @staticmethod
    def starting_after(batch: int, first_index: int, chain_start: int = START) -> Timelines:
        """The first timeline of a run, which begins after a batch: 0 unless the run is a fork."""
        return Timelines((Opened(0, batch, first_index),), chain_start)

    def opening(self, timeline: int, after: int, first_index: int) -> Timelines:
        """With another timeline, which now owns all batches after one."""
        opened = (*self.opened, Opened(timeline, after, first_index))
        return Timelines(opened, self.chain_start)

    @property
    def newest(self) -> int:
        """The one that the run goes on with."""
        return self.opened[-1].timeline

    @property
    def first(self) -> Opened:
        """Where the run begins."""
        return self.opened[0]

    def owner(self, batch: int) -> int:
        """The timeline that owns a batch; the first one for what is not after the run's start."""
        later = (one.timeline for one in reversed(self.opened[1:]) if one.after < batch)
        return next(later, self.first.timeline)

    def of_index(self, index: int) -> Opened:
        """The opening of the timeline that owns a sequence."""
        later = (one for one in reversed(self.opened[1:]) if one.first_index <= index)
        return next(later, self.first)

    def limit(self, index: int) -> int:
        """The first sequence after this one that another timeline owns."""
        owner = self.of_index(index).timeline
        return min(
            (one.first_index for one in self.opened if one.timeline > owner), default=sys.maxsize
        )

    def end(self, timeline: int) -> int:
        """Last batch of a timeline that later ones left to it; ``sys.maxsize`` for the newest."""
        return min(
            (one.after for one in self.opened if one.timeline > timeline), default=sys.maxsize
        )
