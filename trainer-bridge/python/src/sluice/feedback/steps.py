"""What a trainer owes its run after each step."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from sluice.closing import Closing
from sluice.errors import EvalSetError, InvalidFeedback
from sluice.feedback.progress import ProgressReporter
from sluice.feedback.reporter import FeedbackReporter
from sluice.run.info import RunInfo
from sluice.run.metric import RequiredMetric
from sluice.stream.batch import Step
from sluice.stream.loader import Loader
from sluice.wire.metrics import EVAL_LOSS

_LOG = logging.getLogger("sluice")


@dataclass(frozen=True)
class Due:
    """A measurement that is to be made: of a metric, after ``step`` batches of a run."""

    step: int
    run: RunInfo
    metric: RequiredMetric


Measure = Callable[[Due], Mapping[str, tuple[float, int]]]
"""Measures: maps what is measured, such as a domain, to a sum and a count; nothing is not sent."""


class StepReporter(Closing):
    """Measures what the run's specification asks for, and reports the progress after each step.

    ``measures`` are functions that measure, by the metric's name on the wire: each is called with
    a :class:`Due` at the steps at which the run waits for its metric, whatever jar the policy that
    needs it came from. A run that waits for a metric without a function is refused. All ranks of a
    world make the same calls and share ``nonce``, which names their measurements.

    .. code-block:: python

        def tokens_per_word(due):
            return {domain: (tokens, words) for domain, (tokens, words) in counted.items()}

        with sluice.StepReporter(steps, {"tokens_per_word": tokens_per_word}) as feedback:
            for step in feedback:
                train(step)
                feedback.after(step.batch)
    """

    _ways: ClassVar[Mapping[str, str]] = {}
    """How a function is given, by metric, where it is not by ``measures``."""

    def __init__(
        self,
        steps: Loader,
        measures: Mapping[str, Measure],
        *,
        nonce: str | None = None,
        progress_every: int = 1,
        feedback: FeedbackReporter | None = None,
        beside: frozenset[str] = frozenset(),
    ) -> None:
        """``beside`` are metrics that are measured when a round closes although the run does not
        wait for them; of held-out losses those of step 0, too."""
        self._steps = steps
        self._measures = dict(measures)
        self._beside = beside
        self._warned = False
        self._require_fits(steps.run)
        if nonce is None and steps.rank.world_size > 1:
            raise InvalidFeedback(
                f"{steps.rank.world_size} ranks must agree on the names of their measurements: "
                "give all of them the same nonce"
            )
        self._nonce = nonce or uuid.uuid4().hex
        self._reporter = feedback or FeedbackReporter(steps)
        self._progress = ProgressReporter(self._reporter, progress_every)
        steps.announce(self._measures)

    def __iter__(self) -> Iterator[Step]:
        """The steps that are left, after :meth:`begin`; :meth:`after` follows each of them."""
        self.begin()
        yield from self._steps

    def _require_fits(self, run: RunInfo) -> None:
        self._fits = run
        missing = self._missing(run)
        if missing:
            ways = (self._ways.get(name, f"measures={{'{name}': ...}}") for name in missing)
            raise InvalidFeedback(
                f"policy {run.spec['policy']} of run {run.run_id} waits for {', '.join(missing)}: "
                f"give {type(self).__name__} {', '.join(dict.fromkeys(ways))}"
            )
        if run.metrics and not run.keeps_metrics and not self._warned:
            self._warned = True
            _LOG.warning(
                "run %s was begun by a build that did not keep what its policy %s waits for: "
                "%s is measured; 'sluice run policy' sets the policy anew, and keeps it",
                run.run_id,
                run.spec["policy"],
                ", ".join(run.metrics),
            )

    def _missing(self, run: RunInfo) -> list[str]:
        """The metrics that a run waits for and that cannot be measured."""
        return sorted(run.metrics.keys() - self._measures.keys())

    def _follow(self, run: RunInfo) -> None:
        """A policy that is set while the training goes on may wait for something else."""
        if run is not self._fits:
            try:
                self._require_fits(run)
            except (InvalidFeedback, EvalSetError) as error:
                _LOG.warning("the run goes on, its rounds do not: %s", error)

    def begin(self, batch: int | None = None) -> None:
        """Before the first step, or the first one after a resume.

        ``batch`` is the last one that was trained on; by default the last that was handed out.
        """
        if batch is None:
            batch = self._steps.batch
        if batch == 0:
            self._measure(self._steps.run, 0, None)
        self._reporter.progress(batch)

    def after(self, batch: int, trainer_step: int | None = None) -> None:
        """After the optimizer's step on a global batch: measures what the policy of the next one
        waits for, which may be another since."""
        run = self._steps.run_at(batch + 1)
        self._follow(run)
        self._measure(run, batch, trainer_step)
        self._progress.trained(batch, trainer_step)

    def _measure(self, run: RunInfo, step: int, trainer_step: int | None) -> None:
        attempt = f"{self._nonce}-{step}"
        for name, measure in self._measures.items():
            metric = self._due(run, step, name)
            found = {} if metric is None else measure(Due(step, run, metric))
            if found:
                self._reporter.measure(
                    name, step, found, trainer_step=trainer_step, attempt=attempt
                )

    def _due(self, run: RunInfo, step: int, name: str) -> RequiredMetric | None:
        required = run.metrics.get(name) or RequiredMetric(name, 0)
        beside = name not in run.metrics and run.closes_round(step)
        if step == 0:
            beside = name == EVAL_LOSS
        due = required.is_due(step) or (beside and self._is_beside(run, name))
        return required if due else None

    def _is_beside(self, run: RunInfo, name: str) -> bool:
        """Whether a metric is measured although the run does not wait for it."""
        return name in self._beside

    def flush(self, timeout: float = 130.0) -> None:
        """Waits until everything sent so far is acknowledged, so many seconds at most; a checkpoint
        is complete only after that."""
        self._reporter.flush(timeout)

    def saved(self, batch: int) -> None:
        """After a checkpoint of a batch was written; waits until its feedback has arrived, and
        tells the run of the checkpoint with the next progress."""
        self._progress.saved(batch)

    def removed(self, batch: int) -> None:
        """After the checkpoint of a batch was deleted."""
        self._progress.removed(batch)

    def close(self) -> None:
        """Waits a while for what was sent."""
        self._reporter.close()
