"""What sides say of some rows, of whatever segments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class RowSides:
    """The columns of :class:`~sluice.segment.side.SegmentSide` for n rows, one behind the other.

    ``runs_end`` and ``run`` are None where no row has a loss mask.
    """

    produced: Ints
    trained: NDArray[np.int32]
    parts_end: Ints
    length: NDArray[np.int32]
    document: NDArray[np.uint64]
    runs_end: Ints | None
    run: NDArray[np.int32] | None

    def rows(self, start: int, stop: int) -> RowSides:
        """Some of the rows."""
        parts, parts_end = _within(self.parts_end, start, stop)
        runs_end = run = None
        if self.runs_end is not None and self.run is not None:
            runs, runs_end = _within(self.runs_end, start, stop)
            run = self.run[runs]
        return RowSides(
            self.produced[start:stop],
            self.trained[start:stop],
            parts_end,
            self.length[parts],
            self.document[parts],
            runs_end,
            run,
        )


def _within(ends: Ints, start: int, stop: int) -> tuple[slice, Ints]:
    """Which entries are those of some rows, and where they end."""
    first = int(ends[start - 1]) if start > 0 else 0
    own = ends[start:stop] - first
    return slice(first, first + (int(own[-1]) if own.size else 0)), own


def ragged(starts: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """The indices ``starts[i]``, ``starts[i] + 1`` and so on of each i, as many as ``counts[i]``,
    and where those of each end."""
    ends: Ints = counts.cumsum()
    shift: NDArray[Any] = np.repeat(starts - ends + counts, counts)
    return np.arange(shift.size) + shift, ends
