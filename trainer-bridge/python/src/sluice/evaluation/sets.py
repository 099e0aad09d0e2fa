"""The held-out blocks of a run's domains, which trainers evaluate on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from typing import Any

from confluent_kafka import TopicPartition

from sluice import wire
from sluice.block.block import Block
from sluice.block.reader import BlockReader
from sluice.errors import EvalSetError, WireFormatError
from sluice.evaluation.waiting import Waiting
from sluice.kafka.access import BEGINNING, KafkaAccess, good
from sluice.run.info import RunInfo
from sluice.run.sets import DocumentSet, KafkaSets, SetSource, masked_in


class EvalSet:
    """The held-out blocks of one domain while they are read: a partition for each lane."""

    def __init__(
        self,
        domain: str,
        blocks: BlockReader,
        limit: int,
        lanes: int,
        is_masked: Callable[[bytes], bool] | None = None,
    ) -> None:
        self._domain = domain
        self._is_masked = is_masked
        self._blocks = blocks
        self._limit = limit
        self._lanes: list[list[Block]] = [[] for _ in range(lanes)]
        self._done: set[int] = set()

    def take(self, lane: int, value: bytes) -> bool:
        """Takes a record; whether its lane has now given all that is needed."""
        try:
            name, _ = wire.decode(value)
        except WireFormatError as error:
            raise EvalSetError(
                f"a held-out record of domain '{self._domain}' cannot be read: {error}"
            ) from error
        if name == "EndOfDomain":
            self._done.add(lane)
        elif name == "TokenBlock" and lane not in self._done:
            self._append(lane, self._blocks.read(value))
        if self.complete and not any(self._lanes):
            raise EvalSetError(
                f"domain '{self._domain}' has no held-out block: "
                "give it more documents or a larger held-out share"
            )
        return lane in self._done

    def _append(self, lane: int, block: Block) -> None:
        if not block.usable:
            raise EvalSetError(
                f"a held-out block of domain '{self._domain}' is not of the run's dataset"
            )
        left = block if self._is_masked is None else block.without(self._is_masked)
        if left is not block and not left.loss_mask.any():
            return
        self._lanes[lane].append(left)
        if len(self._lanes[lane]) == self._limit:
            self._done.add(lane)

    @property
    def complete(self) -> bool:
        """Whether every lane has given as many blocks as could be needed, or ended."""
        return len(self._lanes) > 0 and len(self._done) == len(self._lanes)

    @property
    def blocks(self) -> list[Block]:
        """The first blocks by ordinal, then lane."""
        every = [block for lane in self._lanes for block in lane]
        return sorted(every, key=lambda block: (block.ordinal, block.lane))[: self._limit]

    def __str__(self) -> str:
        found = sum(len(lane) for lane in self._lanes)
        wanted = "all" if self._limit == sys.maxsize else self._limit
        return f"{self._domain} ({found} of {wanted}, end not reached)"


def late(sets: Iterable[EvalSet], missing: Iterable[str]) -> list[str]:
    """What is waited for, for people: domains with what they gave, and those without a topic."""
    found = [str(one) for one in sets if not one.complete]
    return found + [f"{domain} (no topic)" for domain in missing]


def run_sets(run: RunInfo, source: SetSource) -> list[DocumentSet]:
    """All sets of documents that a run masks. Masks are announced behind their sets: one that is
    not there now is lost, which is an :class:`~sluice.errors.EvalSetError`."""
    names = run.masked_sets(sys.maxsize)
    found = source.read(names) if names else {}
    for name in sorted(names - found.keys()):
        raise EvalSetError(
            f"held-out blocks cannot be told from those of documents that run {run.name} masks: "
            f"{source.place} has no set whose content has the digest {name}"
        )
    return list(found.values())


def eval_sets(
    run: RunInfo,
    blocks: int | None = None,
    bootstrap: str = "localhost:9092",
    prefix: str = "sluice.",
    *,
    timeout: float = 300.0,
    config: Mapping[str, Any] | None = None,
) -> dict[str, list[Block]]:
    """The first ``blocks`` held-out blocks of every domain, by ordinal: the same on every call.

    By default as many as the run's specification sizes the sets in tokens, and all when it does
    not. Waits until each domain has that many or has ended, and says so in a warning after ten
    seconds and then each minute. A domain without any is an
    :class:`~sluice.errors.EvalSetError`. No label counts of documents that the run masks, from
    whichever batch on; a block of which then none counts is left out.
    """
    if blocks is None:
        blocks = run.eval_blocks or sys.maxsize
    if blocks < 1:
        raise ValueError(f"blocks must be at least 1: {blocks}")
    access = KafkaAccess(bootstrap, prefix, config or {})
    waiting = Waiting(timeout)
    reader = BlockReader(run)
    masks = run_sets(run, KafkaSets(access))
    sets: dict[str, EvalSet] = {}
    missing = run.present_domains
    with closing(access.consumer(isolation_level="read_committed")) as consumer:
        while True:
            for domain in list(missing):
                topic = access.topics.eval(run.spec["dataset"], domain)
                lanes = access.partitions(consumer, topic, timeout)
                if lanes > 0:
                    sets[topic] = EvalSet(
                        domain, reader, blocks, lanes, masked_in(run, masks, domain)
                    )
                    missing.remove(domain)
                    consumer.incremental_assign(
                        [TopicPartition(topic, lane, BEGINNING) for lane in range(lanes)]
                    )
            if not missing and all(found.complete for found in sets.values()):
                break
            if waiting.over:
                raise EvalSetError(
                    f"held-out blocks did not come within {timeout:g} s: "
                    f"{', '.join(late(sets.values(), missing))}"
                )
            waiting.tell(lambda: late(sets.values(), missing))
            for record in good(consumer.consume(256, 0.1)):
                if sets[record.topic].take(record.partition, record.value):
                    consumer.pause([TopicPartition(record.topic, record.partition)])
    by_domain = {
        domain: sets[access.topics.eval(run.spec["dataset"], domain)]
        for domain in run.present_domains
    }
    return {domain: found.blocks for domain, found in by_domain.items()}
