"""Measurements and progress of one rank, sent to its run in order."""

from __future__ import annotations

import math
import time
import uuid
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Protocol

from confluent_kafka import KafkaException, Producer

from sluice import wire
from sluice.access import QUIET, KafkaAccess
from sluice.errors import FeedbackLost, InvalidFeedback
from sluice.runs import RunInfo


class Sender(Protocol):
    """The part of a Kafka producer that feedback needs."""

    def produce(
        self,
        topic: str,
        value: bytes,
        key: bytes,
        partition: int,
        on_delivery: Callable[[Any, Any], None],
    ) -> None:
        """Sends one record."""

    def poll(self, timeout: float) -> int:
        """Runs the callbacks that are due."""

    def flush(self, timeout: float) -> int:
        """Waits for what was sent; how many records are left."""


def _producer(settings: dict[str, Any]) -> Any:
    return Producer(settings)


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise InvalidFeedback(message)


class FeedbackClient:
    """Sends one rank's feedback asynchronously and in order.

    A record that is not acknowledged fails the next call, and every one after it: progress must not
    overtake the feedback of its step. A trainer checkpoint is complete only after :meth:`flush`.
    To follow another timeline, open another client.
    """

    def __init__(
        self,
        run: RunInfo,
        bootstrap: str = "localhost:9092",
        prefix: str = "sluice.",
        *,
        timeline: int = 0,
        rank: int = 0,
        world_size: int = 1,
        config: Mapping[str, Any] | None = None,
        clock: Callable[[], float] = time.time,
        sender: Sender | None = None,
    ) -> None:
        if not 0 <= rank < world_size:
            raise ValueError(
                "rank must be in [0, world size), world size at least 1: "
                f"rank {rank} of {world_size}"
            )
        access = KafkaAccess(bootstrap, prefix, config or {})
        self._run = run
        self._topic = access.topics.feedback(run.name)
        self._who = {
            "runId": run.run_id,
            "timeline": timeline,
            "worldSize": world_size,
            "rank": rank,
        }
        self._clock = clock
        self._lost: str | None = None
        self._sender: Sender = sender or _producer(
            {
                **access.config,
                "bootstrap.servers": bootstrap,
                "acks": "all",
                "enable.idempotence": True,
                "linger.ms": 0,
                "log_level": QUIET,
            }
        )

    def eval_loss(
        self,
        step: int,
        domains: Mapping[str, tuple[float, int]],
        *,
        trainer_step: int | None = None,
        attempt: str | None = None,
    ) -> None:
        """Held-out losses after ``step`` batches of the stream.

        ``domains`` maps a domain to (sum of the negative log-likelihood in nats, count of tokens).
        ``attempt`` is a nonce that all ranks of one measurement share; a single rank may leave it
        out. Raises :class:`~sluice.errors.InvalidFeedback` for what no run could use.
        """
        self.measure("eval_loss", step, domains, trainer_step=trainer_step, attempt=attempt)

    def measure(
        self,
        metric: str,
        step: int,
        domains: Mapping[str, tuple[float, int]],
        *,
        trainer_step: int | None = None,
        attempt: str | None = None,
    ) -> None:
        """Sums and counts of any metric."""
        _require(step >= 0, f"step must not be negative: {step}")
        _require(bool(metric.strip()), "metric must not be blank")
        _require(bool(domains), "a measurement must have at least one domain")
        for domain, (total, count) in domains.items():
            self._check(domain, total, count)
        if attempt is None:
            _require(
                self._who["worldSize"] == 1,
                "attempt must be given: the ranks of one measurement share it",
            )
            attempt = uuid.uuid4().hex
        _require(bool(attempt.strip()), "attempt must not be blank")
        entries = [
            {"domain": domain, "sum": float(total), "count": int(count)}
            for domain, (total, count) in domains.items()
        ]
        self._send(
            "TrainerFeedback",
            {
                **self._who,
                "step": step,
                "trainerStep": step if trainer_step is None else trainer_step,
                "attempt": attempt,
                "metric": metric,
                "entries": entries,
            },
        )

    def _check(self, domain: str, total: float, count: int) -> None:
        known = self._run.domains
        _require(
            domain in known,
            f"unknown domain '{domain}': run {self._run.run_id} has {', '.join(known)}",
        )
        _require(math.isfinite(total), f"sum of domain '{domain}' must be finite: {total}")
        _require(count >= 1, f"count of domain '{domain}' must be at least 1: {count}")

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
        self._send(
            "TrainerProgress",
            {
                **self._who,
                "batch": batch,
                "trainerStep": batch if trainer_step is None else trainer_step,
                "oldestCheckpoint": oldest_checkpoint,
            },
        )

    def _send(self, name: str, record: wire.Record) -> None:
        self._sender.poll(0)
        self._require_nothing_lost()
        record["timeMillis"] = int(self._clock() * 1000)
        try:
            self._sender.produce(
                self._topic,
                value=wire.encode(name, record),
                key=self._run.run_id.encode(),
                partition=0,
                on_delivery=self._delivered,
            )
        except (KafkaException, BufferError) as error:
            self._lost = str(error)
            self._require_nothing_lost()

    def _delivered(self, error: Any, _message: Any) -> None:
        if error is not None and self._lost is None:
            self._lost = str(error)

    def _require_nothing_lost(self) -> None:
        if self._lost is not None:
            raise FeedbackLost(f"feedback was not acknowledged by {self._topic}: {self._lost}")

    def flush(self, timeout: float = 130.0) -> None:
        """Waits until everything sent so far is acknowledged."""
        left = self._sender.flush(timeout)
        if left and self._lost is None:
            self._lost = f"{left} records were not acknowledged within {timeout:g} s"
        self._require_nothing_lost()

    def close(self) -> None:
        """Waits up to 10 seconds for what was sent; :meth:`flush` first to know it arrived."""
        self._sender.flush(10.0)

    def __enter__(self) -> FeedbackClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
