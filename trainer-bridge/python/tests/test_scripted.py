from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sluice.bench.records import Chronicle, Record, Tap, batch_digest, row_digests
from sluice.block.reader import BlockReader
from sluice.kafka.access import KafkaAccess
from sluice.stream.batch import batch_of
from sluice.stream.open_batch import Taken
from sluice.stream.step_info import StepInfo
from sluice.wire.codec import encode
from sluice.wire.header import KEY, StreamHeader
from writers import TestingStream, block

STREAM = TestingStream(1, [3])


class _Message:
    def __init__(self, header: bytes, value: bytes) -> None:
        self._header, self._value = header, value

    def error(self) -> None:
        return None

    def headers(self) -> list[tuple[str, bytes]]:
        return [(KEY, self._header)]

    def value(self) -> bytes:
        return self._value


class _Consumer:
    def __init__(self, *messages: _Message) -> None:
        self._messages = list(messages)

    def consume(self, count: int, timeout: float) -> list[_Message]:
        found, self._messages = self._messages[:count], self._messages[count:]
        return found

    def position(self) -> int:
        return 17


def _header(index: int, timeline: int = 0) -> bytes:
    return StreamHeader(timeline, 1, 0, 3, index, 1, index, 9).encode()


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def test_a_tap_keeps_the_first_of_each_sequence_until_it_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    offered = [
        _Message(_header(0), b"a"),
        _Message(b"hostile", b"x"),
        _Message(_header(1), b"b"),
        _Message(_header(0), b"late"),
        _Message(_header(0, timeline=1), b"c"),
        _Message(_header(2), b"d"),
    ]
    monkeypatch.setattr(KafkaAccess, "consumer", lambda _self, **_own: _Consumer(*offered))
    tap = Tap()
    consumer: Any = tap.consumer(group="any")
    assert consumer.position() == 17
    assert consumer.consume(10, 0.1) == offered
    assert tap.take(0, np.array([0, 1])) == [Record(_header(0), b"a"), Record(_header(1), b"b")]
    assert list(tap.kept) == [(0, 2)]


def test_a_row_whose_tokens_are_not_its_record_s_has_no_digest() -> None:
    values = [encode("TokenBlock", block("java", ordinal)) for ordinal in range(2)]
    other = encode("TokenBlock", block("java", 2, tokens=b"\x01\x00" * 5))
    reader = BlockReader(STREAM.run)
    blocks = [reader.read(value) for value in values]
    whole = batch_of(STREAM.run, Taken(STREAM.sequences[0].header, range(2), blocks))
    taken = [Record(_header(0), values[0]), Record(_header(1), values[1])]
    assert row_digests(taken, whole) == [_sha(values[0]), _sha(values[1])]
    assert row_digests([taken[0], Record(_header(1), other)], whole) == [_sha(values[0]), ""]
    assert batch_digest(taken) == _sha(_header(0) + values[0] + _header(1) + values[1])


def test_who_is_killed_goes_on_after_the_last_checkpoint(tmp_path: Path) -> None:
    journal = tmp_path / "r-1.journal"
    first = Chronicle(journal, "r-1", 0)
    assert first.begin() == 0
    first.saves(0, 10, 0)
    first.saves(0, 20, 10)
    header = StreamHeader(0, 21, 160, 8, 160, 3, 160, 9)
    first.accepted(StepInfo.of(STREAM.run, header, -1, None), 8, _sha(b"any"), 4)
    with journal.open("a") as file:
        file.write("saved 3")
    history = tmp_path / "r-1.history.jsonl"
    with history.open("a") as file:
        file.write('{"at": 1')
    assert Chronicle(journal, "r-1", 0).begin() == 20
    lives = journal.read_text().splitlines()
    accepted = lives.pop(3).split(" ")
    assert accepted[:7] == ["accepted", "21", "160", "8", "3", _sha(b"any"), "f" * 16]
    assert len(accepted) == 9
    assert accepted[8] == "4"
    assert lives == ["begun 0", "saved 10", "saved 20", "begun 20"]
    lines = [json.loads(line) for line in history.read_text().splitlines()]
    assert [(line["op"], line["batch"]) for line in lines] == [
        ("begin", 0),
        ("flush", 10),
        ("checkpoint", 10),
        ("flush", 20),
        ("checkpoint", 20),
        ("drop", 10),
        ("begin", 20),
    ]
    assert {line["run"] for line in lines} == {"r-1"}
