"""Measurements and progress of one rank, sent to its run in order."""

from __future__ import annotations

import time
import uuid
import weakref
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from sluice import wire
from sluice.closing import Closing
from sluice.feedback.checks import MeasurementCheck, require
from sluice.feedback.encoder import FeedbackEncoder
from sluice.feedback.losses import DomainSums
from sluice.feedback.outbox import Outbox, Sender
from sluice.feedback.perplexity import perplexities
from sluice.feedback.repeater import OpenRounds, Repeater
from sluice.feedback.source import FeedbackSource, FixedSource
from sluice.feedback.totals import DomainTotals
from sluice.kafka.access import KafkaAccess
from sluice.run.info import RunInfo
from sluice.run.rank import TrainerRank
from sluice.wire.metrics import EVAL_LOSS, LEARNING_RATE, PERPLEXITY, TRAIN_LOSS

_CLOSE_SECONDS = 10.0


class FeedbackReporter(Closing):
    """Sends one rank's feedback asynchronously and in order; a call takes microseconds.

    ``run`` is the :class:`~sluice.Loader` whose steps are answered: its rank, replica, broker and
    timelines are then this client's, and domains that the run is given later are known. Or it is
    a run, for a process that reads no stream.

    At most ``capacity`` records wait for the broker. A record that is not acknowledged, or one too
    many, fails the next call, and every one after it: progress must not overtake the feedback of
    its step. A trainer checkpoint is complete only after :meth:`flush`. Of the replicas that share
    a data-parallel rank only replica 0 reports; the calls of the others are checked and dropped.
    While the trainer waits for a step, what it said last is said again now and then, for it may
    have been lost since.
    """

    def __init__(
        self,
        run: RunInfo | FeedbackSource,
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
        if capacity < 1:
            raise ValueError(f"capacity must be at least 1: {capacity}")
        if isinstance(run, RunInfo):
            access = KafkaAccess(bootstrap, prefix, config or {})
            run = FixedSource(access, run, timeline, TrainerRank.of(dp, replica))
        self._source: FeedbackSource = run
        self._clock = clock
        self._encoder = FeedbackEncoder()
        self._check = MeasurementCheck()
        self._repeater = Repeater(run)
        self._rounds = OpenRounds()
        self._outbox = Outbox(
            sender or run.access.producer(enable_idempotence=True),
            run.access.topics.feedback(run.run.name),
            run.run.run_id,
            capacity,
            self._repeater.due,
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
        self.measure(EVAL_LOSS, step, domains, trainer_step=trainer_step, attempt=attempt)

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
        :func:`sluice.feedback.perplexity.perplexities`.
        """
        found = perplexities(losses)
        self.measure(PERPLEXITY, step, found, trainer_step=trainer_step, attempt=attempt)

    def learning_rate(
        self,
        step: int,
        rate: float,
        *,
        trainer_step: int | None = None,
        attempt: str | None = None,
    ) -> None:
        """The optimizer's learning rate at a step, which is the same for every domain."""
        found = DomainTotals.uniform(self._source.run.domains, rate)
        self.measure(LEARNING_RATE, step, found, trainer_step=trainer_step, attempt=attempt)

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
            self.measure(TRAIN_LOSS, step, totals, trainer_step=trainer_step, attempt=attempt)

    def measure(
        self,
        metric: str,
        step: int,
        domains: Mapping[str, tuple[float, int]],
        *,
        trainer_step: int | None = None,
        attempt: str | None = None,
    ) -> None:
        """Sums and counts of any metric; a snapshot of them, which a thread encodes and sends.

        What is measured after a step is for the policy that governs the batch after it. A metric
        that was not said to be measured is announced with its first measurement.
        """
        require(step >= 0, f"step must not be negative: {step}")
        require(bool(metric.strip()), "metric must not be blank")
        totals = DomainTotals.of(domains)
        run = self._source.run_at(step + 1)
        self._check.check(run, metric, totals)
        if attempt is None:
            require(
                self._source.rank.world_size == 1,
                "attempt must be given: the ranks of one measurement share it",
            )
            attempt = uuid.uuid4().hex
        require(bool(attempt.strip()), "attempt must not be blank")
        record = {
            "step": step,
            "trainerStep": step if trainer_step is None else trainer_step,
            "attempt": attempt,
            "metric": metric,
        }
        encode = partial(self._encoder.encode, totals=totals)
        keep = partial(self._repeater.reported, open_to=self._rounds.open_to(run, step))
        self._send(step, record, encode, keep)
        self._source.announce([metric])

    def progress(
        self, batch: int, trainer_step: int | None = None, oldest_checkpoint: int = -1
    ) -> None:
        """Says how far this rank has come, and what the batches were that it has not said so of
        yet; call it after the feedback of the same step.

        ``oldest_checkpoint`` is the batch of the oldest checkpoint still kept, -1 for none.
        """
        require(batch >= 0, f"batch must not be negative: {batch}")
        require(
            -1 <= oldest_checkpoint <= batch,
            f"oldestCheckpoint must be in [-1, {batch}]: {oldest_checkpoint}",
        )
        exposed = self._source.exposed
        record = {
            "batch": batch,
            "trainerStep": batch if trainer_step is None else trainer_step,
            "oldestCheckpoint": oldest_checkpoint,
            "exposed": None if exposed is None else exposed.record(),
        }
        encode = partial(wire.encode, "TrainerProgress")
        parts: list[wire.Record | None] = [*self._source.read(batch)]
        for read in parts or [None]:
            self._send(batch, record | {"read": read}, encode, self._repeater.progressed)

    def _send(
        self,
        step: int,
        record: wire.Record,
        encode: Callable[[wire.Record], bytes],
        keep: Callable[[wire.Record, bytes], None],
    ) -> None:
        source = self._source
        source.require_held()
        if source.rank.reports:
            who = {
                "runId": source.run.run_id,
                "timeline": source.timeline_of(step),
                "worldSize": source.rank.world_size,
                "rank": source.rank.rank,
                "timeMillis": int(self._clock() * 1000),
            }
            self._outbox.put(partial(_encoded, record | who, encode, keep))

    def flush(self, timeout: float = 130.0) -> None:
        """Waits until everything sent so far is acknowledged."""
        self._outbox.flush(timeout)

    def close(self) -> None:
        """Waits up to 10 seconds for what was sent; :meth:`flush` first to know it arrived."""
        self._closing()


def _encoded(
    record: wire.Record,
    encode: Callable[[wire.Record], bytes],
    keep: Callable[[wire.Record, bytes], None],
) -> bytes:
    """The record's bytes, which are kept to be sent once more."""
    value = encode(record)
    keep(record, value)
    return value
