"""One sequence of a run's stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sluice.block import tokens

MASKED_DOMAIN = -1


class Block(NamedTuple):
    """One sequence: L + 1 tokens, and which of its L labels are trained.

    ``domain`` is the position in the run's domains, or :data:`MASKED_DOMAIN`. ``packed`` are the
    tokens in ``width`` bytes each, little-endian. ``document_lengths`` are the tokens of each
    document in order; they sum to L + 1. ``mask_runs`` are the run lengths of
    :func:`sluice.block.tokens.trained`. ``produced_at`` is when the block was committed, in
    milliseconds since the epoch, 0 when that is not known.
    """

    domain: int
    lane: int
    ordinal: int
    width: int
    packed: memoryview
    document_lengths: Sequence[int]
    mask_runs: Sequence[int] | None
    produced_at: int

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
