"""The blocks of one run, usable or masked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sluice.block import cursor, tokens
from sluice.block.block import MASKED_DOMAIN, Block, BlockIdentity
from sluice.errors import WireFormatError
from sluice.run.info import RunInfo
from sluice.wire import chain

_LOG = logging.getLogger("sluice")


class BlockReader:
    """Reads the blocks of one run.

    An encoding that cannot be used (corrupt, of another dataset, of another shape) becomes a
    masked block: skipping it would make the stream depend on who reads it. A run may be given
    further domains: ``learn`` is asked for all of them at the first block of one that is unknown.
    """

    learn: Callable[[], Sequence[str]]

    def __init__(self, run: RunInfo) -> None:
        self._fingerprint = run.fingerprint
        self._length = run.sequence_length
        self._width = run.token_width
        size = (self._length + 1) * self._width
        self._shape = cursor.encoded_integer(self._width) + cursor.encoded_integer(size)
        self._name_at = len(cursor.encoded_start(run.fingerprint, "")) - 1
        self._unknown: set[str] = set()
        self.undecodable = 0
        self.learn = lambda: run.domains
        self._know(run.domains)

    def _know(self, domains: Sequence[str]) -> None:
        """Takes the run's domains; they only ever grow."""
        self._domains = {name: i for i, name in enumerate(domains)}
        hashes = [chain.domain_hash(self._fingerprint, name) for name in domains]
        self._hashes = np.array(hashes, dtype=np.uint64)
        self._starts = {
            cursor.encoded_start(self._fingerprint, name): i for i, name in enumerate(domains)
        }

    def read(self, encoded: bytes) -> Block:
        """The block, or a masked one, which is counted; its tokens are a view of the bytes."""
        try:
            return self._usual(encoded) or self._usable(encoded)
        except (WireFormatError, ValueError) as error:
            self.undecodable += 1
            _LOG.warning("a block cannot be used and is handed on masked: %s", error)
            return Block(
                domain=MASKED_DOMAIN,
                lane=0,
                ordinal=-1,
                width=self._width,
                packed=memoryview(bytes((self._length + 1) * self._width)),
                document_lengths=(self._length + 1,),
                mask_runs=(0, self._length),
            )

    def identify(self, encoded: bytes) -> BlockIdentity:
        """The identity of a block that another rank trains on, without reading its tokens."""
        try:
            return self._identity(cursor.read_start(encoded))
        except (WireFormatError, ValueError):
            return BlockIdentity(MASKED_DOMAIN, 0, -1)

    def _usual(self, encoded: bytes) -> Block | None:
        """A block as nearly all of a run are, recognized by its bytes; None for any other."""
        try:
            at = self._name_at
            at += 1 + (encoded[at] >> 1)
            domain = self._starts.get(encoded[:at])
            if domain is None:
                return None
            lane, at = cursor.integer(encoded, at)
            ordinal, at = cursor.integer(encoded, at)
            if not encoded.startswith(self._shape, at):
                return None
            at += len(self._shape)
            end = at + (self._length + 1) * self._width
            lengths, runs = cursor.read_tail(encoded, end)
        except IndexError:
            return None
        packed = memoryview(encoded)[at:end]
        if self._width > 2:
            tokens.decode(encoded, self._width, at, end - at)  # fails for an id that is too large
        return Block(domain, lane, ordinal, self._width, packed, self._whole(lengths), runs)

    def _usable(self, encoded: bytes) -> Block:
        start = cursor.read_start(encoded)
        identity = self._identity(start)
        body = cursor.read_body(encoded, start.end)
        ids = tokens.decode(encoded, body.width, body.at, body.size)
        if ids.size != self._length + 1:
            raise ValueError(f"it has {ids.size} tokens instead of {self._length + 1}")
        packed = memoryview(encoded)[body.at : body.at + body.size]
        lengths = self._whole(body.document_lengths)
        return Block(*identity, body.width, packed, lengths, body.mask_runs)

    def _whole(self, lengths: list[int]) -> list[int]:
        """Document lengths, which must fill the block."""
        if sum(lengths) != self._length + 1 or min(lengths) < 0:
            raise ValueError(
                f"its documents have {sum(lengths)} tokens instead of {self._length + 1}"
            )
        return lengths

    def _identity(self, start: cursor.BlockStart) -> BlockIdentity:
        if start.fingerprint != self._fingerprint:
            raise ValueError(
                f"its dataset has fingerprint {start.fingerprint} instead of {self._fingerprint}"
            )
        return BlockIdentity(self._position(start.domain), start.lane, start.ordinal)

    def _position(self, name: str) -> int:
        if name not in self._domains and name not in self._unknown:
            self._unknown.add(name)
            self._know(self.learn())
        if name not in self._domains:
            raise ValueError(f"its domain is not one of the run's: '{name}'")
        return self._domains[name]

    def next_chain(self, value: int, index: int, block: BlockIdentity) -> int:
        """The chain hash after a usable block."""
        domain = int(self._hashes[block.domain])
        return chain.next_chain(value, index, domain, block.lane, block.ordinal)

    def next_chains(
        self, values: chain.Hashes, indices: NDArray[np.int64], blocks: NDArray[np.int64]
    ) -> chain.Hashes:
        """The chain hash after each of n usable blocks, given as identities [n, 3]."""
        hashes = self._hashes[blocks[:, 0]]
        lanes, ordinals = blocks[:, 1].astype(np.uint64), blocks[:, 2].astype(np.uint64)
        return chain.next_chains(values, indices, hashes, lanes, ordinals)
