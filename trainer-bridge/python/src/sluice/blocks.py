"""The blocks of one run, usable or masked."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sluice import chain, cursor, tokens
from sluice.errors import WireFormatError
from sluice.runs import RunInfo

_LOG = logging.getLogger("sluice")
MASKED_DOMAIN = -1


class BlockIdentity(NamedTuple):
    """What the chain hash covers of a block: the position of its domain, its lane, its ordinal."""

    domain: int
    lane: int
    ordinal: int


@dataclass(frozen=True, slots=True)
class Block:
    """One sequence: L + 1 tokens, and which of its L labels are trained.

    ``domain`` is the position in the run's domains, or :data:`MASKED_DOMAIN`. ``document_lengths``
    are the tokens of each document in order; they sum to L + 1. ``mask_runs`` are the run lengths
    of :func:`sluice.tokens.trained`.
    """

    domain: int
    lane: int
    ordinal: int
    tokens: tokens.TokenArray
    document_lengths: Sequence[int]
    mask_runs: Sequence[int] | None

    @property
    def usable(self) -> bool:
        """False for a block that stands in for bytes that could not be used."""
        return self.domain != MASKED_DOMAIN

    @property
    def identity(self) -> BlockIdentity:
        """What the chain hash covers."""
        return BlockIdentity(self.domain, self.lane, self.ordinal)

    @property
    def loss_mask(self) -> NDArray[np.bool_]:
        """Which of the L labels count in the loss."""
        return tokens.trained(self.tokens.size - 1, self.mask_runs)


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
        self._width = run.token_width
        self.undecodable = 0

    def read(self, encoded: bytes) -> Block:
        """The block, or a masked one, which is counted; its tokens are a view of the bytes."""
        try:
            return self._usable(encoded)
        except (WireFormatError, ValueError) as error:
            self.undecodable += 1
            _LOG.warning("a block cannot be used and is handed on masked: %s", error)
            return Block(
                domain=MASKED_DOMAIN,
                lane=0,
                ordinal=-1,
                tokens=np.zeros(self._length + 1, dtype=tokens.dtype(self._width)),
                document_lengths=(self._length + 1,),
                mask_runs=(0, self._length),
            )

    def identify(self, encoded: bytes) -> BlockIdentity | None:
        """The identity of a block that another rank trains on, without reading its tokens.

        None when the block cannot be used.
        """
        try:
            return self._identity(cursor.read_start(encoded))
        except (WireFormatError, ValueError):
            return None

    def _usable(self, encoded: bytes) -> Block:
        start = cursor.read_start(encoded)
        identity = self._identity(start)
        body = cursor.read_body(encoded, start.end)
        ids = tokens.decode(encoded, body.width, body.at, body.size)
        if ids.size != self._length + 1:
            raise ValueError(f"it has {ids.size} tokens instead of {self._length + 1}")
        lengths = body.document_lengths
        whole = sum(lengths) == ids.size and min(lengths) >= 0
        return Block(*identity, ids, lengths if whole else (ids.size,), body.mask_runs)

    def _identity(self, start: cursor.BlockStart) -> BlockIdentity:
        if start.fingerprint != self._fingerprint:
            raise ValueError(
                f"its dataset has fingerprint {start.fingerprint} instead of {self._fingerprint}"
            )
        return BlockIdentity(self._position(start.domain), start.lane, start.ordinal)

    def _position(self, name: str) -> int:
        domain = self._domains.get(name)
        if domain is None:
            raise ValueError(f"its domain is not one of the run's: '{name}'")
        return domain

    def next_chain(self, value: int, index: int, block: BlockIdentity) -> int:
        """The chain hash after a usable block."""
        return chain.next_chain(value, index, self._hashes[block.domain], block.lane, block.ordinal)
