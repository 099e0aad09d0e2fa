"""How many blocks each domain of a run has, once its end is known."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
from confluent_kafka import Consumer, KafkaException, TopicPartition
from numpy.typing import NDArray

from sluice import wire
from sluice.errors import WireFormatError
from sluice.kafka.access import BEGINNING, KafkaAccess, good
from sluice.kafka.log import ends_partition
from sluice.run.info import RunInfo

_MOST_DOMAINS = 1 << 18  # of a dataset: no mixture has more
_AT_ONCE = 500  # records
_FIRST_SECONDS, _POLL_SECONDS = 2.0, 0.05


class Supply:
    """The fold of a dataset's supply records: the first with which a lane ended counts for good."""

    def __init__(self, run: RunInfo) -> None:
        self._fingerprint = run.fingerprint
        self._lanes = int(run.spec["lanes"])
        self._ended: dict[str, dict[int, int]] = defaultdict(dict)

    def take(self, record: wire.Record) -> None:
        """Takes a supply record; only a lane of this dataset that has ended counts."""
        of_this = record["fingerprint"] == self._fingerprint and 0 <= record["lane"] < self._lanes
        room = len(self._ended) < _MOST_DOMAINS or record["domain"] in self._ended
        if of_this and record["ended"] and room:
            self._ended[record["domain"]].setdefault(record["lane"], record["blocks"])

    def blocks(self, domains: Sequence[str]) -> NDArray[np.float64]:
        """[domains]; NaN for a domain that is still prepared, of which nobody knows how many."""
        return np.array([self._blocks(name) for name in domains])

    def _blocks(self, domain: str) -> float:
        lanes = self._ended.get(domain, {})
        return sum(lanes.values()) if len(lanes) == self._lanes else math.nan

    def close(self) -> None:
        """Gives the connection back."""


class KafkaSupply(Supply):
    """A supply that reads its topic to its end at the first look, and what came since at others.

    It serves metrics only, so it waits for two seconds at most, once, and a topic that cannot be
    read tells nothing.
    """

    def __init__(
        self, access: KafkaAccess, run: RunInfo, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(run)
        self._clock = clock
        self._access = access
        self._topic = access.topics.supply(run.spec["dataset"])
        self._consumer: Consumer | None = None

    def blocks(self, domains: Sequence[str]) -> NDArray[np.float64]:
        """[domains]; NaN for a domain that is not known to have ended."""
        found = super().blocks(domains)
        if np.isnan(found).any():
            self._look()
            found = super().blocks(domains)
        return found

    def _look(self) -> None:
        try:
            if self._consumer is None:
                self._read_to_end(self._open())
            else:
                self._read(self._consumer, 0)
        except (KafkaException, WireFormatError):
            return

    def _open(self) -> Consumer:
        opened = self._consumer = self._access.consumer(
            isolation_level="read_committed", enable_partition_eof=True
        )
        opened.assign([TopicPartition(self._topic, 0, BEGINNING)])
        return opened

    def _read_to_end(self, consumer: Consumer) -> None:
        until = self._clock() + _FIRST_SECONDS
        while not self._read(consumer, _POLL_SECONDS) and self._clock() < until:
            pass

    def _read(self, consumer: Consumer, seconds: float) -> bool:
        """Takes what is there; whether that was all."""
        messages = consumer.consume(_AT_ONCE, seconds)
        for record in good(messages):
            self.take(wire.decode_as("Supply", record.value))
        return any(map(ends_partition, messages))

    def close(self) -> None:
        """Gives the connection back."""
        if self._consumer is not None:
            self._consumer.close()
            self._consumer = None
