"""A process's hold on one rank of a run's trainer."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from confluent_kafka import KafkaException, Producer, TopicPartition

from sluice import wire
from sluice.access import BEGINNING, QUIET, KafkaAccess, good
from sluice.errors import RankTaken, WireFormatError
from sluice.runs import RunInfo
from sluice.share import Share
from sluice.state import StreamState

_LOG = logging.getLogger("sluice")
_PREFIX = wire.prefix("TrainerAttached")
_LOOK_SECONDS = 1.0
_RETRY_SECONDS = 5.0
_DELIVERY_SECONDS = 30.0


class ClaimLog(Protocol):
    """Where the processes of a run's trainers say which rank they take: the run's feedback."""

    def publish(self, value: bytes) -> bool:
        """Writes a record and goes to the one after it; whether that could be done."""

    def read_on(self) -> Iterable[bytes]:
        """What was written since, by anyone; does not wait for it."""

    def close(self) -> None:
        """Gives the connections back."""


class KafkaClaimLog:
    """The feedback partition of a run."""

    def __init__(self, access: KafkaAccess, run: RunInfo) -> None:
        self._access = access
        self._topic = access.topics.feedback(run.name)
        self._key = run.run_id.encode()
        self._consumer = access.consumer(queued_max_messages_kbytes=1024)
        self._following = False

    def publish(self, value: bytes) -> bool:
        """Writes a record and goes to the one after it; whether that could be done."""
        offsets: list[int] = []

        def delivered(error: Any, message: Any) -> None:
            if error is None:
                offsets.append(message.offset())

        producer = Producer(
            {
                **self._access.config,
                "bootstrap.servers": self._access.bootstrap,
                "acks": "all",
                "linger.ms": 0,
                "log_level": QUIET,
                "message.timeout.ms": int(_DELIVERY_SECONDS * 1000),
            }
        )
        producer.produce(self._topic, value, key=self._key, partition=0, on_delivery=delivered)
        producer.flush(_DELIVERY_SECONDS)
        if offsets and not self._following:
            self._following = True
            self._consumer.assign([TopicPartition(self._topic, 0, offsets[0] + 1)])
        return bool(offsets)

    def read_on(self) -> Iterable[bytes]:
        """What was written since, by anyone; does not wait for it."""
        try:
            return [record.value for record in good(self._consumer.consume(500, 0))]
        except KafkaException as error:  # what was to be read is gone: it was trimmed
            _LOG.debug("the claims could not be read: %s", error)
            self._consumer.assign([TopicPartition(self._topic, 0, BEGINNING)])
            return []

    def close(self) -> None:
        """Gives the connections back."""
        self._consumer.close()


class RankClaim:
    """Takes a rank and watches it, in a thread of its own.

    The newest holder in the log has the rank, so a trainer that is restarted after a crash simply
    takes over, and one that goes on beside it stops: :meth:`require_held` fails. ``metrics`` are
    those that this trainer measures.
    """

    def __init__(
        self,
        run_id: str,
        log: ClaimLog,
        share: Share,
        replica: int = 0,
        metrics: Sequence[str] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._who = {
            "runId": run_id,
            "worldSize": share.size,
            "rank": share.rank,
            "replica": replica,
            "holder": uuid.uuid4().hex,
            "host": os.environ.get("HOSTNAME") or socket.gethostname() or "unknown",
            "pid": os.getpid(),
            "metrics": list(metrics),
        }
        self._log = log
        self._clock = clock
        self._unpublished: StreamState | None = None
        self._said = False
        self._taker: wire.Record | None = None
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def attach(self, state: StreamState) -> None:
        """Takes the rank, or says where its holder goes on; never waits."""
        self._unpublished = state
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="sluice-claim", daemon=True)
            self._thread.start()

    @property
    def published(self) -> bool:
        """Whether all that was said has reached the log."""
        return self._said and self._unpublished is None

    def _run(self) -> None:
        try:
            while not self._closed.is_set():
                self.look(_LOOK_SECONDS)
        finally:
            self._log.close()

    def look(self, seconds: float) -> None:
        """Says what is not said yet; or waits, and reads on."""
        state, self._unpublished = self._unpublished, None
        if state is not None and not self._publish(state):
            self._unpublished = self._unpublished or state
            self._closed.wait(_RETRY_SECONDS)
        elif state is None:
            self._closed.wait(seconds)
            for value in self._log.read_on():
                self._take(value)

    def _publish(self, state: StreamState) -> bool:
        record = {
            **self._who,
            "timeline": state.timeline,
            "batch": state.batch,
            "timeMillis": int(self._clock() * 1000),
        }
        self._said = self._log.publish(wire.encode("TrainerAttached", record))
        return self._said

    def _take(self, value: bytes) -> None:
        if not value.startswith(_PREFIX):
            return
        try:
            other = wire.decode_as("TrainerAttached", value)
        except WireFormatError:
            return  # nobody's claim
        same = all(other[key] == self._who[key] for key in ("runId", "rank", "replica"))
        if same and other["holder"] != self._who["holder"]:
            self._taker = other

    def require_held(self) -> None:
        """Fails once another process has the rank."""
        if self._taker is not None:
            raise RankTaken(self._taker)

    def close(self) -> None:
        """Stops watching; the rank stays with this process until another takes it."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join(_DELIVERY_SECONDS + _RETRY_SECONDS)
        else:
            self._log.close()
