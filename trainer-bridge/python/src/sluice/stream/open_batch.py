"""A batch of which some sequences have been read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sluice.block.block import Block
from sluice.wire.header import StreamHeader

MOST_SEQUENCES = 1 << 20  # of a batch: no run is given more


class Taken(NamedTuple):
    """A rank's sequences of one batch: ``blocks`` are those of the global indices ``rows``."""

    shape: StreamHeader
    rows: range
    blocks: Sequence[Block]


def consistent(header: StreamHeader) -> bool:
    """Whether a header can be true of any batch."""
    position = header.index - header.first_index
    possible = header.batch >= 1 and header.first_index >= 0
    return possible and 0 <= position < header.batch_size <= MOST_SEQUENCES


class OpenBatch:
    """The rows of one rank in one batch, as far as they were read."""

    def __init__(self, shape: StreamHeader, rows: range) -> None:
        self.shape = shape
        self.rows = rows
        self.filled = 0
        self.bytes = 0
        self._blocks: list[Block | None] = []

    def put(self, index: int, stride: int, blocks: Sequence[Block]) -> int:
        """Fills the rows of the sequences ``index``, ``index + stride`` and so on; their bytes."""
        if not self._blocks:
            self._blocks = [None] * len(self.rows)
        at = index - self.rows.start
        self._blocks[at : at + stride * len(blocks) : stride] = blocks
        self.filled += len(blocks)
        size = sum(len(block.packed) for block in blocks)
        self.bytes += size
        return size

    @property
    def complete(self) -> bool:
        """Whether every row is there."""
        return self.filled == len(self.rows)

    @property
    def end(self) -> int:
        """Global index of the first sequence after the batch."""
        return self.shape.first_index + self.shape.batch_size

    def agrees_with(self, header: StreamHeader) -> bool:
        """Whether a header says the same of the batch."""
        shape = self.shape
        return consistent(header) and (
            header.first_index,
            header.batch_size,
            header.weights_version,
        ) == (shape.first_index, shape.batch_size, shape.weights_version)

    def take(self) -> Taken:
        """Everything, once it is complete; it is not kept."""
        blocks = [block for block in self._blocks if block is not None]
        self._blocks = []
        self.filled = self.bytes = 0
        return Taken(self.shape, self.rows, blocks)

    def __str__(self) -> str:
        return (
            f"batch {self.shape.batch} (sequences {self.shape.first_index} to {self.end - 1}, "
            f"weights version {self.shape.weights_version})"
        )
