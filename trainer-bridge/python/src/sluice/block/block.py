"""One sequence of a run's stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sluice.block import avro, tokens

MASKED_DOMAIN = -1


class Block(NamedTuple):
    """One sequence, or a row of one: L + 1 tokens, and which of its L labels are trained.

    ``domain`` is the position in the run's domains, or :data:`MASKED_DOMAIN`. ``packed`` are the
    tokens in ``width`` bytes each, little-endian. ``document_lengths`` are the tokens of each
    document in order; they sum to L + 1. ``mask_runs`` are the run lengths of
    :func:`sluice.block.tokens.trained`. ``produced_at`` is when the block was committed, in
    milliseconds since the epoch, 0 when that is not known. ``ids_at`` is where the ids of documents
    start in the bytes that ``packed`` is a view of, -1 without any.
    """

    domain: int
    lane: int
    ordinal: int
    width: int
    packed: memoryview
    document_lengths: Sequence[int]
    mask_runs: Sequence[int] | None
    produced_at: int
    ids_at: int = -1

    @property
    def document_ids(self) -> list[bytes]:
        """The id of each document of a whole sequence as UTF-8, empty for padding."""
        return [] if self.ids_at < 0 else avro.texts(bytes(self.packed.obj), self.ids_at)

    def without(self, is_masked: Callable[[bytes], bool]) -> Block:
        """The whole sequence with no label trained whose token, or the token before it, is of a
        document that is masked; itself if it has none. The tokens stay where they are."""
        trained, at = None, 0
        for length, name in zip(self.document_lengths, self.document_ids, strict=False):
            end = at + length
            if length > 0 and name and is_masked(name):
                trained = self.loss_mask.copy() if trained is None else trained
                trained[max(0, at - 1) : end] = False
            at = end
        return self if trained is None else self._replace(mask_runs=tokens.runs(trained))

    @property
    def tokens(self) -> tokens.TokenArray:
        """[L + 1], a view of what was read."""
        return np.frombuffer(self.packed, tokens.dtype(self.width))

    @property
    def usable(self) -> bool:
        """False for a block that stands in for bytes that could not be used."""
        return self.domain != MASKED_DOMAIN

    @property
    def identity(self) -> BlockIdentity:
        """What the chain hash covers."""
        return BlockIdentity(self.domain, self.lane, self.ordinal)

    def rows(self, labels: int) -> list[Block]:
        """The rows of so many labels, a divisor of L, that the block is cut into; itself if it is
        no longer.

        Row i has tokens ``[i * labels, (i + 1) * labels]``: its last one, only a label there, is
        the first of the next. Of documents a row has the parts that lie in it.
        """
        whole = len(self.packed) // self.width - 1
        if whole <= labels:
            return [self]
        if labels < 1 or whole % labels:
            raise ValueError(f"labels of a row must divide the {whole} of its block: {labels}")
        return [self._row(start, labels) for start in range(0, whole, labels)]

    def _row(self, start: int, labels: int) -> Block:
        stop = start + labels
        runs = self.mask_runs
        return self._replace(
            packed=self.packed[start * self.width : (stop + 1) * self.width],
            document_lengths=[
                length for length in within(self.document_lengths, start, stop + 1) if length
            ],
            mask_runs=None if runs is None else within(runs, start, stop),
        )

    @property
    def loss_mask(self) -> NDArray[np.bool_]:
        """Which of the L labels count in the loss."""
        return tokens.trained(len(self.packed) // self.width - 1, self.mask_runs)


class BlockIdentity(NamedTuple):
    """What the chain hash covers of a block: the position of its domain, its lane, its ordinal.

    The domain is :data:`MASKED_DOMAIN` for a block that is not usable.
    """

    domain: int
    lane: int
    ordinal: int


def within(lengths: Sequence[int], start: int, stop: int) -> list[int]:
    """How much of each stretch, which follow each other from 0 on, lies in ``[start, stop)``."""
    found: list[int] = []
    at = 0
    for length in lengths:
        end = at + max(length, 0)
        found.append(max(min(end, stop) - max(at, start), 0))
        at = end
    return found
