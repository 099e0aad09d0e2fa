"""The blocks of one run, usable or masked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sluice.block import avro, tokens
from sluice.block.block import MASKED_DOMAIN, Block, BlockIdentity
from sluice.block.layout import LAYOUTS, BlockLayout, BlockStart, layout_of
from sluice.errors import WireFormatError
from sluice.run.info import RunInfo
from sluice.wire import chain

_LOG = logging.getLogger("sluice")
_PREFIX = 10  # bytes, which name the schema
_MOST_UNKNOWN = 1024  # names


class BlockReader:
    """Reads the blocks of one run.

    An encoding that cannot be used (corrupt, of another dataset, of another shape) becomes a
    masked block: skipping it would make the stream depend on who reads it. A run may be given
    further domains: ``learn`` is asked for all of them at the first block of one that is unknown,
    for up to 1024 names that turn out to be none of the run's.
    """

    learn: Callable[[], Sequence[str]]

    def __init__(self, run: RunInfo) -> None:
        self._fingerprint = run.fingerprint
        self._length = run.sequence_length
        self._width = run.token_width
        self._size = size = (self._length + 1) * self._width
        self._shape = avro.encoded_integer(self._width) + avro.encoded_integer(size)
        self._name_at = _PREFIX + len(avro.encoded_integer(self._fingerprint))
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
            lies.encoded_start(self._fingerprint, name): (i, lies)
            for lies in LAYOUTS.values()
            if lies.is_plain
            for i, name in enumerate(domains)
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
                packed=memoryview(bytes(self._size)),
                document_lengths=(self._length + 1,),
                mask_runs=(0, self._length),
                produced_at=0,
            )

    def identify(self, encoded: bytes) -> BlockIdentity:
        """The identity of a block that another rank trains on, without reading its tokens."""
        try:
            found = self._glance(encoded)
            if found is not None:
                return BlockIdentity(*found[:3])
            return self._identity(layout_of(encoded).start(encoded))
        except (WireFormatError, ValueError, IndexError):
            return BlockIdentity(MASKED_DOMAIN, 0, -1)

    def _glance(self, encoded: bytes) -> tuple[int, int, int, int, BlockLayout] | None:
        """Domain, lane and ordinal of a block as nearly all of a run are, where its next field
        starts, and its layout, recognized by its bytes; None for any other."""
        at = self._name_at
        at += 1 + (encoded[at] >> 1)
        found = self._starts.get(encoded[:at])
        if found is None:
            return None
        lane, at = avro.integer(encoded, at)
        ordinal, at = avro.integer(encoded, at)
        return found[0], lane, ordinal, at, found[1]

    def _usual(self, encoded: bytes) -> Block | None:
        """A block as nearly all of a run are; None for any other."""
        try:
            found = self._glance(encoded)
            if found is None:
                return None
            domain, lane, ordinal, at, lies = found
            if not encoded.startswith(self._shape, at):
                return None
            at += len(self._shape)
            end = at + self._size
            lengths, ids_at, runs, produced_at = lies.tail(encoded, end)
        except IndexError:
            return None
        self._require_filled(lengths)
        packed = memoryview(encoded)[at:end]
        if self._width > 2:
            tokens.decode(encoded, self._width, at, end - at)  # fails for an id that is too large
        return Block(domain, lane, ordinal, self._width, packed, lengths, runs, produced_at, ids_at)

    def _usable(self, encoded: bytes) -> Block:
        lies = layout_of(encoded)
        start = lies.start(encoded)
        identity = self._identity(start)
        width, at, size, lengths, ids_at, runs, produced_at = lies.body(encoded, start.end)
        ids = tokens.decode(encoded, width, at, size)
        if ids.size != self._length + 1:
            raise ValueError(f"it has {ids.size} tokens instead of {self._length + 1}")
        self._require_filled(lengths)
        packed = memoryview(encoded)[at : at + size]
        return Block(*identity, width, packed, lengths, runs, produced_at, ids_at)

    def _require_filled(self, lengths: list[int]) -> None:
        if sum(lengths) != self._length + 1 or min(lengths) < 0:
            raise ValueError(
                f"its documents have {sum(lengths)} tokens instead of {self._length + 1}"
            )

    def _identity(self, start: BlockStart) -> BlockIdentity:
        if start.fingerprint != self._fingerprint:
            raise ValueError(
                f"its dataset has fingerprint {start.fingerprint} instead of {self._fingerprint}"
            )
        return BlockIdentity(self._position(start.domain), start.lane, start.ordinal)

    def _position(self, name: str) -> int:
        known = self._domains, self._unknown
        if not any(name in some for some in known) and len(self._unknown) < _MOST_UNKNOWN:
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
