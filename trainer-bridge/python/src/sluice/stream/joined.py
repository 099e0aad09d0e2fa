"""Blocks in one array."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from sluice.block.block import Block
from sluice.block.tokens import TokenArray
from sluice.segment.rows import WORD, RowFormat
from sluice.wire.chain import Hashes


class Joined:
    """One copy of blocks of a length, straight from the fetched bytes; there is at least one.

    They lie as rows of segments do, so that what is said of those is computed at once.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        alike = groupby(blocks, key=lambda block: block.width)
        self._parts = [_words(width, list(some)) for width, some in alike]

    @property
    def tokens(self) -> TokenArray:
        """[n, tokens], as wide as the widest block."""
        parts = [lies.of(words) for lies, words in self._parts]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def hashes(self) -> Hashes:
        """[n]: the hash of each block's row."""
        parts = [lies.hashes(words) for lies, words in self._parts]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _words(width: int, blocks: list[Block]) -> tuple[RowFormat, Hashes]:
    size = len(blocks[0].packed)
    lies = RowFormat(size // width, width)
    gap = bytearray(lies.stride - size)
    joined = gap.join([*(block.packed for block in blocks), b""])
    return lies, np.frombuffer(joined, WORD).reshape(len(blocks), -1)
