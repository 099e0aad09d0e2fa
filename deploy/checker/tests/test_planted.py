"""A service that keeps every rule, and ten that break one each."""

from __future__ import annotations

from typing import Any

import pytest

from checker.check import check
from checker.finding import RULES
from checker.history import History
from checker.rules import UNIT
from checker.wire import of
from memory import encoded
from world import RUN, World, snapshot

DECIDED = [UNIT // 4, UNIT // 2, UNIT // 4]
ASKED = [UNIT // 8, UNIT // 8, 3 * (UNIT // 4)]
LOST = "b text 5 " * 3


def happened(defect: str = "") -> World:
    """Twelve batches, a rewind to the tenth, and four more; a fault before the last two."""

    def bent(batch: int, counts: list[int]) -> list[int]:
        seat = int(defect == "mixture" and batch == 3)
        return [counts[0] + seat, counts[1] - seat, counts[2]]

    world = World(bent)
    world.ingest(LOST if defect == "document" else "")
    world.begin()
    world.grant(4)
    for rank in (0, 1):
        world.report(rank, 4, "one", lost=defect == "heard" and rank == 1)
    world.grant(8, (1, "one", DECIDED))
    world.happens("invoke", "command", run=RUN, command="weights")
    late = world.now + 1_000 if defect == "command" else 0
    if late:
        world.grant(9, at=late)
    version = world.log.snapshot["weightsVersion"] + 1
    world.revise("weights", snapshot(world.log, weights=ASKED, weightsVersion=version), 0, 0)
    world.happens("ok", "command", run=RUN, command="weights")
    world.now += 2_000
    for rank in (0, 1):
        world.report(rank, 8, "two")
    world.grant(12, (2, "two", DECIDED))
    world.happens("invoke", "command", run=RUN, command="rewind")
    world.revise("rewind", snapshot(world.log, **back(world)), 1, 12)
    world.happens("ok", "command", run=RUN, command="rewind")
    world.grant(16)
    train(world, defect)
    return world


def back(world: World) -> dict[str, Any]:
    state = world.log.as_of(10)
    return {**state, "policyState": b""}


def train(world: World, defect: str) -> None:
    emitted = world.emit()
    for rank in (0, 1):
        world.says(rank, "ok", "begin", batch=0)
        world.take(rank, emitted, 0, range(1, 7))
        world.says(rank, "ok", "checkpoint", timeline=0, batch=6)
        world.take(rank, emitted, 0, range(7, 9))
        world.read(rank, emitted, 0, range(1, 9))
    world.says(0, "ok", "begin", batch=6)  # killed, and back at its checkpoint
    world.take(0, emitted, 0, range(7, 11))
    world.take(1, emitted, 0, range(9, 11))
    for rank in (0, 1):
        world.says(rank, "ok", "checkpoint", timeline=0, batch=10)
        world.says(rank, "ok", "drop", batch=6)
        world.take(rank, emitted, 0, range(11, 13))
        world.says(rank, "ok", "begin", batch=10)
        world.take(rank, emitted, 1, range(11, 15))
        world.read(rank, emitted, 0, range(7, 13))
        world.read(rank, emitted, 1, range(11, 15), wrong=int(defect == "read" and rank == 1))
    world.happens("invoke", "fault", what="kill")
    world.happens("ok", "fault", what="kill")
    if defect != "flow":
        for rank in (0, 1):
            world.take(rank, emitted, 1, range(15, 17))
    world.now += 100_000
    world.happens("info", "fault", what="none")


def spoil(world: World, defect: str) -> None:
    """What is wrong in what was written down, or in a topic, after all has happened."""
    takes = [each for each in world.events if each["op"] == "take" and each["rank"] == 0]
    last = takes[-1]
    if defect == "granted":
        first, size = last["first"] + last["size"], last["size"]
        rows = [[first + i, "a", "0" * 16] for i in range(3)]
        world.events.append({**last, "batch": 17, "first": first, "size": size, "rows": rows})
    elif defect == "digest":
        again = next(each for each in takes[8:] if each["batch"] == 7)
        again["rows"][1][2] = "0" * 16
    elif defect == "order":
        world.events.remove(takes[3])
    elif defect == "version":
        last["version"] = 1
    elif defect == "kept":
        world.topics.cut = {("stream.r", p): 20 for p in range(4)}


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    world = happened()
    report = world.checked()
    assert report.findings == []
    assert report.gone == []
    assert report.checked == {"runs": 1, "batches": 38, "sequences": 114, "documents": 92}


@pytest.mark.parametrize("defect", [rule for rule in RULES if rule not in ("log", "sealed")])
def test_a_planted_defect_is_found_and_nothing_else(defect: str) -> None:
    world = happened(defect)
    spoil(world, defect)
    found = world.checked().findings
    assert {each.rule for each in found} == {defect}, [str(each) for each in found]
    assert all(each.run and each.place and each.expected != each.found for each in found)


def test_a_log_that_breaks_is_found() -> None:
    world = happened()
    grant = world.log.entries[-1].body
    with pytest.raises(AssertionError):
        world.propose("MixtureGrant", grant, timeline=1)
    assert [each.rule for each in world.checked().findings] == ["log"]


@pytest.mark.parametrize(("written_back", "found"), [(0, set()), (10**9, {"heard"})])
def test_a_report_that_a_power_cut_may_have_taken_is_not_missed(
    written_back: int, found: set[str]
) -> None:
    world = happened("heard")
    world.happens("ok", "loss", since=written_back)
    assert {each.rule for each in world.checked().findings} == found


def test_a_run_without_a_log_is_said_to_be_gone() -> None:
    world = happened()
    world.happens("ok", "end", run="other.2")
    assert world.checked().gone == ["other.2"]


def test_a_run_may_have_a_log_of_its_own() -> None:
    world = happened("mixture")
    world.topics.held[f"control.{RUN}"] = world.topics.held["control"]
    world.topics.create("control")
    report = world.checked()
    assert ({each.rule for each in report.findings}, report.checked["runs"]) == ({"mixture"}, 1)


def test_topics_are_those_of_the_run_that_started_last() -> None:
    world = happened("kept")
    spoil(world, "kept")
    start = world.log.entries[0].body
    later = {"runId": "r.2", "timeline": 0, "serial": 0, "basedOn": -1, "writer": "test"}
    later |= {"timeMillis": 1, "why": "", "body": ("io.sluice.schema.RunStarted", start)}
    world.topics.add("control", encoded("ControlRecord", later), key="r.2")
    report = world.checked()
    assert (report.findings, report.checked["runs"]) == ([], 2)


def test_a_trainer_that_takes_another_domain_departs_from_the_mixture() -> None:
    world = happened()
    take = next(each for each in world.events if each["op"] == "take")
    for row in take["rows"]:
        row[1] = "c"
    assert {each.rule for each in world.checked().findings} == {"digest", "mixture"}


def test_a_rank_that_takes_the_rows_of_another_is_found() -> None:
    world = happened()
    for event in world.events:
        if event["op"] == "take" and event["rank"] == 1:
            event["rows"] = event["rows"][:-1]
    assert {each.rule for each in world.checked().findings} == {"order"}


def test_only_the_named_run_is_checked() -> None:
    world = happened("document")
    world.happens("ok", "end", run="other.2")
    report = check(world.topics, History(world.events), only=RUN)
    assert (report.findings, report.gone, report.checked["batches"]) == ([], [], 38)


@pytest.mark.parametrize("spoilt", ["lost", "twice", "renamed", "of no block"])
def test_lineage_that_does_not_fit_its_blocks_is_found(spoilt: str) -> None:
    world = happened()
    records = world.topics.held["lineage.d"][0]
    message = records.pop(7)
    record = of("BlockLineage", message.value)
    assert record is not None
    if spoilt == "renamed":
        record["names"][0] += "x"
    if spoilt == "of no block":
        records.append(message)
        record["ordinal"] = 10**6
    if spoilt != "lost":
        records.append(message._replace(value=encoded("BlockLineage", record)))
    if spoilt == "twice":
        records.append(message)
    assert [each.rule for each in world.checked().findings] == ["document"]
