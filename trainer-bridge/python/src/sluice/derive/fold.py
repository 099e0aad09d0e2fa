"""The fold of a run's control log to the blocks of its batches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sluice.derive.blocks import DomainEnds, StoredBlocks
from sluice.derive.cursor import Cursor, Turn
from sluice.derive.grants import GrantedBatches, Span
from sluice.derive.rows import DerivedRows
from sluice.derive.shuffle import Ints, keyed, shuffled, within
from sluice.errors import StreamCorrupt
from sluice.run.entry import Entry
from sluice.run.rank import TrainerRank

Ends = Callable[[tuple[str, ...]], DomainEnds]
"""What is known of the ends of domains, by their names."""


class Derivation:
    """Which blocks each batch of a run has, as docs/protocol.md derives it.

    It is the fold of those entries of the run's control log that apply. Batches are asked for in
    ascending order, from ``first`` on, and what is granted before the one that was asked for last
    is dropped. Who goes back begins again, at the log's start or at a snapshot before the batch. A
    rewind that takes back what was asked for leads to its own first batch.
    """

    def __init__(self, run_id: str, first: int = 1) -> None:
        self._run_id = run_id
        self._batches = GrantedBatches(first)
        self._blocks: tuple[Turn, StoredBlocks] | None = None

    def begin(self, snapshot: Entry) -> None:
        """Takes a LogSnapshot for all that is before it, whatever was taken so far."""
        self._checked(lambda: self._batches.begin(Turn.of(snapshot)))

    def apply(self, entry: Entry) -> None:
        """Takes the next entry; the first of a run, once more, when its log is read again."""
        if entry.kind == "RunStarted":
            self.begin(entry)
        elif entry.kind == "MixtureGrant":
            self._checked(lambda: self._batches.add(entry))
        elif entry.kind in ("RunRevised", "LogSnapshot"):
            self._checked(lambda: self._batches.turn(Turn.of(entry)))

    def _checked(self, step: Callable[[], None]) -> None:
        try:
            step()
        except StreamCorrupt as error:
            raise StreamCorrupt(f"control log of run {self._run_id}: {error}") from None

    def has(self, batch: int) -> bool:
        """Whether a batch is granted, and is not before the first that this can derive."""
        return self._batches.has(batch)

    def is_past(self, batch: int) -> bool:
        """Whether a batch is before the first that this can derive, once the log has been begun."""
        return self._batches.is_past(batch)

    def derive(self, batch: int, rank: TrainerRank, ends: Ends, most: int = 4096) -> DerivedRows:
        """The sequences that a rank reads of a batch and of those after it.

        Of as many batches as are granted and have together at most ``most`` sequences of all ranks,
        but of one at least. ``batch`` is one that this ``has``, at or after the one asked for last.
        Where a domain is not known to have ended, an ordinal stands for the block of that number,
        or, if its blocks are in place, for one that no domain has: whoever finds no such block asks
        again once the domain's end is known.
        """
        if not self.has(batch):
            raise ValueError(
                f"batch {batch} of run {self._run_id} cannot be derived: the last granted one is "
                f"{self._batches.last}"
            )
        self._checked(lambda: self._batches.go_to(batch))
        return self._derive(self._batches.cursor, self._batches.span(most), rank, ends)

    def _derive(self, at: Cursor, span: Span, rank: TrainerRank, ends: Ends) -> DerivedRows:
        turn, first = at.turn, at.first_index
        sizes = span.counts.sum(axis=1, dtype=np.int64)
        first_indices = first + np.cumsum(sizes) - sizes
        shares = at.shares(span.counts)
        index = first + np.arange(int(sizes.sum()))
        lane = index % turn.lanes
        position = within(sizes)
        domain = _orders(turn, at.batch + 1, shares, lane, position)
        part = lane * len(turn.domains) + domain
        ordinal = _ordinals(part, at.ordinals.ravel())
        rows = np.array([len(rank.rows(at.batch + 1 + i, int(n))) for i, n in enumerate(sizes)])
        starts = np.concatenate(([0], np.cumsum(rows)))
        if rank.world_size > 1:
            mine = position // np.repeat(rows, sizes) == rank.rank
            index, lane, domain, part, ordinal = (
                each[mine] for each in (index, lane, domain, part, ordinal)
            )
        block = self._stored(turn).blocks(part, ordinal, ends(turn.domains))
        return DerivedRows(
            turn.timeline,
            at.batch + 1,
            turn.domains,
            first_indices,
            sizes,
            span.versions,
            starts,
            index,
            domain,
            lane,
            ordinal,
            block,
        )

    def _stored(self, turn: Turn) -> StoredBlocks:
        known = self._blocks
        if known is not None and (known[0].seed, known[0].domains) == (turn.seed, turn.domains):
            stored = known[1]
        else:
            stored = StoredBlocks(turn.seed, turn.lanes, len(turn.domains))
        self._blocks = turn, stored
        return stored


def _orders(turn: Turn, batch: int, shares: Ints, lane: Ints, position: Ints) -> Ints:
    """The domain of each sequence of some batches, from ``batch`` on."""
    batches, lanes, domains = shares.shape
    parts = batches * lanes
    ascending = np.repeat(np.tile(np.arange(domains), parts), shares.ravel())
    lengths = shares.sum(axis=2).ravel()
    numbers = batch + np.arange(batches)
    if lanes == 1:
        return shuffled(ascending, lengths, keyed(turn.seed, turn.timeline, numbers))
    of_lane = np.tile(np.arange(lanes), batches)
    states = keyed(turn.seed, turn.timeline, np.repeat(numbers, lanes), of_lane)
    dealt = shuffled(ascending, lengths, states)
    begins = np.cumsum(lengths) - lengths
    of_batch = np.repeat(np.arange(batches), shares.sum(axis=(1, 2)))
    ordered: Ints = dealt[begins[of_batch * lanes + lane] + position // lanes]
    return ordered


def _ordinals(part: Ints, following: Ints) -> Ints:
    """The ordinal of each sequence: the next one of its part at the first, then one more each."""
    narrow = part.astype(np.uint16) if following.size <= 1 << 16 else part
    order = np.argsort(narrow, kind="stable")  # by radix where it is narrow
    grouped = part[order]
    begins = np.flatnonzero(np.diff(grouped, prepend=-1))
    lengths = np.diff(begins, append=part.size)
    ordinal = np.empty(part.size, dtype=np.int64)
    ordinal[order] = following[grouped] + within(lengths)
    return ordinal
