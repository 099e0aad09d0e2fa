"""The documents in rows, kept as what sides say of the blocks that the rows are cut of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from sluice.block.block import within
from sluice.segment.sides import RowSides


class DocumentLengths(Sequence[Sequence[int]]):
    """For each row the tokens of each document in it, made when they are asked for."""

    def __init__(self, sides: RowSides, labels: int, parts: int, rows: range | None = None) -> None:
        """Of blocks that are each cut into ``parts`` rows of ``labels`` labels."""
        self._sides, self._labels, self._parts = sides, labels, parts
        self._rows = range(len(sides.parts_end) * parts) if rows is None else rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, item: int) -> Sequence[int]: ...
    @overload
    def __getitem__(self, item: slice) -> Sequence[Sequence[int]]: ...
    def __getitem__(self, item: int | slice) -> Sequence[int] | Sequence[Sequence[int]]:
        if isinstance(item, slice):
            return DocumentLengths(self._sides, self._labels, self._parts, self._rows[item])
        block, part = divmod(self._rows[item], self._parts)
        lengths = self._of(block)
        if self._parts == 1:
            return lengths
        start = part * self._labels
        return [length for length in within(lengths, start, start + self._labels + 1) if length]

    def _of(self, block: int) -> list[int]:
        ends: Any = self._sides.parts_end
        start = ends[block - 1] if block else 0
        lengths: list[int] = self._sides.length[start : ends[block]].tolist()
        return lengths
