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
from sluice.stream.trained import TrainedRows
from sluice.torch.held_out import FollowingHeldOut
from sluice.torch.measures import Align, Evaluate, ModelMeasures
from sluice.torch.modes import Forward, logits
from sluice.wire.metrics import (
    ALIGNMENT,
    ALIGNMENTS,
    EVAL_LOSS,
    EXCESS_LOSS,
    GRADIENT_MOMENT,
    GRADIENT_NORM,
    GRADIENT_PRODUCT,
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
    gives None where it cannot. ``trained`` is a sample of the rows trained on, which is kept up and
    is in :meth:`state_dict`. All ranks of a world make the same calls.
    """

    _ways: ClassVar[Mapping[str, str]] = {
        EVAL_LOSS: "evaluate=DomainEvaluator(...)",
        PERPLEXITY: "evaluate=DomainEvaluator(...)",
        TRAIN_LOSS: "train_loss=True",
        ALIGNMENT: "align=GradientAlignment(...)",
        GRADIENT_NORM: "align=GradientAlignment(...)",
        GRADIENT_MOMENT: "StepFeedback.evaluating(...)",
        GRADIENT_PRODUCT: "StepFeedback.evaluating(...)",
        LEARNING_RATE: "learning_rate=lambda: optimizer.param_groups[0]['lr']",
        EXCESS_LOSS: "the model to compare with, StepFeedback.evaluating(..., reference=MODEL)",
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
        trained: TrainedRows | None = None,
        progress_every: int = 1,
        feedback: FeedbackReporter | None = None,
    ) -> None:
        own = ModelMeasures(steps, evaluate, align, train_loss, learning_rate, renew, realign)
        self._aligns_beside = align is not None
        self._own = own
        self._trained = trained
        super().__init__(
            steps,
            own.by_name | dict(measures or {}),
            nonce=_shared_nonce(steps.rank.world_size),
            progress_every=progress_every,
            feedback=feedback,
            beside=frozenset(own.by_name) - {PERPLEXITY},
        )
        if trained is not None:
            steps.watch(trained.handed_out)

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
        max_norm: float | None = None,
        reference: nn.Module | None = None,
        **settings: Any,
    ) -> StepFeedback:
        """Feedback of a model's held-out losses, also for domains that the run is given later; and
        of its gradients' alignments, or their products in pairs, when the run waits for them, also
        under a policy that it is given later; and of its losses above those of a ``reference``
        model.

        The first ``blocks`` held-out blocks of each domain are evaluated, shared out among the
        ranks: by default as many as the run says, 64 where it leaves them open. Alignments are with
        the run's target domains, or with ``targets`` where it leaves them open, or does not say
        what it waits for; and of its policy's distributions, where it has some. Gradients are
        clipped to ``max_norm``, by default 1, or not where the policy's ``clip-gradients`` is
        false. ``rows`` and ``forward`` are those of :class:`DomainEvaluator`; ``settings`` are this
        class's own.

        Probe batches are drawn from a sample of what was trained on, at most 32 sequences of each
        domain or those of a probe batch, and 32,768 in all; from held-out blocks of a domain that
        was not trained on yet, and of all domains where the policy's ``probes`` is ``held-out``.
        Each rank samples its own rows and reports what it measured on them, and the run takes the
        mean over the ranks. A training that is resumed without :meth:`state_dict` begins with
        held-out blocks again.
        """
        held_out = FollowingHeldOut(
            steps,
            model,
            blocks=blocks,
            targets=targets,
            rows=rows,
            forward=forward,
            max_norm=max_norm,
            reference=reference,
        )
        if "align" not in settings:
            settings["realign"] = held_out.alignment
            if not steps.run.keeps_metrics:
                settings["align"] = held_out.alignment(steps.run)
        measures: dict[str, Measure] = {
            GRADIENT_PRODUCT: held_out.products,
            GRADIENT_MOMENT: held_out.moments,
        }
        if reference is not None:
            measures[EXCESS_LOSS] = held_out.excess_loss
        settings["measures"] = measures | dict(settings.pop("measures", None) or {})
        return cls(
            steps,
            evaluate=held_out.evaluation(steps.run),
            renew=held_out.evaluation,
            trained=held_out.trained,
            **settings,
        )

    def begin(self, batch: int | None = None) -> None:
        """Before the first step, or the first one after a resume, as in
        :class:`sluice.StepReporter`."""
        if self._trained is not None:
            begun = self._steps.batch if batch is None else batch
            self._trained.begin(begun, self._steps.run_at(begun + 1))
        super().begin(batch)

    def after(self, batch: int, trainer_step: int | None = None) -> None:
        """After the optimizer's step on a global batch, as in :class:`sluice.StepReporter`."""
        if self._trained is not None:
            self._trained.follow(self._steps.run_at(batch + 1))
            self._trained.trained(batch)
        super().after(batch, trainer_step)

    def state_dict(self) -> dict[str, Any]:
        """This rank's sample of what was trained on, of plain values: for its own checkpoint, after
        :meth:`after`. Empty where the run needs none."""
        return {} if self._trained is None else self._trained.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on from what :meth:`state_dict` gave to the same rank, before :meth:`begin`."""
        if self._trained is not None:
            self._trained.load_state_dict(state)

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
