"""What a trainer owes its run after each step."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypedDict

import torch
from torch import nn

from sluice.closing import Closing
from sluice.errors import InvalidFeedback
from sluice.evaluation.sets import eval_sets
from sluice.feedback import metrics
from sluice.feedback.losses import DomainSums, train_loss
from sluice.feedback.progress import ProgressReporter
from sluice.feedback.reporter import FeedbackReporter
from sluice.run.info import RunInfo
from sluice.stream.batch import Step
from sluice.stream.loader import Loader
from sluice.torch.alignment import Alignment
from sluice.torch.evaluation import DomainEvaluator, merge_over_ranks
from sluice.torch.modes import Forward, logits

Evaluate = Callable[[], Mapping[str, tuple[float, int]]]

_GIVEN_BY = {
    metrics.EVAL_LOSS: "evaluate=DomainEvaluator(...)",
    metrics.PERPLEXITY: "evaluate=DomainEvaluator(...)",
    metrics.TRAIN_LOSS: "train_loss=True",
    metrics.ALIGNMENT: "align=GradientAlignment(...)",
    metrics.GRADIENT_NORM: "align=GradientAlignment(...)",
    metrics.LEARNING_RATE: "learning_rate=lambda: optimizer.param_groups[0]['lr']",
}
_EVAL_BLOCKS = 64
_LOG = logging.getLogger(__name__)


class _How(TypedDict):
    """How a measurement is named."""

    trainer_step: int | None
    attempt: str


class StepFeedback(Closing):
    """Measures when a round of the run's policy closes, and reports the progress after each step.

    ``evaluate`` gives the held-out losses, :class:`DomainEvaluator`; ``align`` maps a draw's number
    to an alignment, :class:`GradientAlignment`; with ``train_loss`` the losses that are given to
    :meth:`rows` are sent; ``learning_rate`` gives the optimizer's. Held-out losses of step 0 are
    sent under every policy, and perplexities with them for a policy that waits for those. A run
    whose policy waits for something else is refused. A run may be given domains while it goes on:
    ``renew`` then makes another ``evaluate`` for it. All ranks of a world make the same calls.
    """

    def __init__(
        self,
        steps: Loader,
        *,
        evaluate: Evaluate | None = None,
        align: Callable[[int], Alignment] | None = None,
        train_loss: bool = False,
        learning_rate: Callable[[], float] | None = None,
        renew: Callable[[RunInfo], Evaluate] | None = None,
        progress_every: int = 1,
        feedback: FeedbackReporter | None = None,
    ) -> None:
        self._steps = steps
        self._evaluate = evaluate
        self._align = align
        self._train_loss = train_loss
        self._learning_rate = learning_rate
        self._renew = renew
        self._known = steps.run.domain_names
        self._waiting: list[tuple[Any, Any, Any]] = []
        self._require_fits(steps.run)
        self._nonce = _shared_nonce(steps.rank.world_size)
        self._client = feedback or FeedbackReporter(steps)
        self._progress = ProgressReporter(self._client, progress_every)

    @classmethod
    def evaluating(
        cls,
        steps: Loader,
        model: nn.Module,
        *,
        blocks: int | None = None,
        rows: int = 8,
        forward: Forward = logits,
        **settings: Any,
    ) -> StepFeedback:
        """Feedback of a model's held-out losses, also for domains that the run is given later.

        The first ``blocks`` held-out blocks of each domain are evaluated, shared out among the
        ranks: by default as many as the run says, 64 where it leaves them open. ``rows`` and
        ``forward`` are those of :class:`DomainEvaluator`; ``settings`` are this class's own.
        """

        def evaluator(run: RunInfo) -> Evaluate:
            access = steps.access
            sets = eval_sets(
                run,
                blocks or run.eval_blocks or _EVAL_BLOCKS,
                access.bootstrap,
                access.prefix,
                config=access.config,
            )
            return DomainEvaluator(model, sets, dp=steps.rank, rows=rows, forward=forward)

        return cls(steps, evaluate=evaluator(steps.run), renew=evaluator, **settings)

    def __iter__(self) -> Iterator[Step]:
        """The steps that are left, after :meth:`begin`; :meth:`after` follows each of them."""
        self.begin()
        yield from self._steps

    def _require_fits(self, run: RunInfo) -> None:
        given = {
            metrics.EVAL_LOSS: self._evaluate is not None,
            metrics.PERPLEXITY: self._evaluate is not None,
            metrics.TRAIN_LOSS: self._train_loss,
            metrics.ALIGNMENT: self._align is not None,
            metrics.GRADIENT_NORM: self._align is not None,
            metrics.LEARNING_RATE: self._learning_rate is not None,
        }
        missing = sorted(metric for metric in _needed(run) if not given[metric])
        if missing:
            ways = dict.fromkeys(_GIVEN_BY[metric] for metric in missing)
            raise InvalidFeedback(
                f"policy {run.spec['policy']} of run {run.run_id} waits for {', '.join(missing)}: "
                f"give StepFeedback {', '.join(ways)}"
            )
        self._fits = run

    def _follow(self, run: RunInfo) -> None:
        """A policy that is set while the training goes on may wait for something else."""
        if run is not self._fits:
            try:
                self._require_fits(run)
            except InvalidFeedback as error:
                self._fits = run
                _LOG.warning("the run goes on, its rounds do not: %s", error)

    def begin(self, batch: int | None = None) -> None:
        """Before the first step, or the first one after a resume.

        ``batch`` is the last one that was trained on; by default the last that was handed out.
        """
        if batch is None:
            batch = self._steps.batch
        if batch == 0 and self._evaluate is not None:
            self._send_losses(self._steps.run, self._evaluate(), 0, None)
        self._client.progress(batch)

    def rows(self, losses: Any, batch: Mapping[str, Any]) -> None:
        """Takes the losses [n] of a micro-batch, each the sum over its row's labels in nats.

        ``batch`` is what :func:`sluice.torch.tensors` gave. Nothing is waited for.
        """
        if self._train_loss:
            counts = batch["loss_mask"].sum(dim=1)
            self._waiting.append((losses.detach(), batch["domains"], counts))

    def after(self, batch: int, trainer_step: int | None = None) -> None:
        """After the optimizer's step on a global batch."""
        run = self._steps.run_at(batch)
        self._follow(run)
        if run.closes_round(batch):
            self._measure(run, batch, trainer_step)
        self._progress.trained(batch, trainer_step)

    def _measure(self, run: RunInfo, batch: int, trainer_step: int | None) -> None:
        how: _How = {"trainer_step": trainer_step, "attempt": self._attempt(batch)}
        if self._evaluate is not None:
            self._send_losses(run, self._renewed(run, self._evaluate)(), batch, trainer_step)
        if self._align is not None:
            found = self._align(batch // run.update_every)
            self._client.measure(metrics.ALIGNMENT, batch, found.measurement(), **how)
            self._client.measure(metrics.GRADIENT_NORM, batch, found.sizes(), **how)
        if self._learning_rate is not None:
            self._client.learning_rate(batch, self._learning_rate(), **how)
        if self._waiting:
            self._client.train_loss(batch, self._sums(run), **how)

    def _send_losses(
        self,
        run: RunInfo,
        losses: Mapping[str, tuple[float, int]],
        batch: int,
        trainer_step: int | None,
    ) -> None:
        how: _How = {"trainer_step": trainer_step, "attempt": self._attempt(batch)}
        self._client.eval_loss(batch, losses, **how)
        if metrics.PERPLEXITY in _needed(run):
            whole = losses if self._steps.rank.world_size == 1 else _over_ranks(run, losses)
            self._client.perplexity(batch, whole, **how)

    def _renewed(self, run: RunInfo, evaluate: Evaluate) -> Evaluate:
        """The evaluation of a run that may have been given domains since the last one."""
        added = [name for name in run.present_domains if name not in self._known]
        if not added:
            return evaluate
        if self._renew is None:
            raise InvalidFeedback(
                f"run {run.run_id} was given {', '.join(added)} and waits for their held-out "
                "losses: give StepFeedback renew=lambda run: DomainEvaluator(model, eval_sets(run))"
            )
        self._known = run.domain_names
        self._evaluate = self._renew(run)
        return self._evaluate

    def _sums(self, run: RunInfo) -> DomainSums:
        waiting, self._waiting = self._waiting, []
        losses, domains, counts = (torch.cat(column) for column in zip(*waiting, strict=True))
        return train_loss(losses, domains, counts, run.domains)

    def _attempt(self, batch: int) -> str:
        return f"{self._nonce}-{batch}"

    def saved(self, batch: int) -> None:
        """After a checkpoint of a batch was written; waits until its feedback has arrived."""
        self._progress.saved(batch)

    def removed(self, batch: int) -> None:
        """After the checkpoint of a batch was deleted."""
        self._progress.removed(batch)

    def close(self) -> None:
        """Waits a while for what was sent."""
        self._client.close()


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


def _needed(run: RunInfo) -> set[str]:
    return metrics.needed_by(run.spec["policy"], run.spec["policySettings"])


def _over_ranks(
    run: RunInfo, losses: Mapping[str, tuple[float, int]]
) -> Mapping[str, tuple[float, int]]:
    sums = DomainSums(run.domains)
    for place, name in enumerate(run.domains):
        if name in losses:
            sums.add(place, *losses[name])
    return merge_over_ranks(sums).totals()
