"""What a PyTorch trainer can measure of its model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch

from sluice.errors import InvalidFeedback
from sluice.feedback.losses import DomainSums, train_loss
from sluice.feedback.perplexity import perplexities
from sluice.feedback.steps import Due, Measure
from sluice.feedback.totals import DomainTotals
from sluice.run.info import RunInfo
from sluice.stream.loader import Loader
from sluice.torch.alignment import Alignment
from sluice.torch.evaluation import merge_over_ranks
from sluice.wire.metrics import (
    ALIGNMENT,
    ALIGNMENTS,
    EVAL_LOSS,
    GRADIENT_NORM,
    LEARNING_RATE,
    PERPLEXITY,
    TRAIN_LOSS,
)

Totals = Mapping[str, tuple[float, int]]
Evaluate = Callable[[], Totals]
Align = Callable[[int], Alignment]

_MOST_WAITING = 1024  # micro-batches whose losses are still on their device


class ModelMeasures:
    """The functions of :class:`sluice.torch.StepFeedback`, by metric; one evaluation or alignment
    serves every metric of its step."""

    def __init__(
        self,
        steps: Loader,
        evaluate: Evaluate | None,
        align: Align | None,
        train_loss: bool,
        learning_rate: Callable[[], float] | None,
        renew: Callable[[RunInfo], Evaluate] | None,
        realign: Callable[[RunInfo], Align | None] | None,
    ) -> None:
        self._steps = steps
        self._renew = renew
        self._realign = realign
        self._known = steps.run.domain_names
        self._blocks = steps.run.eval_blocks
        self._align = align
        self._aligned_for: RunInfo | None = None
        self._found: dict[str, Any] = {}
        self._waiting: list[tuple[Any, Any, Any]] = []
        self._trained = DomainSums(steps.run.domains)
        self.by_name: dict[str, Measure] = {}
        if evaluate is not None:
            self._evaluate = evaluate
            self.by_name |= {EVAL_LOSS: self._losses, PERPLEXITY: self._perplexities}
        if align is not None or realign is not None:
            self.by_name |= {ALIGNMENT: self._alignments, GRADIENT_NORM: self._norms}
        if learning_rate is not None:
            self._learning_rate = learning_rate
            self.by_name[LEARNING_RATE] = self._rate
        if train_loss:
            self.by_name[TRAIN_LOSS] = self._sums

    def forget(self) -> None:
        """The step is over: the model is about to change."""
        self._found.clear()

    def _once(self, what: str, measure: Callable[[], Any]) -> Any:
        if what not in self._found:
            self._found[what] = measure()
        return self._found[what]

    def _losses(self, due: Due) -> Totals:
        found: Totals = self._once(EVAL_LOSS, self._evaluation(due.run))
        return found

    def _evaluation(self, run: RunInfo) -> Evaluate:
        """The evaluation of a run that may have been given domains, or sets of another size, since
        the last one."""
        added = [name for name in run.present_domains if name not in self._known]
        if added and self._renew is None:
            raise InvalidFeedback(
                f"run {run.run_id} was given {', '.join(added)} and waits for their held-out "
                "losses: give StepFeedback "
                "renew=lambda run: DomainEvaluator(model, eval_sets(run))"
            )
        if self._renew is not None and (added or run.eval_blocks != self._blocks):
            self._known, self._blocks = run.domain_names, run.eval_blocks
            self._evaluate = self._renew(run)
        return self._evaluate

    def _perplexities(self, due: Due) -> Totals:
        losses = self._losses(due)
        alone = self._steps.rank.world_size == 1
        return perplexities(losses if alone else _over_ranks(due.run, losses))

    def _aligned(self, due: Due) -> Alignment | None:
        """None for a policy whose alignments cannot be made, which was said when it was set."""
        align = self._alignment(due.run)
        if align is None:
            return None
        every = due.metric.every or due.run.update_every
        draw = due.step // every if every else 0
        found: Alignment = self._once(ALIGNMENT, partial(align, draw))
        return found

    def aligns(self, run: RunInfo) -> bool:
        """Whether the alignments that a run waits for can be measured."""
        return self._alignment(run) is not None

    def _alignment(self, run: RunInfo) -> Align | None:
        """The alignment of a run whose policy may have been set since the last one."""
        waits = any(name in run.metrics for name in ALIGNMENTS)
        if self._realign is not None and waits and run is not self._aligned_for:
            self._align, self._aligned_for = None, run
            self._align = self._realign(run)
        return self._align

    def _alignments(self, due: Due) -> Totals:
        found = self._aligned(due) if _is_asked_for(due) else None
        return {} if found is None else found.measurement()

    def _norms(self, due: Due) -> Totals:
        found = self._aligned(due) if _is_asked_for(due) else None
        return {} if found is None else found.sizes()

    def _rate(self, due: Due) -> Totals:
        return DomainTotals.uniform(due.metric.of or due.run.domains, self._learning_rate())

    def rows(self, losses: Any, batch: Mapping[str, Any]) -> None:
        """Takes the losses [n] of a micro-batch, each the sum over its row's labels."""
        if TRAIN_LOSS in self.by_name:
            counts = batch["loss_mask"].sum(dim=1)
            self._waiting.append((losses.detach(), batch["domains"], counts))
            if len(self._waiting) == _MOST_WAITING:
                self._add_up(self._steps.run)

    def _add_up(self, run: RunInfo) -> None:
        self._trained = self._trained.widened(run.domains)
        waiting, self._waiting = self._waiting, []
        if waiting:
            losses, domains, counts = (torch.cat(column) for column in zip(*waiting, strict=True))
            self._trained.merge([train_loss(losses, domains, counts, run.domains)])

    def _sums(self, due: Due) -> Totals:
        self._add_up(due.run)
        found, self._trained = self._trained, DomainSums(due.run.domains)
        return found.totals()


def _is_asked_for(due: Due) -> bool:
    """Whether what is aligned is what the metric is of: where alignments are of distributions,
    nobody asked for the norms of these."""
    metrics = due.run.metrics
    of = next((metrics[name].of for name in ALIGNMENTS if name in metrics), ())
    return due.metric.of == of


def _over_ranks(run: RunInfo, losses: Totals) -> Totals:
    sums = DomainSums(run.domains)
    for place, name in enumerate(run.domains):
        if name in losses:
            sums.add(place, *losses[name])
    return merge_over_ranks(sums).totals()
