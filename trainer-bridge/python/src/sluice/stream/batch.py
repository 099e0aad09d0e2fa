"""One rank's rows of a global batch: an optimizer step of micro-batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

from sluice.run.heaviest import TOP
from sluice.run.info import RunInfo
from sluice.run.mixture import Mixture
from sluice.segment.digest import digests
from sluice.stream.exposed import GRANT, SUPPLY
from sluice.stream.joined import Joined
from sluice.stream.open_batch import Taken
from sluice.stream.rows import Rows, rows_of
from sluice.stream.step_info import DataAge, StepInfo
from sluice.wire.chain import Hashes


@dataclass(frozen=True, eq=False)
class Batch(Rows):
    """Rows of one global batch, in stream order.

    ``domains`` is [n] int64, positions in ``info.domain_names``, -1 for a block that could not be
    used (its labels are all masked). ``index`` is [n] int64: global positions in the stream, the
    same for rows that one sequence was cut into, which follow each other.
    ``produced_at`` is [n] int64: when each block was committed, in milliseconds since the epoch, 0
    when that is not known.
    """

    info: StepInfo
    index: NDArray[np.int64]
    domains: NDArray[np.int64]
    produced_at: NDArray[np.int64]

    @property
    def digest(self) -> int:
        """The digest of this rank's rows of the global batch: see :class:`StepInfo`."""
        return self.info.digest

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        arrays = self.tokens, self.loss_mask, self.index, self.domains, self.produced_at
        return sum(array.nbytes for array in arrays)

    def age(self, now: float) -> DataAge | None:
        """How old the rows are at a time, in seconds since the epoch; None when none tells."""
        known = self.produced_at[self.produced_at > 0]
        if not known.size:
            return None
        seconds = np.maximum(now - known / 1000, 0.0)  # clocks differ
        return DataAge(float(seconds.mean()), float(seconds.max()))

    def metrics(self, top: int | None = TOP) -> dict[str, float]:
        """The step's metrics, as :meth:`StepInfo.metrics` has them."""
        return self.info.metrics(top)

    def rows(self, start: int, stop: int) -> Batch:
        """Some of the rows, as views."""
        return Batch(
            tokens=self.tokens[start:stop],
            loss_mask=self.loss_mask[start:stop],
            document_lengths=self.document_lengths[start:stop],
            info=self.info,
            index=self.index[start:stop],
            domains=self.domains[start:stop],
            produced_at=self.produced_at[start:stop],
        )


class Step(Sequence[Batch]):
    """One optimizer step: this rank's rows of one global batch, as micro-batches.

    All micro-batches have ``micro_batch`` rows but the last, which has what is left. A loss that is
    summed over labels and divided by the labels of the global batch does not depend on how the rows
    are cut, nor on how many ranks share them. ``step.whole.label_counts`` are of this rank's rows:
    with several ranks, :func:`sluice.torch.global_labels` adds up those of all.
    """

    def __init__(self, whole: Batch, micro_batch: int | None = None) -> None:
        size = micro_batch or len(whole)
        self.whole = whole
        self._parts = [whole.rows(at, at + size) for at in range(0, len(whole), size)]

    @property
    def info(self) -> StepInfo:
        """What is known of the global batch."""
        return self.whole.info

    @property
    def batch(self) -> int:
        """Number of the global batch, from 1."""
        return self.whole.info.batch

    def metrics(self, top: int | None = TOP) -> dict[str, float]:
        """Flat, for Weights & Biases or TensorBoard, as :meth:`StepInfo.metrics` has them."""
        return self.whole.info.metrics(top)

    @overload
    def __getitem__(self, item: int) -> Batch: ...
    @overload
    def __getitem__(self, item: slice) -> Sequence[Batch]: ...
    def __getitem__(self, item: int | slice) -> Batch | Sequence[Batch]:
        return self._parts[item]

    def __len__(self) -> int:
        return len(self._parts)

    def __iter__(self) -> Iterator[Batch]:
        return iter(self._parts)


def batch_of(run: RunInfo, taken: Taken, mixture: Mixture | None = None) -> Batch:
    """Puts a rank's rows of one global batch together; there is at least one."""
    labels = run.row_length(taken.shape.batch)
    blocks = [row for block in taken.blocks for row in block.rows(labels)]
    parts, whole = run.sequence_length // labels, Joined(taken.blocks)
    rows = rows_of(blocks, whole.tokens if parts == 1 else None)
    return Batch(
        tokens=rows.tokens,
        loss_mask=rows.loss_mask,
        document_lengths=rows.document_lengths,
        info=StepInfo.of(run, taken.shape, _digest(taken.rows, whole.hashes()), mixture),
        index=np.arange(taken.rows.start, taken.rows.stop, dtype=np.int64).repeat(parts),
        domains=np.array([block.domain for block in blocks], dtype=np.int64),
        produced_at=np.array([block.produced_at for block in blocks], dtype=np.int64),
    )


def _digest(rows: range, hashes: Hashes) -> int:
    index = np.arange(rows.start, rows.stop, dtype=np.int64)
    return int(digests(index, hashes, np.array([0, len(index)]))[0])


def waited(batch: Batch, seconds: float, reason: str, causes: Mapping[str, float]) -> Batch:
    """The batch, with how long it was waited for, and what for."""
    info = replace(batch.info, wait_seconds=seconds, wait_reason=reason, wait_causes=causes)
    return replace(batch, info=info)


def for_supply(batch: Batch) -> Batch:
    """The batch that was not granted for want of documents, if it was not granted."""
    causes = dict(batch.info.wait_causes)
    causes[SUPPLY] = causes.pop(GRANT, 0.0)
    return replace(batch, info=replace(batch.info, wait_causes=causes))


def taken_at(batch: Batch, now: float) -> Batch:
    """The batch, with how old its rows are when the trainer takes it."""
    return replace(batch, info=replace(batch.info, age=batch.age(now)))
