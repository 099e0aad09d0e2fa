"""Blocks to measure on of a run whose specification may change, and what is measured on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torch import nn

from sluice.block.block import Block
from sluice.evaluation.distributions import distribution_pools
from sluice.evaluation.held_out import HeldOut, ProbeBatches
from sluice.evaluation.probes import ProbeOptions
from sluice.evaluation.sets import eval_sets
from sluice.feedback.steps import Due
from sluice.feedback.totals import DomainTotals
from sluice.run.info import RunInfo
from sluice.stream.loader import Loader
from sluice.stream.rows import cut
from sluice.stream.trained import TrainedRows
from sluice.torch.alignment import Alignment, GradientAlignment
from sluice.torch.evaluation import DomainEvaluator
from sluice.torch.excess import ExcessLoss
from sluice.torch.measures import Align
from sluice.torch.modes import Forward
from sluice.torch.moments import GradientMoments
from sluice.torch.products import GradientProducts
from sluice.wire.metrics import (
    ALIGNMENTS,
    EXCESS_LOSS,
    GRADIENT_MOMENT,
    GRADIENT_PRODUCT,
    PAIR,
    SQUARE,
    VARIANCE,
)

_EVAL_BLOCKS = 64
_POOL_BLOCKS = 32
_MOST_TRAINED = 32_768


class FollowingHeldOut:
    """A model's evaluation and alignment, for whatever a run's specification asks for.

    The blocks are read from the broker when they are first asked for, and again for a
    specification that needs others. ``trained`` is the sample of what was trained on that probe
    batches are drawn from. The arguments are those of :meth:`sluice.torch.StepFeedback.evaluating`.
    """

    def __init__(
        self,
        steps: Loader,
        model: nn.Module,
        *,
        blocks: int | None,
        targets: Sequence[str],
        rows: int,
        forward: Forward,
        max_norm: float | None,
        reference: nn.Module | None,
    ) -> None:
        self._steps = steps
        self._model = model
        self._blocks = blocks
        self._targets = tuple(targets)
        self._rows = rows
        self._forward = forward
        self._max_norm = max_norm
        self._excess = None
        if reference is not None:
            self._excess = ExcessLoss(model, reference, rows=rows, forward=forward)
        self._key: tuple[Any, ...] = ()
        self._held_out = HeldOut({}, [], {})
        self.trained = TrainedRows(steps.run, self._wanted)

    def targets_of(self, run: RunInfo) -> tuple[str, ...]:
        """The domains that the run's alignments are with; none where it waits for no alignment, or
        nobody names them."""
        required = [run.metrics[name] for name in ALIGNMENTS if name in run.metrics]
        if not required and run.keeps_metrics:
            return ()
        return next((metric.targets for metric in required if metric.targets), self._targets)

    def _wanted(self, run: RunInfo) -> int:
        """Sequences of each domain to keep of what is trained on; bounded for many domains."""
        probed = self._probes(run) and ProbeOptions.of(run).training
        if not probed and (self._excess is None or EXCESS_LOSS not in run.metrics):
            return 0
        return max(run.probe_blocks, min(_POOL_BLOCKS, _MOST_TRAINED // len(run.domains)))

    def _probes(self, run: RunInfo) -> bool:
        """Whether gradients of the run's domains are taken."""
        others = (GRADIENT_PRODUCT, GRADIENT_MOMENT)
        return bool(self.targets_of(run)) or any(name in run.metrics for name in others)

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

    def alignment(self, run: RunInfo) -> Align | None:
        """Alignments of the run's domains, or of its policy's distributions, with its targets; None
        where :meth:`targets_of` has none."""
        if not self.targets_of(run):
            return None
        held_out, options = self._read(run), ProbeOptions.of(run)
        max_norm = self._clipped(options)

        def probes() -> ProbeBatches:
            pools = self._pools(held_out.pools, options.training)
            of = next((run.metrics[name].of for name in ALIGNMENTS if name in run.metrics), ())
            return self._batches(run, distribution_pools(run, of, pools) if of else pools)

        def align(draw: int) -> Alignment:
            measure = GradientAlignment(
                self._model,
                held_out.target,
                probes().batch(draw),
                max_norm=max_norm,
                rows=self._rows,
                forward=self._forward,
                row_length=self._row_length,
            )
            return measure()

        probes()  # what cannot be measured is said before the training
        return align

    def _clipped(self, options: ProbeOptions) -> float | None:
        return 1.0 if self._max_norm is None and options.clip else self._max_norm

    def products(self, due: Due) -> DomainTotals:
        """Inner products of the gradients of the pairs that a run waits for, or of every two
        domains, where it does not say; with targets, the first of each is one."""
        run, metric = due.run, due.metric
        held_out, options = self._read(run), ProbeOptions.of(run)
        targets = {name: held_out.apart(name) for name in metric.targets}
        found = GradientProducts(
            self._model,
            self._drawn(due),
            targets or None,
            max_norm=self._clipped(options),
            rows=self._rows,
            forward=self._forward,
            row_length=self._row_length,
        )
        every = [(one, other) for one in held_out.pools for other in held_out.pools]
        named = [(one, other) for one, _, other in (name.partition(PAIR) for name in metric.of)]
        gone = set(run.domains) - set(run.present_domains)
        products = found(pair for pair in named or every if not gone.intersection(pair))
        names = [f"{one}{PAIR}{other}" for one, other in products]
        return DomainTotals(names, list(products.values()), [1] * len(names))

    def _drawn(self, due: Due) -> dict[str, list[Block]]:
        """The probe blocks of a step."""
        training = ProbeOptions.of(due.run).training
        batches = self._batches(due.run, self._pools(self._read(due.run).pools, training))
        return batches.batch(due.step // due.metric.every if due.metric.every else 0)

    def moments(self, due: Due) -> DomainTotals:
        """The squared norm and the noise of each domain's gradient."""
        found = GradientMoments(
            self._model,
            self._drawn(due),
            rows=self._rows,
            forward=self._forward,
            row_length=self._row_length,
        )()
        values = {f"{SQUARE}{PAIR}{name}": of.square for name, of in found.items()}
        values |= {f"{VARIANCE}{PAIR}{name}": of.variance for name, of in found.items()}
        wanted = {name: values[name] for name in due.metric.of or values if name in values}
        return DomainTotals(list(wanted), list(wanted.values()), [1] * len(wanted))

    def excess_loss(self, due: Due) -> DomainTotals:
        """Losses above the reference's, on what was trained on in place of the batch itself, on
        which the model has just been trained."""
        assert self._excess is not None
        pools = self._pools(self._read(due.run).evaluated, training=True)
        draw = due.step // due.metric.every if due.metric.every else 0
        return self._excess(self._batches(due.run, pools).batch(draw))

    def _pools(self, held_out: Mapping[str, list[Block]], training: bool) -> dict[str, list[Block]]:
        labels = self._row_length()
        if training:
            return self.trained.over(held_out, labels)
        return {domain: cut(blocks, self._row_length) for domain, blocks in held_out.items()}

    def _batches(self, run: RunInfo, pools: Mapping[str, list[Block]]) -> ProbeBatches:
        parts = run.sequence_length // self._row_length()
        return ProbeBatches(pools, run.probe_blocks * parts)

    def _row_length(self) -> int:
        """Measured in rows such as the model was trained on last."""
        return self._steps.row_length

    def _read(self, run: RunInfo) -> HeldOut:
        towards = self.targets_of(run)
        evaluated = self._blocks or run.eval_blocks or _EVAL_BLOCKS
        pool = max(_POOL_BLOCKS, run.probe_blocks) if self._probes(run) else 0
        key = (tuple(run.present_domains), evaluated, pool, towards)
        if key != self._key:
            access = self._steps.access
            found = eval_sets(
                run, evaluated + pool, access.bootstrap, access.prefix, config=access.config
            )
            self._held_out = HeldOut.divided(found, evaluated, towards)
            self._key = key
        return self._held_out
