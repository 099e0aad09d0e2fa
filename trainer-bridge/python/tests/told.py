"""Runs in memory, of which trainers tell, and the rows that they give."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from sluice import wire
from sluice.history.reading import RunReading
from sluice.history.row import Mark, Row
from sluice.history.rows import RunRows
from sluice.run.control import ControlLog
from sluice.run.info import RunInfo
from steered import ONE, RUN, Service, Topic, decision, report
from writers import DOMAINS, MemoryLog

TARGETS = {"targets.java": "1.25", "targets.prose": "1e400", "targets.config": "fast"}
TOLD = RunInfo("r-1", RUN.spec | {"policySettings": TARGETS})


def progress(batch: int, **changes: Any) -> bytes:
    """A TrainerProgress, said at 1,000 ms for each batch."""
    said = {
        "runId": "r-1",
        "timeline": 0,
        "batch": batch,
        "trainerStep": batch,
        "oldestCheckpoint": -1,
        "worldSize": 1,
        "rank": 0,
        "timeMillis": 1000 * batch,
        "exposed": None,
        "read": None,
    }
    return wire.encode("TrainerProgress", said | changes)


def reading(service: Service, topic: Topic, after: Mark | None = None, **others: Any) -> RunReading:
    """Of a run, from its beginning or from a mark on."""
    log = MemoryLog(service.records, lambda: service.away)
    topic.begin_at(0)
    return RunReading(RunRows(TOLD, ControlLog(TOLD, lambda: log), after), topic, **others)


def told(service: Service, topic: Topic, after: Mark | None = None) -> list[Row]:
    """The rows that are complete by now."""
    rows: list[Row] = []
    reading(service, topic, after).catch_up(rows.append)
    return rows


def plain(row: Row) -> tuple[Any, ...]:
    """What a row is, so that rows compare."""
    losses = {name: values.tolist() for name, values in row.losses.items()}
    arrays = [repr(values.tolist()) for values in (row.weights, row.shares, row.targets)]
    rest = (row.seconds, row.tokens_seen, row.weights_version, row.round, row.kept, row.lead)
    return (*row.mark, *arrays, repr(losses), *rest)


@dataclass
class Trained:
    """A run of a seed, with rewinds, whose trainers say everything, and what its rows must be."""

    service: Service
    topic: Topic
    weights: dict[Mark, list[int]] = field(default_factory=dict)
    """In units of 2^-40, of each batch of each timeline."""
    losses: dict[Mark, list[float]] = field(default_factory=dict)
    stands: list[Mark] = field(default_factory=list)
    """All batches that no rewind took back, in order."""


def trained(seed: int, rounds: int = 6, rewinds: int = 0) -> Trained:
    """Grants two batches a round; after some rounds the run is rewound by as many."""
    rng = random.Random(seed)
    made = Trained(Service(TOLD), Topic())
    number = 0
    back = sorted(rng.sample(range(2, rounds), rewinds))
    weights = list(TOLD.spec["initialWeights"])
    for _ in range(rounds + len(back)):
        decided = None
        if number > 0:
            weights = _drawn(rng)
            decided = decision(number, weights)
        _grant(made, 2 * number + 2, weights, decided)
        number += 1
        _train(made, rng, number)
        if back and number == back[0]:
            back.pop(0)
            number = rng.randrange(1, number)
            made.service.rewind(2 * number, number - 1)
            made.stands = [mark for mark in made.stands if mark.batch <= 2 * number]
    made.service.become("completed")
    return made


def _drawn(rng: random.Random) -> list[int]:
    first = rng.randrange(ONE)
    second = rng.randrange(ONE - first)
    return [first, second, ONE - first - second]


def _grant(made: Trained, to: int, weights: list[int], decided: dict[str, Any] | None) -> None:
    made.service.grant(to, decided)
    body = made.service.records[-1]["body"][1]
    body["effectiveWeights"] = weights
    made.service.records[-1]["timeMillis"] = 1000 * to
    made.stands += [Mark(made.service.timeline, batch) for batch in (to - 1, to)]
    made.weights |= dict.fromkeys(made.stands[-2:], weights)


def _train(made: Trained, rng: random.Random, number: int) -> None:
    timeline, step = made.service.timeline, 2 * number
    losses = [rng.uniform(1, 4) for _ in DOMAINS]
    made.losses[Mark(timeline, step)] = losses
    means = dict(zip(DOMAINS, losses, strict=True))
    made.topic.values += [
        progress(step - 1, timeline=timeline),
        report(step, means=means, timeline=timeline),
        progress(step, timeline=timeline),
    ]
