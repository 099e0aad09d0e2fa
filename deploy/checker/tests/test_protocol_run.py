"""A whole run, read by docs/protocol.md alone: its log, its states, and its stream."""

from __future__ import annotations

import json
from typing import Any

import pytest

from checker.derived import stream
from checker.log import Log
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
