"""Held-out blocks of a run whose specification may change, and what is measured on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import nn

from sluice.evaluation.held_out import HeldOut, ProbeBatches
from sluice.evaluation.sets import eval_sets
from sluice.run.info import RunInfo
from sluice.stream.loader import Loader
from sluice.torch.alignment import GradientAlignment
from sluice.torch.evaluation import DomainEvaluator
from sluice.torch.modes import Forward
from sluice.wire.metrics import ALIGNMENTS

_EVAL_BLOCKS = 64
_POOL_BLOCKS = 32


class FollowingHeldOut:
    """A model's evaluation and alignment, for whatever a run's specification asks for.

    The blocks are read from the broker when they are first asked for, and again for a
    specification that needs others. ``blocks`` and ``targets`` are those of
    :meth:`sluice.torch.StepFeedback.evaluating`.
    """

    def __init__(
        self,
        steps: Loader,
        model: nn.Module,
        blocks: int | None,
        targets: Sequence[str],
        rows: int,
        forward: Forward,
    ) -> None:
        self._steps = steps
        self._model = model
        self._blocks = blocks
        self._targets = tuple(targets)
        self._rows = rows
        self._forward = forward
        self._key: tuple[Any, ...] = ()
        self._held_out = HeldOut({}, [], {})

    def targets_of(self, run: RunInfo) -> tuple[str, ...]:
        """The domains that the run's alignments are with; none where it waits for no alignment, or
        nobody names them."""
        required = [run.metrics[name] for name in ALIGNMENTS if name in run.metrics]
        if not required and run.keeps_metrics:
            return ()
        return next((metric.targets for metric in required if metric.targets), self._targets)

    def evaluation(self, run: RunInfo) -> DomainEvaluator:
        """Held-out losses of the domains that the run has."""
        sets = self._read(run).evaluated
        return DomainEvaluator(
            self._model,
            sets,
            dp=self._steps.rank,
            rows=self._rows,
            forward=self._forward,
            row_length=self._row_length,
        )

    def alignment(self, run: RunInfo) -> GradientAlignment | None:
        """Alignments with the run's targets; None where :meth:`targets_of` has none."""
        if not self.targets_of(run):
            return None
        held_out = self._read(run)
        probes = ProbeBatches(held_out.pools, run.probe_blocks)
        return GradientAlignment(
            self._model,
            held_out.target,
            probes,
            rows=self._rows,
            forward=self._forward,
            row_length=self._row_length,
        )

    def _row_length(self) -> int:
        """Measured in rows such as the model was trained on last."""
        return self._steps.row_length

    def _read(self, run: RunInfo) -> HeldOut:
        towards = self.targets_of(run)
        evaluated = self._blocks or run.eval_blocks or _EVAL_BLOCKS
        pool = max(_POOL_BLOCKS, run.probe_blocks) if towards else 0
        key = (tuple(run.present_domains), evaluated, pool, towards)
        if key != self._key:
            access = self._steps.access
            found = eval_sets(
                run, evaluated + pool, access.bootstrap, access.prefix, config=access.config
            )
            self._held_out = HeldOut.divided(found, evaluated, towards)
            self._key = key
        return self._held_out
