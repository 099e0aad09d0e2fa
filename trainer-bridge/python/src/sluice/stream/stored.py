"""Batches of rows that lie in segments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sluice.block.block import MASKED_DOMAIN
from sluice.block.tokens import TokenArray
from sluice.derive.rows import DerivedRows
from sluice.run.info import RunInfo
from sluice.run.mixture import Mixture
from sluice.run.sets import DocumentSet
from sluice.segment.digest import digests
from sluice.segment.reader import StoredRows
from sluice.segment.rows import RowFormat
from sluice.segment.sides import RowSides
from sluice.stream.batch import Batch
from sluice.stream.document_lengths import DocumentLengths
from sluice.stream.step_info import StepInfo

Bools = NDArray[np.bool_]


class DerivedShape(NamedTuple):
    """Which global batch it is."""

    timeline: int
    batch: int
    first_index: int
    batch_size: int
    weights_version: int

    @staticmethod
    def of(derived: DerivedRows, batch: int) -> DerivedShape:
        """That of one of the batches that were derived."""
        i = batch - derived.batch
        first, size = int(derived.first_indices[i]), int(derived.sizes[i])
        return DerivedShape(derived.timeline, batch, first, size, int(derived.versions[i]))


def unusable(sides: RowSides) -> NDArray[np.int64]:
    """Which rows stand in the place of blocks that cannot be used: they are all padding."""
    ends = sides.parts_end
    found = np.flatnonzero(sides.trained == 0)
    alone = ends[found] - np.where(found > 0, ends[found - 1], 0) == 1
    found = found[alone]
    padding: NDArray[np.int64] = found[sides.document[ends[found] - 1] == 0]
    return padding


def batch_of(
    run: RunInfo,
    shape: DerivedShape,
    derived: DerivedRows,
    rows: StoredRows,
    sets: Sequence[DocumentSet],
    mixture: Mixture | None,
) -> Batch:
    """Puts a rank's rows of one global batch together, with no label of documents in ``sets``."""
    of = derived.of(shape.batch)
    index, domains = derived.index[of], derived.domain[of]
    labels = run.row_length(shape.batch)
    parts = run.sequence_length // labels
    mask = _loss_mask(run.sequence_length, rows.sides)
    for i, name in enumerate(derived.domains) if sets else ():
        _mask(mask, np.flatnonzero(domains == i), rows.sides, [one.numbers(name) for one in sets])
    masked = unusable(rows.sides)
    if masked.size:
        domains = domains.copy()
        domains[masked] = MASKED_DOMAIN
        mask[masked] = False
    lies = RowFormat(run.sequence_length + 1, run.token_width)
    return Batch(
        tokens=_cut(lies.of(rows.words), labels, parts),
        loss_mask=mask.reshape(-1, labels),
        document_lengths=DocumentLengths(rows.sides, labels, parts),
        info=StepInfo.of(run, shape, _digest(index, rows), mixture),
        index=index.repeat(parts),
        domains=domains.repeat(parts),
        produced_at=rows.sides.produced.repeat(parts),
    )


def _digest(index: NDArray[np.int64], rows: StoredRows) -> int:
    return int(digests(index, rows.hashes, np.array([0, len(index)]))[0])


def _cut(tokens: TokenArray, labels: int, parts: int) -> TokenArray:
    """Rows of so many labels, whose last token is the first of the next."""
    if parts == 1:
        return tokens
    row, token = tokens.strides
    shape, strides = (len(tokens), parts, labels + 1), (row, labels * token, token)
    cut = np.lib.stride_tricks.as_strided(tokens, shape, strides, writeable=False)
    return cut.reshape(-1, labels + 1)


def _loss_mask(labels: int, sides: RowSides) -> Bools:
    """Which labels of whole rows count."""
    ends, run = sides.runs_end, sides.run
    if ends is None or run is None:
        return np.ones((len(sides.produced), labels), dtype=np.bool_)
    rows = np.arange(ends.size)
    starts = np.append(0, ends[:-1])
    row = np.repeat(rows, ends - starts)
    lengths = np.zeros(run.size + ends.size, dtype=np.int64)  # with one of the rest behind each row
    counts = np.zeros(lengths.size, dtype=np.bool_)
    at = np.arange(run.size) + row
    lengths[at] = run
    counts[at] = (np.arange(run.size) - starts[row]) % 2 == 0
    total = np.append(0, run.cumsum(dtype=np.int64))
    lengths[ends + rows] = labels - (total[ends] - total[starts])
    return np.repeat(counts, lengths).reshape(-1, labels)


def _mask(
    mask: Bools, rows: NDArray[np.int64], sides: RowSides, documents: Sequence[NDArray[np.uint64]]
) -> None:
    """Takes away the labels of parts of those documents: those whose token, or the token before it,
    is of one."""
    wanted = np.concatenate(documents)
    if not wanted.size:
        return
    ends = sides.parts_end
    for row in rows.tolist():
        start = int(ends[row - 1]) if row else 0
        own = slice(start, int(ends[row]))
        document, length = sides.document[own], sides.length[own]
        hit = np.isin(document, wanted) & (document != 0) & (length > 0)
        if hit.any():
            stops = length.cumsum()
            for part in np.flatnonzero(hit).tolist():
                stop = int(stops[part])
                mask[row, max(0, stop - int(length[part]) - 1) : stop] = False
