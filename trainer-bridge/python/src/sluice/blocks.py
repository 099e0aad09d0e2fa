"""The blocks of one run, usable or masked."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sluice import chain, tokens, wire
from sluice.errors import WireFormatError
from sluice.runs import RunInfo

_LOG = logging.getLogger("sluice")
MASKED_DOMAIN = -1


@dataclass(frozen=True, slots=True)
class Block:
    """One sequence: L + 1 tokens, and which of its L labels are trained.

    ``domain`` is the position in the run's domains, or :data:`MASKED_DOMAIN`.
    """

    domain: int
    lane: int
    ordinal: int
    tokens: NDArray[np.int64]
    loss_mask: NDArray[np.bool_]

    @property
    def usable(self) -> bool:
        """False for a block that stands in for bytes that could not be used."""
        return self.domain != MASKED_DOMAIN


class BlockReader:
    """Reads the blocks of one run.

    An encoding that cannot be used (corrupt, of another dataset, of another shape) becomes a
    masked block: skipping it would make the stream depend on who reads it.
    """

    def __init__(self, run: RunInfo) -> None:
        self._domains = {name: i for i, name in enumerate(run.domains)}
        self._hashes = [chain.domain_hash(run.fingerprint, name) for name in run.domains]
        self._fingerprint = run.fingerprint
        self._length = run.sequence_length
        self.undecodable = 0

    def read(self, encoded: bytes) -> Block:
        """The block, or a masked one, which is counted."""
        try:
            return self._usable(wire.decode_as("TokenBlock", encoded))
        except (WireFormatError, ValueError) as error:
            self.undecodable += 1
            _LOG.warning("a block cannot be used and is handed on masked: %s", error)
            return Block(
                domain=MASKED_DOMAIN,
                lane=0,
                ordinal=-1,
                tokens=np.zeros(self._length + 1, dtype=np.int64),
                loss_mask=np.zeros(self._length, dtype=np.bool_),
            )

    def _usable(self, record: wire.Record) -> Block:
        if record["fingerprint"] != self._fingerprint:
            raise ValueError(
                f"its dataset has fingerprint {record['fingerprint']} "
                f"instead of {self._fingerprint}"
            )
        domain = self._domains.get(record["domain"])
        if domain is None:
            raise ValueError(f"its domain is not one of the run's: '{record['domain']}'")
        ids = tokens.decode(record["tokens"], record["tokenWidth"])
        if ids.size != self._length + 1:
            raise ValueError(f"it has {ids.size} tokens instead of {self._length + 1}")
        return Block(
            domain=domain,
            lane=record["lane"],
            ordinal=record["ordinal"],
            tokens=ids,
            loss_mask=tokens.trained(self._length, record["lossMask"]),
        )

    def next_chain(self, value: int, index: int, block: Block) -> int:
        """The chain hash after a usable block."""
        return chain.next_chain(value, index, self._hashes[block.domain], block.lane, block.ordinal)
