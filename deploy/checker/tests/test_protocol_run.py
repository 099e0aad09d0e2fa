"""A whole run, read by docs/protocol.md alone: its log, its states, and its stream."""

from __future__ import annotations

import json
from typing import Any

import pytest

from checker.blocks import Blocks
from checker.derived import Sequence, stream
from checker.history import History
from checker.log import Log
from checker.run import Run
from checker.taken import granted, mixture, version
from memory import MemoryTopics
from vectors import vectors

FIELDS = ["batch", "nextSequence", "weightsVersion", "round", "baseRound", "weights", "pinned"]
FIELDS += ["drainTo", "planError", "ordinals", "masked"]


@pytest.fixture(name="run", scope="module")
def vector() -> Any:
    return vectors("run")


@pytest.fixture(name="log", scope="module")
def folded(run: Any) -> Log:
    log = Log(run["runId"])
    for record in run["log"]:
        reading = log.read(record["offset"], bytes.fromhex(record["value"]))
        assert reading == record["reading"], record["offset"]
    return log


def visible(snapshot: dict[str, Any]) -> dict[str, Any]:
    return {name: snapshot[name] for name in FIELDS}


def test_the_fold(run: Any, log: Log) -> None:
    expected = run["state"]
    found = {"state": log.state, **log.at, "heardTo": log.heard_to}
    assert {key: found[key] for key in expected if key != "snapshot"} == {
        key: value for key, value in expected.items() if key != "snapshot"
    }
    assert visible(log.snapshot) == expected["snapshot"]


def test_states_of_the_past(run: Any, log: Log) -> None:
    for past in run["past"]:
        assert visible(log.as_of(past["batch"])) == past["snapshot"], past["batch"]


def test_the_stream(run: Any, log: Log) -> None:
    def key(sequence: dict[str, Any]) -> str:
        return json.dumps(sequence, sort_keys=True)

    derived = [
        {
            "partition": each.at % log.spec["streamPartitions"],
            "timestamp": each.batch,
            "header": each.header().hex(),
            "block": {"domain": each.domain, "lane": each.lane, "ordinal": each.block},
        }
        for each in stream(log, run["endedBlocks"])
    ]
    for partition in {each["partition"] for each in run["stream"]}:
        mine = [key(each) for each in derived if each["partition"] == partition]
        written = [key(each) for each in run["stream"] if each["partition"] == partition]
        assert mine == written
    assert not log.wrong


def test_what_was_taken_as_granted_keeps_every_rule(log: Log, run: Any) -> None:
    batches: dict[tuple[int, int], list[Sequence]] = {}
    for each in stream(log, run["endedBlocks"]):
        batches.setdefault((each.timeline, each.batch), []).append(each)
    takes: list[dict[str, Any]] = [
        {
            "at": at,
            "process": "p",
            "type": "ok",
            "op": "take",
            "run": log.run_id,
            "rank": 0,
            "worldSize": 1,
            "timeline": timeline,
            "batch": batch,
            "version": rows[0].version,
            "first": rows[0].first,
            "size": len(rows),
            "rows": [[each.at, each.domain, ""] for each in rows],
        }
        for at, ((timeline, batch), rows) in enumerate(batches.items())
    ]
    taken = Run(log, History(takes), Blocks(MemoryTopics()))
    rules = (granted, version, mixture)
    assert [list(rule(taken)) for rule in rules] == [[], [], []]
    takes[5]["rows"][0][1] = "other"
    assert [each.rule for each in mixture(Run(log, History(takes), taken.blocks))] == ["mixture"]
