"""What is known of one run: its log, what trainers say they took of it, and its data."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from checker.blocks import Blocks
from checker.finding import Finding
from checker.history import Event, History
from checker.log import Batch, Log
from checker.reading import Timelines
from checker.sealed import Sealed

Place = tuple[int, int]


class Rank(NamedTuple):
    rank: int
    world: int

    def rows(self, first: int, size: int) -> range:
        """Its share of a batch: section 16."""
        each = size // self.world
        return range(first + self.rank * each, first + (self.rank + 1) * each)


def rank_of(event: Event) -> Rank:
    return Rank(event["rank"], event["worldSize"])


def at(event: Event) -> Place:
    return event["timeline"], event["batch"]


class Run:
    def __init__(self, log: Log, history: History, blocks: Blocks) -> None:
        self.id = log.run_id
        self.log = log
        self.history = history
        self.blocks = blocks

    @property
    def name(self) -> str:
        return str(self.log.spec["run"])

    @property
    def derived(self) -> bool:
        """Whether it has no stream."""
        return bool(self.log.spec["delivery"] == "derived")

    @cached_property
    def sealed(self) -> Sealed:
        spec = self.log.spec
        return Sealed(self.blocks.topics, spec["dataset"], spec["fingerprint"])

    @cached_property
    def takes(self) -> list[Event]:
        return self.history.of("take", self.id)

    @cached_property
    def granted(self) -> dict[Place, Batch]:
        """Every batch that was ever granted, by timeline and number."""
        return {(each.timeline, each.batch): each for each in self.log.batches}

    @cached_property
    def timelines(self) -> Timelines:
        return Timelines(self.log.openings)

    def timelines_as_of(self, timeline: int) -> Timelines:
        return Timelines([one for one in self.log.openings if one[0] <= timeline])

    def finding(self, rule: str, place: str, expected: object, found: object) -> Finding:
        return Finding(rule, self.id, place, str(expected), str(found))
