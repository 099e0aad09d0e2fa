"""Runs without a stream, and what ranks say that they read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from checker.derived import stream
from checker.finding import Finding
from checker.log import Log
from checker.reading import Timelines
from checker.rules import WORD, digest_term, domain_hash, mix, row_hash
from checker.run import Rank
from checker.wire import of
from memory import encoded
from vectors import cases, vectors
from world import DOMAINS, LANES, World


def test_rows_of_segments() -> None:
    for case in vectors("segments"):
        size = (case["sequenceLength"] + 1) * case["tokenWidth"]
        data = bytes.fromhex(case["data"])
        for number, row in enumerate(case["rows"]):
            tokens = data[number * case["stride"] :][:size]
            assert f"{row_hash(tokens):016x}" == row["hash"]


@cases("derived")
def test_batches_are_derived(case: dict[str, Any]) -> None:
    log = Log(case["runId"])
    for record in case["log"]:
        log.read(record["offset"], bytes.fromhex(record["value"]))
    owners = Timelines(log.openings)
    batches: dict[int, list[Any]] = {}
    for each in stream(log, case["endedBlocks"]):
        if owners.owner(each.batch) == each.timeline:
            batches.setdefault(each.batch, []).append(each)
    for batch in case["batches"]:
        rows = batches[batch["batch"]]
        assert [each.ordinal for each in rows] == batch["ordinals"]
        assert [each.block for each in rows] == batch["blocks"]
        assert (rows[0].timeline, rows[0].first) == (batch["timeline"], batch["firstIndex"])
        terms = [
            digest_term(
                each.at,
                mix(
                    domain_hash(log.spec["fingerprint"], each.domain)
                    + (each.lane << 48)
                    + each.block
                ),
            )
            for each in rows
        ]
        for parts in batch["digests"]:
            shares = [Rank(rank, len(parts)).rows(0, len(rows)) for rank in range(len(parts))]
            found = [sum(terms[at] for at in share) & WORD for share in shares]
            assert [f"{each:016x}" for each in found] == parts


def happened(sealed: int = 10**6, wrong: int = 0) -> World:
    """Eight batches of a run without a stream; of each lane only so many blocks are sealed."""
    world = World(delivery="derived")
    world.ingest()
    world.topics.create("segments.d")
    for domain in DOMAINS:
        for lane in range(LANES):
            blocks = len(world.topics.held[f"blocks.d.{domain}"][lane]) - 1
            last = min(blocks, sealed) - 1
            world.seal(domain, lane, 0, last // 2)
            world.seal(domain, lane, last // 2 + 1, last)
    world.begin()
    world.grant(8)
    for rank in (0, 1):
        world.read(rank, world.derived(), 0, range(1, 9), wrong * rank)
    return world


def found(world: World) -> list[Finding]:
    return world.checked().findings


def test_a_run_without_a_stream_keeps_every_rule() -> None:
    assert found(happened()) == []


def test_what_no_segment_has_is_not_granted() -> None:
    first = found(happened(sealed=4))[0]
    assert (first.rule, first.expected) == ("sealed", "one of the 4 that are sealed")
    assert first.found.startswith("block 4 of domain ")


def test_a_word_that_is_not_what_the_rows_give_is_found() -> None:
    (finding,) = found(happened(wrong=1))
    assert (finding.rule, finding.place) == ("read", "rank 1 of 2, timeline 0, batch 8")
    assert int(finding.found, 16) == int(finding.expected, 16) + 1


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda said: said | {"worldSize": 4}, "a world that divides 6 sequences"),
        (lambda said: said | {"read": {"first": 8, "digests": [5]}}, ""),
    ],
)
def test_other_words_are_found(
    change: Callable[[dict[str, Any]], dict[str, Any]], expected: str
) -> None:
    world = happened()
    said = of("TrainerProgress", world.topics.held["feedback.r"][0][1].value)
    assert said is not None
    said["read"] = said["read"][1]
    world.topics.add("feedback.r", encoded("TrainerProgress", change(said)))
    findings = found(world)
    assert {each.rule for each in findings} == {"read"}
    assert all(expected in each.expected for each in findings)


def test_impossible_words_say_nothing() -> None:
    world = happened()
    said = of("TrainerProgress", world.topics.held["feedback.r"][0][1].value)
    assert said is not None
    for change in (
        {"rank": 2},
        {"worldSize": 0},
        {"timeline": -1},
        {"read": {"first": 0, "digests": [1]}},
        {"read": {"first": 8, "digests": [1, 2]}},
        {"read": {"first": 1, "digests": []}},
        {"read": None},
        {"runId": "other.1"},
    ):
        record = said | {"read": said["read"][1]} | change
        world.topics.add("feedback.r", encoded("TrainerProgress", record))
    assert found(world) == []


def test_rows_whose_documents_were_deleted_are_compared_with_nothing() -> None:
    world = happened()
    for domain in DOMAINS:
        for lane in world.topics.held[f"blocks.d.{domain}"]:
            for at, message in enumerate(lane[:-1]):
                block = of("TokenBlock", message.value)
                assert block is not None
                gone = (257).to_bytes(2, "little") * block["documentLengths"][0]
                block["tokens"] = gone + block["tokens"][len(gone) :]
                lane[at] = message._replace(value=encoded("TokenBlock", block))
    assert {each.rule for each in found(world)} <= {"document"}


def test_what_is_sealed_has_no_gap() -> None:
    world = happened()
    topic = world.topics.held["segments.d"][0]
    whole = world.sealed()
    assert (whole.rows("b", 0), whole.ended("b", 0)) == (17, 17)
    assert not whole.in_place("b")
    first = next(each for each in topic if each.key == b"b/0/0")
    topic.remove(first)
    assert (world.sealed().rows("b", 0), world.sealed().ended("b", 0)) == (0, None)
    record = of("Segment", first.value)
    assert record is not None
    file = {"bytes": 10, "version": "1", "indexSha256": ""}
    topic.append(first._replace(value=encoded("Segment", record | {"file": file})))
    assert (world.sealed().ended("b", 0), world.sealed().in_place("b")) == (17, True)
    topic.append(first._replace(value=encoded("Segment", record | {"fingerprint": 7, "rows": 99})))
    assert world.sealed().rows("b", 0) == 17


def test_blocks_in_place_have_an_order_from_the_first_on() -> None:
    world = happened()
    plain = [each.block for each in stream(world.log, {"a": [40, 40]})]
    placed = [each.block for each in stream(world.log, {"a": [40, 40]}, {"a"})]
    assert plain != placed
