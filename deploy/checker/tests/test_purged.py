"""Documents that are deleted from their corpus and from the blocks that had them."""

from __future__ import annotations

from typing import Any

import pytest

from checker.rules import deciding, id_hash
from checker.wire import Record, of
from memory import encoded
from world import DATASET, FINGERPRINT, World

PURGED = {"a3", "a5", "a11", "b7", "b0", "c39"}
PADDING = (257).to_bytes(2, "little")


def purge(world: World, ids: set[str], **made: Any) -> None:
    """Takes the texts out of all corpora, and leaves what this dataset had made of them."""
    for topic in [each for each in world.topics.names() if each.startswith("corpus.")]:
        log = world.topics.held[topic][0]
        for message in [*log]:
            record = of("Document", message.value)
            if record and record["id"] in ids:
                text = record["text"]
                reading = {
                    "fingerprint": FINGERPRINT,
                    "refused": False,
                    "tokens": len(text.encode()),
                    "counted": [],
                    "deciding": signed(deciding(text)),
                    **made,
                }
                others = {**reading, "fingerprint": 1, "refused": True}
                purged = {"id": record["id"], "readings": [others, reading]}
                value = encoded("PurgedDocument", purged)
                log[message.offset] = message._replace(value=value)


def signed(number: int) -> int:
    return number - 2**64 if number >= 2**63 else number


def overwrite(world: World, ids: set[str]) -> None:
    """Takes the tokens of these documents out of all blocks."""
    for topic in [each for each in world.topics.names() if each.startswith(("blocks.", "eval."))]:
        for log in world.topics.held[topic]:
            for place, message in enumerate(log):
                record = of("TokenBlock", message.value)
                if record:
                    hashes = {id_hash(record["domain"], each) for each in ids}
                    value = encoded("TokenBlock", without(record, hashes))
                    log[place] = message._replace(value=value)


def without(record: Record, hashes: set[str]) -> Record:
    tokens, at = record["tokens"], 0
    for name, length in zip(record["documentIds"], record["documentLengths"], strict=True):
        if name in hashes:
            tokens = tokens[:at] + length * PADDING + tokens[at + 2 * length :]
        at += 2 * length
    return {**record, "tokens": tokens}


@pytest.fixture
def world() -> World:
    world = World()
    world.ingest()
    return world


def test_blocks_are_those_of_the_corpus_as_before(world: World) -> None:
    purge(world, PURGED)
    overwrite(world, PURGED)
    assert world.checked().findings == []


def test_tokens_that_are_there_still_are_found(world: World) -> None:
    purge(world, PURGED)
    overwrite(world, PURGED - {"b7"})
    found = world.checked().findings
    assert [(each.rule, each.run) for each in found] == [("document", f"{DATASET}.b")]


def test_to_a_dataset_that_had_not_read_them_they_were_never_there(world: World) -> None:
    purge(world, PURGED, fingerprint=2)
    overwrite(world, PURGED)
    assert {each.rule for each in world.checked().findings} == {"document"}


@pytest.mark.parametrize(
    "made", [{"tokens": -1}, {"tokens": 2**26 + 1}, {"counted": [3, -1]}, {"counted": [99]}]
)
def test_what_no_document_was_is_none(world: World, made: Record) -> None:
    purge(world, PURGED, **made)
    assert {each.rule for each in world.checked().findings} == {"document"}


def test_a_document_that_is_gone_from_the_corpus_is_missed_all_the_same(world: World) -> None:
    purge(world, PURGED)
    overwrite(world, PURGED)
    log = world.topics.held["corpus.c"][0]
    del log[3], log[4]
    assert "document" in {each.rule for each in world.checked().findings}
