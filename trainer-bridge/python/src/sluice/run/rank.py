"""The part of every global batch that one trainer process reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sluice.errors import InvalidWorldSize
from sluice.run.run_timeline import RunTimeline


@dataclass(frozen=True, slots=True)
class TrainerRank:
    """Data-parallel rank r of W: rows [r * G / W, (r + 1) * G / W) of each batch of G sequences.

    ``replica`` tells the tensor, context or pipeline parallel peers of a rank apart: they read
    identical rows, and only replica 0 reports.
    """

    rank: int = 0
    world_size: int = 1
    replica: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.rank < self.world_size:
            raise InvalidWorldSize(
                "rank must be in [0, world size), world size at least 1: "
                f"rank {self.rank} of {self.world_size}"
            )
        if self.replica < 0:
            raise InvalidWorldSize(f"replica must not be negative: {self.replica}")

    @staticmethod
    def of(dp: Any, replica: int = 0) -> TrainerRank:
        """From a (rank, world size) pair, or a one-dimensional torch ``DeviceMesh``."""
        if isinstance(dp, TrainerRank):
            return dp
        if hasattr(dp, "get_local_rank") and hasattr(dp, "size"):
            if getattr(dp, "ndim", 1) != 1:
                raise InvalidWorldSize(
                    f"dp must be a mesh of one dimension: it has {dp.ndim}; "
                    "pass the data-parallel one, mesh['dp']"
                )
            return TrainerRank(int(dp.get_local_rank()), int(dp.size()), replica)
        try:
            rank, world_size = dp
        except (TypeError, ValueError):
            raise InvalidWorldSize(
                f"dp must be (rank, world size) or a DeviceMesh: {dp!r}"
            ) from None
        return TrainerRank(int(rank), int(world_size), replica)

    @property
    def reports(self) -> bool:
        """Whether this replica sends the rank's feedback and progress."""
        return self.replica == 0

    def rows(self, batch: int, sequences: int) -> range:
        """Positions, in a batch of so many sequences, of this rank's rows."""
        if sequences % self.world_size:
            raise InvalidWorldSize(
                f"world size {self.world_size} does not divide the {sequences} sequences of batch "
                f"{batch}: use a world size that divides every batch of the run"
            )
        each = sequences // self.world_size
        return range(self.rank * each, (self.rank + 1) * each)

    def require_shares(self, timeline: RunTimeline, after: int = 0) -> None:
        """Fails unless the ranks can share every batch after one."""
        for stretch in timeline.schedule(after):
            self.rows(stretch.batch, stretch.sequences)

    def partitions(self, timeline: RunTimeline, after: int = 0) -> frozenset[int]:
        """Stream partitions that hold rows of this rank in some batch after one.

        Sequence g is in partition g mod S, so where batches start, modulo S, repeats after at most
        S batches of one size.
        """
        total = timeline.run.partitions
        found: set[int] = set()
        for stretch in timeline.schedule(after):
            rows = self.rows(stretch.batch, stretch.sequences)
            first = stretch.first_index + rows.start
            for repeat in range(min(stretch.batches, total)):
                start = first + repeat * stretch.sequences
                found.update((start + i) % total for i in range(min(len(rows), total)))
        return frozenset(found)
