"""Which block each ordinal of a run stands for: section 11 of docs/protocol.md."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sluice.derive.shuffle import Ints, keyed, shuffled, within

UNKNOWN = 1 << 62
"""In the place of a block that follows from what is not known yet; none has this number."""

_CHUNK = 64
_NONE = -1


class DomainEnds(NamedTuple):
    """What is known of the ends of lanes' parts of domains, as arrays [lanes, domains].

    ``blocks`` are those of parts that have ended, 0 of others; ``in_place`` says whether a part's
    are in files of others, which nobody has shuffled.
    """

    blocks: Ints
    in_place: NDArray[np.bool_]


class StoredBlocks:
    """The blocks of a run of ``parts`` = lanes x domains, a part being a lane's of a domain.

    Of each part that is read again it keeps the present chunk, and of those with more than one the
    order of the epoch's chunks. Not thread-safe.
    """

    def __init__(self, seed: int, lanes: int, domains: int) -> None:
        parts = lanes * domains
        self._seed = seed
        lane, domain = np.divmod(np.arange(parts, dtype=np.int64), domains)
        self._words = domain + (lane << np.int64(32))
        self._epoch = np.full(parts, _NONE, dtype=np.int64)
        self._chunk = np.full(parts, _NONE, dtype=np.int64)
        self._inside = np.zeros((parts, _CHUNK), dtype=np.int64)
        self._ordered = np.full(parts, _NONE, dtype=np.int64)  # the epoch whose chunks are known
        self._place = np.full(parts, _NONE, dtype=np.int64)  # where they begin in what follows
        self._last = np.zeros(parts, dtype=np.int64)  # the place of the one that may be shorter
        self._chunks = np.zeros(0, dtype=np.int64)

    def blocks(self, part: Ints, ordinal: Ints, ends: DomainEnds) -> Ints:
        """The block of each ordinal, which ascend within a part, or UNKNOWN."""
        size, in_place = ends.blocks.ravel()[part], ends.in_place.ravel()[part]
        block = np.where(in_place & (size == 0), UNKNOWN, ordinal)
        later = np.flatnonzero((size > 0) & (in_place | (ordinal >= size)))
        if not later.size:
            return block
        later = later[np.argsort(part[later], kind="stable")]
        block[later] = self._later(part[later], ordinal[later], size[later])
        return block

    def _later(self, part: Ints, ordinal: Ints, size: Ints) -> Ints:
        epoch, position = np.divmod(ordinal, size)
        chunk, inside = self._locate(part, epoch, position, size)
        new = np.ones(part.size, dtype=bool)
        new[1:] = (np.diff(part) | np.diff(epoch) | np.diff(chunk)) != 0
        first = np.flatnonzero(new)
        group = np.cumsum(new) - 1
        known = (self._epoch[part] == epoch) & (self._chunk[part] == chunk)
        found = self._inside[part, inside]
        fresh = first[~known[first]]
        if fresh.size:
            lengths = np.minimum(size[fresh] - chunk[fresh] * _CHUNK, _CHUNK)
            states = keyed(self._seed, self._words[part[fresh]], epoch[fresh], chunk[fresh] + 1)
            orders = shuffled(within(lengths), lengths, states)
            starts = np.zeros(first.size, dtype=np.int64)
            starts[~known[first]] = np.cumsum(lengths) - lengths
            lack = ~known
            found[lack] = orders[starts[group[lack]] + inside[lack]]
            self._keep(part[fresh], epoch[fresh], chunk[fresh], lengths, orders)
        return chunk * _CHUNK + found

    def _keep(self, part: Ints, epoch: Ints, chunk: Ints, lengths: Ints, orders: Ints) -> None:
        """Keeps the last chunk of each part."""
        last = np.ones(part.size, dtype=bool)
        last[:-1] = part[1:] != part[:-1]
        self._epoch[part[last]], self._chunk[part[last]] = epoch[last], chunk[last]
        rows = np.repeat(last, lengths)
        self._inside[np.repeat(part, lengths)[rows], within(lengths)[rows]] = orders[rows]

    def _locate(self, part: Ints, epoch: Ints, position: Ints, size: Ints) -> tuple[Ints, Ints]:
        """The chunk of each position, and the place in it."""
        chunk, inside = np.zeros_like(part), position.copy()
        left = np.flatnonzero(size > _CHUNK)
        while left.size:
            ready = self._ordered[part[left]] == epoch[left]
            at = left[ready]
            left = left[~ready]
            chunk[at], inside[at] = self._chunk_of(part[at], position[at], size[at])
            if left.size:
                first = np.ones(left.size, dtype=bool)
                first[1:] = part[left[1:]] != part[left[:-1]]
                self._order(part[left[first]], epoch[left[first]], size[left[first]])
        return chunk, inside

    def _chunk_of(self, part: Ints, position: Ints, size: Ints) -> tuple[Ints, Ints]:
        shorter = (size - 1) % _CHUNK + 1
        begin = self._last[part] * _CHUNK
        behind = position >= begin + shorter  # the one that may be shorter
        even = position + np.where(behind, _CHUNK - shorter, 0)
        place, inside = np.divmod(even, _CHUNK)
        return self._chunks[self._place[part] + place], inside

    def _order(self, part: Ints, epoch: Ints, size: Ints) -> None:
        """Puts the chunks of some epochs in order."""
        counts = (size + _CHUNK - 1) // _CHUNK
        chunks = shuffled(within(counts), counts, keyed(self._seed, self._words[part], epoch, 0))
        unknown = self._place[part] == _NONE
        ends = self._chunks.size + np.cumsum(counts[unknown])
        self._place[part[unknown]] = ends - counts[unknown]
        self._chunks = np.append(self._chunks, np.zeros(counts[unknown].sum(), dtype=np.int64))
        places = within(counts)
        self._chunks[np.repeat(self._place[part], counts) + places] = chunks
        self._last[part] = places[chunks == np.repeat(counts - 1, counts)]
        self._ordered[part] = epoch
