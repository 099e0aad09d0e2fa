"""What a PyTorch trainer owes its run after each step."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import torch
from torch import nn

from sluice.errors import InvalidFeedback
from sluice.evaluation.held_out import HeldOut, ProbeBatches
from sluice.evaluation.sets import eval_sets
from sluice.feedback.reporter import FeedbackReporter
from sluice.feedback.steps import Measure, StepReporter
from sluice.run.info import RunInfo
from sluice.stream.loader import Loader
from sluice.torch.alignment import Alignment, GradientAlignment
from sluice.torch.evaluation import DomainEvaluator
from sluice.torch.measures import Evaluate, ModelMeasures
from sluice.torch.modes import Forward, logits
from sluice.wire.metrics import (
    ALIGNMENT,
    EVAL_LOSS,
    GRADIENT_NORM,
    LEARNING_RATE,
    PERPLEXITY,
    TRAIN_LOSS,
)

_EVAL_BLOCKS = 64
_POOL_BLOCKS = 32


class StepFeedback(StepReporter):
    """Measures what the run's specification asks for, and reports the progress after each step.

    ``evaluate`` gives the held-out losses, :class:`DomainEvaluator`; ``align`` maps a draw's number
    to an alignment, :class:`GradientAlignment`; with ``train_loss`` the losses that are given to
    :meth:`rows` are sent; ``learning_rate`` gives the optimizer's; ``measures`` are functions for
    other metrics, as in :class:`sluice.StepReporter`. What is given is measured when the run waits
    for it, and when its rounds close, whatever they wait for; held-out losses of step 0 are sent
    under every policy. A run that waits for something else is refused. A run may be given domains
    while it goes on: ``renew`` then makes another ``evaluate`` for it. All ranks of a world make
    the same calls.
    """

    _ways: ClassVar[Mapping[str, str]] = {
        EVAL_LOSS: "evaluate=DomainEvaluator(...)",
        PERPLEXITY: "evaluate=DomainEvaluator(...)",
        TRAIN_LOSS: "train_loss=True",
        ALIGNMENT: "align=GradientAlignment(...)",
        GRADIENT_NORM: "align=GradientAlignment(...)",
        LEARNING_RATE: "learning_rate=lambda: optimizer.param_groups[0]['lr']",
    }

    def __init__(
        self,
        steps: Loader,
        *,
        evaluate: Evaluate | None = None,
        align: Callable[[int], Alignment] | None = None,
        train_loss: bool = False,
        learning_rate: Callable[[], float] | None = None,
        measures: Mapping[str, Measure] | None = None,
        renew: Callable[[RunInfo], Evaluate] | None = None,
        progress_every: int = 1,
        feedback: FeedbackReporter | None = None,
    ) -> None:
        own = ModelMeasures(steps, evaluate, align, train_loss, learning_rate, renew)
        self._own = own
        super().__init__(
            steps,
            own.by_name | dict(measures or {}),
            nonce=_shared_nonce(steps.rank.world_size),
            progress_every=progress_every,
            feedback=feedback,
            beside=frozenset(own.by_name) - {PERPLEXITY},
        )

    @classmethod
    def evaluating(
        cls,
        steps: Loader,
        model: nn.Module,
        *,
        blocks: int | None = None,
        targets: Sequence[str] = (),
        rows: int = 8,
        forward: Forward = logits,
        **settings: Any,
    ) -> StepFeedback:
        """Feedback of a model's held-out losses, also for domains that the run is given later; and
        of its gradients' alignments, when the run waits for them.

        The first ``blocks`` held-out blocks of each domain are evaluated, shared out among the
        ranks: by default as many as the run says, 64 where it leaves them open. Alignments are with
        the run's target domains, or with ``targets`` where it leaves them open, or does not say
        what it waits for. ``rows`` and ``forward`` are those of :class:`DomainEvaluator`;
        ``settings`` are this class's own.
        """

        def divided(run: RunInfo, more: int, towards: Sequence[str]) -> HeldOut:
            evaluated, access = blocks or run.eval_blocks or _EVAL_BLOCKS, steps.access
            wanted = evaluated + more
            found = eval_sets(run, wanted, access.bootstrap, access.prefix, config=access.config)
            return HeldOut.divided(found, evaluated, towards)

        def evaluator(held_out: HeldOut) -> Evaluate:
            sets = held_out.evaluated
            return DomainEvaluator(model, sets, dp=steps.rank, rows=rows, forward=forward)

        run = steps.run
        required = [run.metrics[name] for name in (ALIGNMENT, GRADIENT_NORM) if name in run.metrics]
        towards = next((metric.targets for metric in required if metric.targets), tuple(targets))
        waits = bool(required) or not run.keeps_metrics
        aligns = waits and bool(towards) and "align" not in settings
        pool = max(_POOL_BLOCKS, run.probe_blocks) if aligns else 0
        held_out = divided(run, pool, towards if aligns else ())
        if aligns:
            probes = ProbeBatches(held_out.pools, run.probe_blocks)
            settings["align"] = GradientAlignment(
                model, held_out.target, probes, rows=rows, forward=forward
            )
        return cls(
            steps,
            evaluate=evaluator(held_out),
            renew=lambda later: evaluator(divided(later, 0, ())),
            **settings,
        )

    def rows(self, losses: Any, batch: Mapping[str, Any]) -> None:
        """Takes the losses [n] of a micro-batch, each the sum over its row's labels in nats.

        ``batch`` is what :func:`sluice.torch.tensors` gave. Nothing is waited for, but for the
        1,024th micro-batch since the last report.
        """
        self._own.rows(losses, batch)

    def _measure(self, run: RunInfo, step: int, trainer_step: int | None) -> None:
        try:
            super()._measure(run, step, trainer_step)
        finally:
            self._own.forget()


def _shared_nonce(world: int) -> str:
    """All ranks of a measurement name it alike, and a restarted trainer names it anew."""
    nonce = [uuid.uuid4().hex]
    if world > 1:
        if not torch.distributed.is_initialized():
            raise InvalidFeedback(
                f"{world} ranks must agree on the names of their measurements: "
                "call torch.distributed.init_process_group first"
            )
        torch.distributed.broadcast_object_list(nonce, src=0)
    return nonce[0]
