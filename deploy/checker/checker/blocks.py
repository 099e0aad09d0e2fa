"""Digests of a dataset's blocks, as they lie in the topics."""

from __future__ import annotations

import hashlib

from checker.topics import Topics
from checker.wire import of

NONE = "nothing"


def digest(value: bytes | None) -> str:
    """The first 8 bytes of SHA-256, in hex."""
    return NONE if value is None else hashlib.sha256(value).hexdigest()[:16]


class Blocks:
    """Read when first asked for; 16 characters are kept of each block."""

    def __init__(self, topics: Topics) -> None:
        self.topics = topics
        self.names = topics.names()
        self.digests: dict[str, list[list[str]]] = {}
        self.sizes: dict[str, list[int | None]] = {}

    def of(self, dataset: str, domain: str, lane: int, ordinal: int) -> str:
        lanes = self._domain(dataset, domain)
        blocks = lanes[lane] if lane < len(lanes) else []
        return blocks[ordinal] if ordinal < len(blocks) else NONE

    def ended(self, dataset: str, domain: str) -> list[int] | None:
        """Blocks in each lane; None while one of them goes on."""
        self._domain(dataset, domain)
        sizes = self.sizes[f"{dataset}.{domain}"]
        known = [size for size in sizes if size is not None]
        return known if known and len(known) == len(sizes) else None

    def _domain(self, dataset: str, domain: str) -> list[list[str]]:
        name = f"{dataset}.{domain}"
        if name not in self.digests:
            topic = f"blocks.{name}"
            there = topic in self.names
            lanes = range(self.topics.partitions(topic)) if there else range(0)
            self.digests[name] = [[] for _ in lanes]
            self.sizes[name] = [None for _ in lanes]
            for lane in lanes:
                self._lane(name, lane)
        return self.digests[name]

    def _lane(self, name: str, lane: int) -> None:
        blocks = self.digests[name][lane]
        for message in self.topics.read(f"blocks.{name}", lane):
            end = of("EndOfDomain", message.value)
            if end is not None:
                self.sizes[name][lane] = end["size"]
                return
            if message.timestamp == len(blocks):
                blocks.append(digest(message.value))
