"""Sequences as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sluice.block import tokens as packed
from sluice.block.block import Block
from sluice.stream.joined import Joined


@dataclass(frozen=True, eq=False)
class Rows:
    """n sequences of L inputs and L labels.

    ``tokens`` is [n, L + 1], uint16 or uint32 as in the stream; label i of a row is token i + 1.
    ``loss_mask`` is [n, L] bool: the labels that count. ``document_lengths`` has, for each row, the
    tokens of each packed document, L + 1 in all.
    """

    tokens: packed.TokenArray
    loss_mask: NDArray[np.bool_]
    document_lengths: Sequence[Sequence[int]]

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def inputs(self) -> packed.TokenArray:
        """[n, L]: a view of all tokens but the last of each row."""
        return self.tokens[:, :-1]

    @property
    def labels(self) -> packed.TokenArray:
        """[n, L]: a view of all tokens but the first of each row, so label i follows input i."""
        return self.tokens[:, 1:]

    def int64(self) -> NDArray[np.int64]:
        """[n, L + 1]: a widened copy of the tokens, for whom unsigned integers are no indices."""
        widened: NDArray[np.int64] = self.tokens.astype(np.int64)
        return widened

    @property
    def label_counts(self) -> NDArray[np.int64]:
        """[n]: labels that count in each row's loss."""
        counts: NDArray[np.int64] = self.loss_mask.sum(axis=1, dtype=np.int64)
        return counts

    @cached_property
    def seq_lens(self) -> NDArray[np.int32]:
        """Inputs of each document, over all rows one after the other; they sum to n * L."""
        lengths: list[int] = []
        for row in self.document_lengths:
            kept = [length for length in row if length > 0]
            kept[-1] -= 1  # the last token is only a label
            lengths += kept if kept[-1] else kept[:-1]
        return np.array(lengths, dtype=np.int32)

    @cached_property
    def cu_seqlens(self) -> NDArray[np.int32]:
        """Where each document starts in the n * L inputs, and n * L: for varlen attention."""
        starts = np.zeros(self.seq_lens.size + 1, dtype=np.int32)
        np.cumsum(self.seq_lens, out=starts[1:])
        return starts

    @cached_property
    def position_ids(self) -> NDArray[np.int32]:
        """[n, L]: the position of each input in its document."""
        starts = np.repeat(self.cu_seqlens[:-1], self.seq_lens)
        positions = np.arange(starts.size, dtype=np.int32) - starts
        return positions.reshape(self.inputs.shape)


def cut(blocks: Sequence[Block], row_length: Callable[[], int] | None) -> list[Block]:
    """The rows of so many labels that blocks are cut into, in their order; without a length, the
    blocks."""
    if row_length is None:
        return list(blocks)
    labels = row_length()
    return [row for block in blocks for row in block.rows(labels)]


def rows_of(blocks: Sequence[Block], tokens: packed.TokenArray | None = None) -> Rows:
    """Puts blocks together, in their order; there is at least one. ``tokens`` are theirs, where
    they are together already."""
    first = blocks[0]
    mask = np.ones((len(blocks), len(first.packed) // first.width - 1), dtype=np.bool_)
    for i, block in enumerate(blocks):
        if block.mask_runs is not None:
            mask[i] = block.loss_mask
    tokens = Joined(blocks).tokens if tokens is None else tokens
    return Rows(tokens, mask, tuple(block.document_lengths for block in blocks))
