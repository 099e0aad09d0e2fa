"""The part of every global batch that one data-parallel rank trains on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sluice.course import Course
from sluice.errors import InvalidWorldSize


@dataclass(frozen=True, slots=True)
class Share:
    """Data-parallel rank ``rank`` of ``size``: rows [r * G / W, (r + 1) * G / W) of each batch."""

    rank: int = 0
    size: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.rank < self.size:
            raise InvalidWorldSize(
                "rank must be in [0, world size), world size at least 1: "
                f"rank {self.rank} of {self.size}"
            )

    @staticmethod
    def of(dp: Any) -> Share:
        """From a (rank, size) pair, or a one-dimensional torch ``DeviceMesh``."""
        if isinstance(dp, Share):
            return dp
        if hasattr(dp, "get_local_rank") and hasattr(dp, "size"):
            if getattr(dp, "ndim", 1) != 1:
                raise InvalidWorldSize(
                    f"dp must be a mesh of one dimension: it has {dp.ndim}; "
                    "pass the data-parallel one, mesh['dp']"
                )
            return Share(int(dp.get_local_rank()), int(dp.size()))
        try:
            rank, size = dp
        except (TypeError, ValueError):
            raise InvalidWorldSize(
                f"dp must be (rank, world size) or a DeviceMesh: {dp!r}"
            ) from None
        return Share(int(rank), int(size))

    def rows(self, batch: int, sequences: int) -> range:
        """Positions, in a batch of so many sequences, of this rank's rows."""
        if sequences % self.size:
            raise InvalidWorldSize(
                f"world size {self.size} does not divide the {sequences} sequences of batch "
                f"{batch}: use a world size that divides every batch of the run"
            )
        each = sequences // self.size
        return range(self.rank * each, (self.rank + 1) * each)

    def partitions(self, course: Course, after: int = 0) -> frozenset[int]:
        """Stream partitions that hold rows of this rank in some batch after one.

        Sequence g is in partition g mod S, so where batches start, modulo S, repeats after at most
        S batches of one size.
        """
        total = course.run.partitions
        found: set[int] = set()
        for stretch in course.schedule(after):
            rows = self.rows(stretch.batch, stretch.sequences)
            first = stretch.first_index + rows.start
            for repeat in range(min(stretch.batches, total)):
                start = first + repeat * stretch.sequences
                found.update((start + i) % total for i in range(min(len(rows), total)))
        return frozenset(found)
