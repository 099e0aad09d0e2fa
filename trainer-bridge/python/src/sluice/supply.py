"""How many blocks each domain of a run has, once its end is known."""

from __future__ import annotations

import numpy as np
from confluent_kafka import Consumer, KafkaException, TopicPartition
from numpy.typing import NDArray

from sluice import wire
from sluice.access import BEGINNING, KafkaAccess, good
from sluice.errors import WireFormatError
from sluice.runs import RunInfo


class Supply:
    """The fold of a dataset's supply records."""

    def __init__(self, run: RunInfo) -> None:
        self._domains = {name: i for i, name in enumerate(run.domains)}
        self._fingerprint = run.fingerprint
        self._lanes = np.full((len(self._domains), int(run.spec["lanes"])), np.nan)
        self._blocks: NDArray[np.float64] = self._lanes.sum(axis=1)

    def take(self, record: wire.Record) -> None:
        """Takes a supply record; only a lane of this dataset that has ended counts."""
        domain = self._domains.get(record["domain"])
        of_this = record["fingerprint"] == self._fingerprint and domain is not None
        if of_this and record["ended"] and record["lane"] < self._lanes.shape[1]:
            self._lanes[domain, record["lane"]] = record["blocks"]
            self._blocks = self._lanes.sum(axis=1)

    def blocks(self) -> NDArray[np.float64]:
        """[domains]; NaN for a domain that is not known to have ended."""
        return self._blocks

    def close(self) -> None:
        """Gives the connection back."""


class KafkaSupply(Supply):
    """A supply that reads its topic a little further at each look.

    It serves metrics only, so it never waits, and a topic that cannot be read tells nothing.
    """

    def __init__(self, access: KafkaAccess, run: RunInfo) -> None:
        super().__init__(run)
        self._access = access
        self._topic = access.topics.supply(run.spec["dataset"])
        self._consumer: Consumer | None = None

    def blocks(self) -> NDArray[np.float64]:
        """[domains]; NaN for a domain that is not known to have ended."""
        if np.isnan(self._blocks).any():
            self._look()
        return self._blocks

    def _look(self) -> None:
        if self._consumer is None:
            self._consumer = self._access.consumer(isolation_level="read_committed")
            self._consumer.assign([TopicPartition(self._topic, 0, BEGINNING)])
        try:
            for record in good(self._consumer.consume(500, 0)):
                self.take(wire.decode_as("Supply", record.value))
        except (KafkaException, WireFormatError):
            return

    def close(self) -> None:
        """Gives the connection back."""
        if self._consumer is not None:
            self._consumer.close()
            self._consumer = None
