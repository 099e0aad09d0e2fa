"""How blocks lie as rows, and the hash by which every row that is read is checked.

Version 1 of the hash, modulo 2^64, of a row as little-endian words of 8 bytes::

    c(j)    mix(j * 9E3779B97F4A7C15) | 1
    hash    mix(word(1) * c(1) + word(2) * c(2) + ...)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sluice.wire.chain import GOLDEN, Hashes, mix_all

WORD = np.dtype("<u8")


@dataclass(frozen=True)
class RowFormat:
    """Rows of ``tokens``, one more than a block's labels, of ``width`` bytes each, 2 or 4, and
    zeros up to a multiple of 8 bytes."""

    tokens: int
    width: int

    def __post_init__(self) -> None:
        if self.tokens < 2 or self.width not in (2, 4):
            raise ValueError(
                "a row must have at least 2 tokens of 2 or 4 bytes: "
                f"found {self.tokens} of {self.width}"
            )

    @property
    def bytes(self) -> int:
        """Bytes of a row's tokens."""
        return self.tokens * self.width

    @property
    def words(self) -> int:
        """Words of 8 bytes from a row to the next."""
        return (self.bytes + 7) // 8

    @property
    def stride(self) -> int:
        """Bytes from a row to the next, where its segment does not say another number."""
        return self.words * 8

    def hashes(self, rows: Hashes) -> Hashes:
        """The hash of each of ``rows`` [n, words]."""
        # numpy's loop for einsum is quicker than its one for the product of integer matrices.
        sums: Hashes = np.einsum("ij,j->i", rows, _factors(self.words))
        return mix_all(sums)

    def of(self, rows: Hashes) -> NDArray[Any]:
        """The tokens [n, tokens] of ``rows`` [n, words]: a view of them."""
        return rows.view(np.dtype(f"<u{self.width}"))[:, : self.tokens]


@lru_cache(maxsize=16)
def _factors(words: int) -> Hashes:
    numbers = np.arange(1, words + 1, dtype=np.uint64)
    return mix_all(numbers * np.uint64(GOLDEN)) | np.uint64(1)
