"""Topics in memory."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import fastavro

from checker.topics import Message
from checker.wire import CURRENT, MAGIC, MARKS


def encoded(name: str, record: dict[str, Any]) -> bytes:
    body = io.BytesIO()
    fastavro.schemaless_writer(body, CURRENT[name], record)
    return MAGIC + MARKS[name] + body.getvalue()


class MemoryTopics:
    def __init__(self) -> None:
        self.held: dict[str, list[list[Message]]] = {}
        self.cut: dict[tuple[str, int], int] = {}

    def create(self, topic: str, partitions: int = 1) -> None:
        self.held[topic] = [[] for _ in range(partitions)]

    def add(
        self,
        topic: str,
        value: bytes | None,
        partition: int = 0,
        timestamp: int = 0,
        key: str = "",
        header: bytes | None = None,
    ) -> int:
        log = self.held[topic][partition]
        log.append(Message(len(log), timestamp, key.encode(), value, header))
        return len(log) - 1

    def names(self) -> set[str]:
        return set(self.held)

    def partitions(self, topic: str) -> int:
        return len(self.held[topic])

    def start(self, topic: str, partition: int) -> int:
        return self.cut.get((topic, partition), 0)

    def read(self, topic: str, partition: int = 0) -> Iterator[Message]:
        yield from self.held[topic][partition][self.start(topic, partition) :]
