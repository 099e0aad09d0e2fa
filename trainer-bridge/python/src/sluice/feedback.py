"""Measurements and progress of one rank, sent to its run in order."""

from __future__ import annotations

import time
import uuid
import weakref
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

import numpy as np
from confluent_kafka import Producer

from sluice import metrics, wire
from sluice.access import QUIET, KafkaAccess
from sluice.closing import Closing
from sluice.entries import FeedbackEncoder
from sluice.errors import InvalidFeedback
from sluice.losses import DomainSums
from sluice.outbox import Outbox, Sender
from sluice.runs import RunInfo
from sluice.share import Share
from sluice.totals import DomainTotals

_CLOSE_SECONDS = 10.0


def _producer(access: KafkaAccess) -> Any:
    return Producer(
        {
            **access.config,
            "bootstrap.servers": access.bootstrap,
            "acks": "all",
            "enable.idempotence": True,
            "linger.ms": 0,
            "log_level": QUIET,
        }
    )


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise InvalidFeedback(message)


class Attached(Protocol):
    """What a client needs to know of the loader whose steps it answers."""

    access: KafkaAccess
    share: Share
    replica: int

    @property
    def run(self) -> RunInfo:
        """The run under its present specification."""

    def timeline_of(self, step: int) -> int:
        """The timeline that owns a step."""

    def require_held(self) -> None:
        """Fails once another process has the rank."""


class _Alone:
    """A client without a loader: what it is told when it is opened holds for good."""

    def __init__(
        self, access: KafkaAccess, run: RunInfo, timeline: int, share: Share, replica: int
    ) -> None:
        self.access = access
        self.run = run
        self.share = share
        self.replica = replica
        self._timeline = timeline

    def timeline_of(self, step: int) -> int:
        return self._timeline

    def require_held(self) -> None:
        """Nobody else is asked."""


class FeedbackClient(Closing):
    """Sends one rank's feedback asynchronously and in order; a call takes microseconds.

    ``run`` is the :class:`~sluice.Loader` whose steps are answered: its rank, replica, broker and
    timelines are then this client's, and domains that the run is given later are known. Or it is
    a run, for a process that reads no stream.

    At most ``capacity`` records wait for the broker. A record that is not acknowledged, or one too
    many, fails the next call, and every one after it: progress must not overtake the feedback of
    its step. A trainer checkpoint is complete only after :meth:`flush`. Of the replicas that share
    a data-parallel rank only replica 0 reports; the calls of the others are checked and dropped.
    """

    def __init__(
        self,
        run: RunInfo | Attached,
        bootstrap: str = "localhost:9092",
        prefix: str = "sluice.",
        *,
        timeline: int = 0,
        dp: Any = (0, 1),
        replica: int = 0,
        capacity: int = 4096,
        config: Mapping[str, Any] | None = None,
        clock: Callable[[], float] = time.time,
        sender: Sender | None = None,
    ) -> None:
        if replica < 0 or capacity < 1:
            raise ValueError(
                "replica must not be negative, capacity at least 1: "
                f"replica {replica}, capacity {capacity}"
            )
        if isinstance(run, RunInfo):
            access = KafkaAccess(bootstrap, prefix, config or {})
            run = _Alone(access, run, timeline, Share.of(dp), replica)
        self._source: Attached = run
        self._clock = clock
        self._encoder = FeedbackEncoder()
        self._known: tuple[RunInfo, tuple[str, ...]] | None = None
        self._outbox = Outbox(
            sender or _producer(run.access),
            run.access.topics.feedback(run.run.name),
            run.run.run_id,
            capacity,
        )
        self._closing = weakref.finalize(self, self._outbox.close, _CLOSE_SECONDS)

    def eval_loss(
        self,
        step: int,
        domains: Mapping[str, tuple[float, int]],
        *,
        trainer_step: int | None = None,
        attempt: str | None = None,
    ) -> None:
        """Held-out losses after ``step`` batches of the stream.

        ``domains`` maps a domain to (sum of the negative log-likelihood in nats, count of tokens);
        thousands of them are best given as :class:`~sluice.DomainTotals`.
        ``attempt`` is a nonce that all ranks of one measurement share; a single rank may leave it
        out. Raises :class:`~sluice.errors.InvalidFeedback` for what no run could use.
        """
        self.measure(metrics.EVAL_LOSS, step, domains, trainer_step=trainer_step, attempt=attempt)

    def perplexity(
        self,
        step: int,
        losses: Mapping[str, tuple[float, int]],
        *,
        trainer_step: int | None = None,
        attempt: str | None = None,
    ) -> None:
        """Perplexities of held-out losses, as :meth:`eval_loss` takes them.

        All ranks send the perplexities of the same losses, those of the whole: see
        :func:`sluice.metrics.perplexities`.
        """
        found = metrics.perplexities(losses)
        self.measure(metrics.PERPLEXITY, step, found, trainer_step=trainer_step, attempt=attempt)

    def learning_rate(
        self,
        step: int,
        rate: float,
        *,
        trainer_step: int | None = None,
        attempt: str | None = None,
    ) -> None:
        """The optimizer's learning rate at a step, which is the same for every domain."""
        names = self._source.run.domains
        found = DomainTotals(names, np.full(len(names), rate), np.ones(len(names), np.int64))
        self.measure(metrics.LEARNING_RATE, step, found, trainer_step=trainer_step, attempt=attempt)

    def train_loss(
        self,
        step: int,
        sums: DomainSums,
        *,
        trainer_step: int | None = None,
        attempt: str | None = None,
    ) -> None:
        """Losses of the rows that this rank trained on, up to ``step`` batches of the stream.

        Nothing is sent for a rank that has no labels in any domain.
        """
        totals = sums.totals()
        if totals:
            self.measure(
                metrics.TRAIN_LOSS, step, totals, trainer_step=trainer_step, attempt=attempt
            )

    def measure(
        self,
        metric: str,
        step: int,
        domains: Mapping[str, tuple[float, int]],
        *,
        trainer_step: int | None = None,
        attempt: str | None = None,
    ) -> None:
        """Sums and counts of any metric; a snapshot of them, which a thread encodes and sends."""
        _require(step >= 0, f"step must not be negative: {step}")
        _require(bool(metric.strip()), "metric must not be blank")
        totals = DomainTotals.of(domains)
        self._check(totals)
        if attempt is None:
            _require(
                self._source.share.size == 1,
                "attempt must be given: the ranks of one measurement share it",
            )
            attempt = uuid.uuid4().hex
        _require(bool(attempt.strip()), "attempt must not be blank")
        record = {
            "step": step,
            "trainerStep": step if trainer_step is None else trainer_step,
            "attempt": attempt,
            "metric": metric,
        }
        self._send(step, record, partial(self._encoder.encode, totals=totals))

    def _check(self, totals: DomainTotals) -> None:
        _require(len(totals) > 0, "a measurement must have at least one domain")
        self._check_names(totals.names)
        if not np.isfinite(totals.sums).all():
            place = int(np.isfinite(totals.sums).argmin())
            name, found = totals.names[place], totals.sums[place]
            raise InvalidFeedback(f"sum of domain '{name}' must be finite: {found}")
        if totals.counts.min() < 1:
            place = int((totals.counts >= 1).argmin())
            name, count = totals.names[place], totals.counts[place]
            raise InvalidFeedback(f"count of domain '{name}' must be at least 1: {count}")

    def _check_names(self, names: tuple[str, ...]) -> None:
        """Names that were sent last, under the same specification, are known already."""
        run = self._source.run
        if names is run.domains or (run, names) == self._known:
            return
        if not run.domain_names.issuperset(names):
            domain = next(name for name in names if name not in run.domain_names)
            known = ", ".join(run.domains)
            raise InvalidFeedback(f"unknown domain '{domain}': run {run.run_id} has {known}")
        _require(len(set(names)) == len(names), "a measurement must name each domain once")
        self._known = (run, names)

    def progress(
        self, batch: int, trainer_step: int | None = None, oldest_checkpoint: int = -1
    ) -> None:
        """Says how far this rank has come; call it after the feedback of the same step.

        ``oldest_checkpoint`` is the batch of the oldest checkpoint still kept, -1 for none.
        """
        _require(batch >= 0, f"batch must not be negative: {batch}")
        _require(
            -1 <= oldest_checkpoint <= batch,
            f"oldestCheckpoint must be in [-1, {batch}]: {oldest_checkpoint}",
        )
        record = {
            "batch": batch,
            "trainerStep": batch if trainer_step is None else trainer_step,
            "oldestCheckpoint": oldest_checkpoint,
        }
        self._send(batch, record, partial(wire.encode, "TrainerProgress"))

    def _send(self, step: int, record: wire.Record, encode: Callable[[wire.Record], bytes]) -> None:
        source = self._source
        source.require_held()
        if source.replica == 0:
            who = {
                "runId": source.run.run_id,
                "timeline": source.timeline_of(step),
                "worldSize": source.share.size,
                "rank": source.share.rank,
                "timeMillis": int(self._clock() * 1000),
            }
            self._outbox.put(partial(encode, record | who))

    def flush(self, timeout: float = 130.0) -> None:
        """Waits until everything sent so far is acknowledged."""
        self._outbox.flush(timeout)

    def close(self) -> None:
        """Waits up to 10 seconds for what was sent; :meth:`flush` first to know it arrived."""
        self._closing()
