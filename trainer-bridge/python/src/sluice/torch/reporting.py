"""What a PyTorch trainer owes its run after each step."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import torch
from torch import nn

from sluice.errors import InvalidFeedback
from sluice.feedback.reporter import FeedbackReporter
from sluice.feedback.steps import Measure, StepReporter
from sluice.run.info import RunInfo
from sluice.stream.loader import Loader
from sluice.torch.held_out import FollowingHeldOut
from sluice.torch.measures import Align, Evaluate, ModelMeasures
from sluice.torch.modes import Forward, logits
from sluice.wire.metrics import (
    ALIGNMENT,
    ALIGNMENTS,
    EVAL_LOSS,
    GRADIENT_NORM,
    LEARNING_RATE,
    PERPLEXITY,
    TRAIN_LOSS,
)


class StepFeedback(StepReporter):
    """Measures what the run's specification asks for, and reports the progress after each step.

    ``evaluate`` gives the held-out losses, :class:`DomainEvaluator`; ``align`` maps a draw's number
    to an alignment, :class:`GradientAlignment`; with ``train_loss`` the losses that are given to
    :meth:`rows` are sent; ``learning_rate`` gives the optimizer's; ``measures`` are functions for
    other metrics, as in :class:`sluice.StepReporter`. What is given is measured when the run waits
    for it, and when its rounds close, whatever they wait for; held-out losses of step 0 are sent
    under every policy. A run that waits for something else is refused. A run may be given domains
    while it goes on, or evaluation sets of another size: ``renew`` then makes another ``evaluate``
    for it. It may be given a policy that waits for alignments: ``realign`` makes them then, or
    gives None where it cannot. All ranks of a world make the same calls.
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
        align: Align | None = None,
        train_loss: bool = False,
        learning_rate: Callable[[], float] | None = None,
        measures: Mapping[str, Measure] | None = None,
        renew: Callable[[RunInfo], Evaluate] | None = None,
        realign: Callable[[RunInfo], Align | None] | None = None,
        progress_every: int = 1,
        feedback: FeedbackReporter | None = None,
    ) -> None:
        own = ModelMeasures(steps, evaluate, align, train_loss, learning_rate, renew, realign)
        self._aligns_beside = align is not None
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
        of its gradients' alignments, when the run waits for them, also under a policy that it is
        given later.

        The first ``blocks`` held-out blocks of each domain are evaluated, shared out among the
        ranks: by default as many as the run says, 64 where it leaves them open. Alignments are with
        the run's target domains, or with ``targets`` where it leaves them open, or does not say
        what it waits for. ``rows`` and ``forward`` are those of :class:`DomainEvaluator`;
        ``settings`` are this class's own.
        """
        held_out = FollowingHeldOut(steps, model, blocks, targets, rows, forward)
        if "align" not in settings:
            settings["realign"] = held_out.alignment
            if not steps.run.keeps_metrics:
                settings["align"] = held_out.alignment(steps.run)
        return cls(
            steps,
            evaluate=held_out.evaluation(steps.run),
            renew=held_out.evaluation,
            **settings,
        )

    def rows(self, losses: Any, batch: Mapping[str, Any]) -> None:
        """Takes the losses [n] of a micro-batch, each the sum over its row's labels in nats.

        ``batch`` is what :func:`sluice.torch.tensors` gave. Nothing is waited for, but for the
        1,024th micro-batch since the last report.
        """
        self._own.rows(losses, batch)

    def _missing(self, run: RunInfo) -> list[str]:
        missing = super()._missing(run)
        aligned = [name for name in ALIGNMENTS if name in run.metrics and name in self._own.by_name]
        if aligned and not self._own.aligns(run):
            missing = sorted({*missing, *aligned})
        return missing

    def _is_beside(self, run: RunInfo, name: str) -> bool:
        """Alignments cost gradients: they are measured beside each other alone, unless whoever made
        this gave them."""
        if name in ALIGNMENTS and not self._aligns_beside:
            return any(other in run.metrics for other in ALIGNMENTS)
        return super()._is_beside(run, name)

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
