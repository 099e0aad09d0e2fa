"""One rank's rows of a global batch: an optimizer step of micro-batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from sluice import tokens as packed
from sluice.blocks import Block
from sluice.mixture import Mixture
from sluice.openbatch import Taken
from sluice.runs import RunInfo
from sluice.state import StreamState

_METRICS = "sluice/"


@dataclass(frozen=True, eq=False)
class StepInfo:
    """What every micro-batch of a step knows of its global batch.

    ``batch`` counts from 1, ``size`` is its sequences over all ranks, ``tokens_seen`` are the
    tokens of the run up to its end, ``update_every`` the steps between its policy's rounds, 0 for
    none; all ranks agree on these. ``mixture`` is None when this rank
    could not read the control log. ``wait_seconds`` is how long this rank waited for the step,
    ``wait_reason`` what for.
    """

    run_id: str
    timeline: int
    batch: int
    first_index: int
    size: int
    weights_version: int
    domain_names: tuple[str, ...]
    tokens_seen: int
    update_every: int = 0
    mixture: Mixture | None = None
    wait_seconds: float = 0.0
    wait_reason: str = ""

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """Weight of each domain in this batch; they sum to 1."""
        return None if self.mixture is None else self.mixture.weights

    @property
    def domain_tokens(self) -> NDArray[np.int64] | None:
        """Tokens seen of each domain, up to the end of this batch."""
        return None if self.mixture is None else self.mixture.tokens

    @property
    def epochs(self) -> NDArray[np.float64] | None:
        """Passes over each domain's blocks up to the end of this batch; NaN while its size is
        not known."""
        return None if self.mixture is None else self.mixture.epochs

    @property
    def closes_round(self) -> bool:
        """Whether the policy waits for what is measured after this batch."""
        return self.update_every > 0 and self.batch % self.update_every == 0

    @property
    def end(self) -> StreamState:
        """The state of a trainer that has trained on this batch."""
        return StreamState(self.run_id, self.timeline, self.batch, self.first_index + self.size)

    def metrics(self) -> dict[str, float]:
        """Flat, for Weights & Biases or TensorBoard."""
        flat: dict[str, float] = {
            "batch": self.batch,
            "timeline": self.timeline,
            "weights_version": self.weights_version,
            "tokens_seen": self.tokens_seen,
            "wait_seconds": self.wait_seconds,
        }
        if self.mixture is not None:
            per_domain = {
                "weight": self.mixture.weights,
                "tokens": self.mixture.tokens,
                "epochs": self.mixture.epochs,
            }
            for what, values in per_domain.items():
                for name, value in zip(self.domain_names, values.tolist(), strict=True):
                    if value == value:  # not NaN
                        flat[f"{what}/{name}"] = value
        return {_METRICS + key: value for key, value in flat.items()}


@dataclass(frozen=True, eq=False)
class Rows:
    """n sequences of L inputs and L labels.

    ``tokens`` is [n, L + 1], uint16 or uint32 as in the stream; label i of a row is token i + 1.
    ``loss_mask`` is [n, L] bool: the labels that count. ``document_lengths`` has, for each row, the
    tokens of each packed document, L + 1 in all.
    """

    tokens: packed.TokenArray
    loss_mask: NDArray[np.bool_]
    document_lengths: tuple[Sequence[int], ...]

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

    def torch(self, device: Any = None, pin: bool = False) -> dict[str, Any]:
        """Tensors for a model; see :func:`sluice.torch.tensors`."""
        from sluice.torch import tensors

        return tensors(self, device=device, pin=pin)


@dataclass(frozen=True, eq=False)
class Batch(Rows):
    """Rows of one global batch, in stream order.

    ``domains`` is [n] int64, positions in ``info.domain_names``, -1 for a block that could not be
    used (its labels are all masked). ``index`` is [n] int64: global positions in the stream.
    """

    info: StepInfo
    index: NDArray[np.int64]
    domains: NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self.tokens.nbytes + self.loss_mask.nbytes + self.index.nbytes + self.domains.nbytes

    def metrics(self) -> dict[str, float]:
        """The step's metrics."""
        return self.info.metrics()

    def rows(self, start: int, stop: int) -> Batch:
        """Some of the rows, as views."""
        return Batch(
            tokens=self.tokens[start:stop],
            loss_mask=self.loss_mask[start:stop],
            document_lengths=self.document_lengths[start:stop],
            info=self.info,
            index=self.index[start:stop],
            domains=self.domains[start:stop],
        )


class Step(Sequence[Batch]):
    """One optimizer step: this rank's rows of one global batch, as micro-batches.

    All micro-batches have ``micro_batch`` rows but the last, which has what is left. A loss that is
    summed over labels and divided by the labels of the step (``step.whole.label_counts.sum()``)
    does not depend on how the rows are cut.
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

    def metrics(self) -> dict[str, float]:
        """Flat, for Weights & Biases or TensorBoard."""
        return self.whole.info.metrics()

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


def rows_of(blocks: Sequence[Block]) -> Rows:
    """Puts blocks together, in their order; there is at least one."""
    first = blocks[0]
    mask = np.ones((len(blocks), len(first.packed) // first.width - 1), dtype=np.bool_)
    for i, block in enumerate(blocks):
        if block.mask_runs is not None:
            mask[i] = block.loss_mask
    return Rows(_joined(blocks), mask, tuple(block.document_lengths for block in blocks))


def _joined(blocks: Sequence[Block]) -> packed.TokenArray:
    """[n, L + 1]: one copy, straight from the fetched bytes; as wide as the widest block."""
    widths = {block.width for block in blocks}
    if len(widths) > 1:
        return np.stack([block.tokens.astype(packed.dtype(max(widths))) for block in blocks])
    joined = bytearray().join([block.packed for block in blocks])
    return np.frombuffer(joined, packed.dtype(widths.pop())).reshape(len(blocks), -1)


def batch_of(run: RunInfo, taken: Taken, mixture: Mixture | None = None) -> Batch:
    """Puts a rank's rows of one global batch together; there is at least one."""
    shape, rows = taken.shape, rows_of(taken.blocks)
    return Batch(
        tokens=rows.tokens,
        loss_mask=rows.loss_mask,
        document_lengths=rows.document_lengths,
        info=StepInfo(
            run_id=run.run_id,
            timeline=shape.timeline,
            batch=shape.batch,
            first_index=shape.first_index,
            size=shape.batch_size,
            weights_version=shape.weights_version,
            domain_names=run.domains,
            tokens_seen=(shape.first_index + shape.batch_size) * run.sequence_length,
            update_every=run.update_every,
            mixture=mixture,
        ),
        index=np.arange(taken.rows.start, taken.rows.stop, dtype=np.int64),
        domains=np.array([block.domain for block in taken.blocks], dtype=np.int64),
    )


def waited(batch: Batch, seconds: float, reason: str) -> Batch:
    """The batch, with how long it was waited for."""
    return replace(batch, info=replace(batch.info, wait_seconds=seconds, wait_reason=reason))
