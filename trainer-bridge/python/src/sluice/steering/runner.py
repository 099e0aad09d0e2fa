"""Follows a run, and answers each of its rounds once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Protocol

from sluice.errors import InvalidFeedback, KafkaRefused, KafkaUnreachable, RunEnded
from sluice.feedback.reporter import FeedbackReporter
from sluice.kafka.access import LogRecord
from sluice.steering.followed import FollowedRun
from sluice.steering.reports import Reports
from sluice.steering.round import Means, Round
from sluice.wire.metrics import PROPOSED_WEIGHT

_LOG = logging.getLogger("sluice")
_EXTERNAL = "external"
_PATIENCE = 10.0
_LOOK_SECONDS = 0.5
_SHOWN = 8  # weights in a line of the log


class FeedbackLog(Protocol):
    """The topic of a run's feedback."""

    def catch_up(self, patience: float, sink: Callable[[LogRecord], None]) -> object:
        """Passes on what was not passed on yet."""

    def wait(self, seconds: float, sink: Callable[[LogRecord], None]) -> None:
        """Passes on what comes, once something does, at the latest after this time."""

    def begin_at(self, offset: int) -> None:
        """Goes back there."""


class PolicyRunner:
    """Answers the open round of a run as soon as its trainers have reported what it waits for.

    A round that somebody has answered, as its feedback shows, is not answered again, whoever it
    was and however often this is started. Its function is asked all the same, once, so that what it
    learns from round to round is the same in each process that follows the run. ``metrics`` are
    waited for, beside what the run says.
    """

    def __init__(
        self,
        run: FollowedRun,
        log: FeedbackLog,
        reporter: FeedbackReporter,
        decide: Callable[[Round], Means],
        metrics: Iterable[str] = (),
    ) -> None:
        self._run = run
        self._log = log
        self._reporter = reporter
        self._decide = decide
        self._metrics = tuple(metrics)
        self._reports = Reports(run.run.run_id)
        self._open_step = 0
        self._asked = (-1, -1)
        self._told = ""
        self._away = False
        self.answered = 0

    def run(self) -> int:
        """Answers until the run is completed or stopped; how many rounds it answered.

        Raises :class:`~sluice.errors.RunEnded` for a run that failed or was deleted, and
        :class:`~sluice.errors.InvalidFeedback` for one whose policy takes no weights.
        """
        self._run.refresh()
        self._require_external()
        self._catch_up()
        while not self._run.is_complete:
            self.look()
        _LOG.info(
            "run %s is %s: %d rounds were answered",
            self._run.run.run_id,
            self._run.state,
            self.answered,
        )
        return self.answered

    def _require_external(self) -> None:
        run = self._run.run
        if run.spec["policy"] != _EXTERNAL:
            raise InvalidFeedback(
                f"policy of run {run.run_id} must be {_EXTERNAL}, which takes weights: "
                f"{run.spec['policy']}; 'sluice run policy' sets another"
            )

    def look(self) -> None:
        """Waits a moment for news, and answers the open round if it can be."""
        try:
            self._log.wait(_LOOK_SECONDS, self._reports.take)
            self._catch_up()
            self._away = False
        except KafkaRefused:
            raise
        except KafkaUnreachable as error:
            if not self._away:
                _LOG.warning("nothing is heard of run %s: %s", self._run.run.run_id, error)
            self._away = True
            return
        if self._run.has_failed:
            run = self._run
            raise RunEnded(run.run.run_id, run.state, run.granted, run.why)
        if not self._run.is_complete:
            self._answer()

    def _catch_up(self) -> None:
        """Reads the control log, and then all feedback, so that a round that was answered is known
        to be."""
        self._run.refresh()
        step = self._run.open_step
        if step < self._open_step:  # a rewind opened rounds again, whose reports are forgotten
            self._reports.clear()
            self._log.begin_at(0)
        elif step > self._open_step:
            over = step - self._run.run.update_every
            self._reports.forget(self._run.timeline_of(step), over)
        self._open_step = step
        self._log.catch_up(_PATIENCE, self._reports.take)

    def _answer(self) -> None:
        step = self._run.open_step
        run = self._run.run_at(step + 1) if step > 0 else self._run.run
        if step <= 0 or run.spec["policy"] != _EXTERNAL:
            self._tell("policy %s takes no weights: another is waited for", run.spec["policy"])
            return
        if step > self._run.granted:
            return
        timeline = self._run.timeline_of(step)
        if (timeline, step) == self._asked:
            return
        metrics = tuple(dict.fromkeys((*run.metrics, *self._metrics)))
        awaited = self._reports.awaited(timeline, step, metrics)
        if awaited:
            self._tell("the round of step %d waits for %s", step, ", ".join(awaited))
            return
        means = {name: self._reports.won(timeline, step, name) or {} for name in metrics}
        asked = Round(step, self._run.weights, means)
        weights = self._decide(asked)
        self._asked = timeline, step
        if self._reports.won(timeline, step, PROPOSED_WEIGHT) is None:
            self._send(timeline, asked, weights)
        else:
            self._tell("the round of step %d is answered already", step)

    def _send(self, timeline: int, asked: Round, weights: Means) -> None:
        attempt = f"policy-{timeline}-{asked.step}"  # the same of each process: one of them counts
        proposed = {name: (weight, 1) for name, weight in weights.items()}
        self._reporter.measure(PROPOSED_WEIGHT, asked.step, proposed, attempt=attempt)
        self._reporter.flush()
        self._run.proposed(asked.step)
        self.answered += 1
        self._tell("the round of step %d: %s", asked.step, _shown(weights, asked.weights))

    def _tell(self, message: str, *about: object) -> None:
        """Says something that was not said last."""
        said = message % about
        if said != self._told:
            self._told = said
            _LOG.info("run %s: %s", self._run.run.run_id, said)


def _shown(weights: Means, before: Means) -> str:
    """The weights that are changed most, in the scale of those before."""
    kept = sum(weight for name, weight in before.items() if name not in weights)
    total = sum(weights.values()) + kept
    scaled = {name: weight / total for name, weight in weights.items()}
    most = sorted(scaled, key=lambda name: -abs(scaled[name] - before[name]))
    words = [f"{name} {before[name]:.4g} -> {scaled[name]:.4g}" for name in most[:_SHOWN]]
    return ", ".join(words) + (" …" if len(most) > _SHOWN else "")
