"""Who sends feedback, and under which timelines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from sluice import wire
from sluice.kafka.access import KafkaAccess
from sluice.run.info import RunInfo
from sluice.run.rank import TrainerRank
from sluice.stream.exposed import ExposedTime


class FeedbackSource(Protocol):
    """The process whose measurements are sent, such as a loader whose steps are answered."""

    access: KafkaAccess
    rank: TrainerRank

    @property
    def run(self) -> RunInfo:
        """The run under its present specification."""

    @property
    def waits(self) -> bool:
        """Whether the trainer is known to wait for a batch."""

    @property
    def exposed(self) -> ExposedTime | None:
        """What the trainer's steps waited for until now; None where that is not measured."""

    def run_at(self, batch: int) -> RunInfo:
        """The run under the specification that governs a batch, as far as it is known."""

    def announce(self, metrics: Iterable[str]) -> None:
        """Says what this trainer measures, beside what it said before."""

    def timeline_of(self, step: int) -> int:
        """The timeline that owns a step."""

    def read(self, batch: int) -> list[wire.Record]:
        """Digests of batches up to this one that were handed out and not asked for yet, each once,
        in parts that a record can say; none when nothing is read."""

    def require_held(self) -> None:
        """Fails once another process has the rank."""


class FixedSource:
    """A process that reads no stream: one rank of one timeline."""

    waits = False
    exposed = None

    def __init__(self, access: KafkaAccess, run: RunInfo, timeline: int, rank: TrainerRank) -> None:
        self.access = access
        self.run = run
        self.rank = rank
        self._timeline = timeline

    def run_at(self, batch: int) -> RunInfo:
        """The run as it was when this was made."""
        return self.run

    def announce(self, metrics: Iterable[str]) -> None:
        """Such a process takes no rank with which it could say so."""

    def timeline_of(self, step: int) -> int:
        """What it was told when it was made."""
        return self._timeline

    def read(self, batch: int) -> list[wire.Record]:
        """Nothing is read."""
        return []

    def require_held(self) -> None:
        """Nobody else is asked."""
