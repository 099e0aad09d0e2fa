"""Held-out losses of every domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from sluice.block.block import Block
from sluice.errors import EvalSetError
from sluice.feedback.losses import DomainSums
from sluice.feedback.totals import DomainTotals
from sluice.run.rank import TrainerRank
from sluice.stream.rows import cut, rows_of
from sluice.torch.modes import (
    Forward,
    buffers_of,
    device_of,
    label_losses,
    logits,
    passed,
    untouched,
    unwrapped,
)
from sluice.torch.tensors import tensors


class DomainEvaluator:
    """Evaluates a model on the held-out blocks of each domain, weighted by tokens.

    ``eval_sets`` is what :func:`sluice.eval_sets` gave. Rank r of W evaluates every W-th block;
    the sums of all ranks are those of one. ``row_length`` gives the labels of the rows that blocks
    are cut into, such as a loader's when it is asked; without it they are not cut. ``rows`` rows
    are passed at a time. ``forward`` maps
    (model, tensors) to logits [n, L, vocabulary], by default ``model(inputs)``. The model's modes,
    its buffers and the random state are left as they were.
    """

    def __init__(
        self,
        model: nn.Module,
        eval_sets: Mapping[str, Sequence[Block]],
        *,
        dp: Any = (0, 1),
        rows: int = 8,
        forward: Forward = logits,
        row_length: Callable[[], int] | None = None,
    ) -> None:
        own = TrainerRank.of(dp)
        if rows < 1:
            raise ValueError(f"rows must be at least 1: {rows}")
        self._model = unwrapped(model)
        self._rows = rows
        self._forward = forward
        self._row_length = row_length
        self._sets = {
            domain: list(blocks)[own.rank :: own.world_size] for domain, blocks in eval_sets.items()
        }
        self._domains = tuple(self._sets)
        if not any(self._sets.values()):
            raise EvalSetError(
                f"rank {own.rank} of {own.world_size} has no held-out block: "
                f"ask eval_sets for at least {own.world_size} blocks"
            )

    def sums(self) -> DomainSums:
        """Sum of the losses in nats and count of the labels for each domain, of this rank."""
        found = DomainSums(self._domains)
        device = device_of(self._model)
        buffers = buffers_of(self._model)
        with untouched(self._model), torch.no_grad():
            for position, every in enumerate(self._sets.values()):
                blocks = cut(every, self._row_length)
                for at in range(0, len(blocks), self._rows):
                    rows = rows_of(blocks[at : at + self._rows])
                    batch = tensors(rows, device)
                    scores = passed(self._model, self._forward, buffers, batch)
                    losses = label_losses(scores, batch)
                    counts = rows.label_counts.tolist()
                    for loss, count in zip(losses.double().tolist(), counts, strict=True):
                        found.add(position, loss, count)
        return found

    def __call__(self) -> DomainTotals:
        """The sums as :meth:`sluice.FeedbackReporter.eval_loss` takes them."""
        return self.sums().totals()


def merge_over_ranks(sums: DomainSums, group: Any = None) -> DomainSums:
    """The sums of all ranks of a process group, the same bits on each of them."""
    world = torch.distributed.get_world_size(group)
    gathered = [sums.empty() for _ in range(world)]
    torch.distributed.all_gather_object(gathered, sums, group=group)
    return sums.empty().merge(gathered)
