"""Records on their way to one partition, in order."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from sluice.errors import FeedbackLost, ForkedProcess

_POLL_SECONDS = 0.01
_LOOK_SECONDS = 0.02  # waking the thread at each record would cost the step that sends it


class Sender(Protocol):
    """The part of a Kafka producer that an outbox needs."""

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
        """Waits for an acknowledgement and runs the callbacks that are due."""


class Outbox:
    """Encodes and sends records in a thread of its own; :meth:`put` never waits.

    A record that is not acknowledged, and one more than ``capacity`` of them, closes the box for
    good: what comes later must not overtake what was lost.
    """

    def __init__(
        self,
        sender: Sender,
        topic: str,
        key: str,
        capacity: int,
        again: Callable[[], list[bytes]] = list,
    ) -> None:
        """``again`` tells what is to be sent once more, and is asked while nothing is pending."""
        self._sender = sender
        self._topic = topic
        self._key = key.encode()
        self._capacity = capacity
        self._again = again
        self._changed = threading.Condition()
        self._waiting: deque[Callable[[], bytes]] = deque()
        self._pending = 0
        self._lost: str | None = None
        self._closed = False
        self._thread: threading.Thread | None = None
        self._process = os.getpid()

    @property
    def pending(self) -> int:
        """Records that have not been acknowledged."""
        return self._pending

    def put(self, encode: Callable[[], bytes]) -> None:
        """Takes what encodes a record; fails if an earlier one was lost."""
        if os.getpid() != self._process:
            raise ForkedProcess("FeedbackReporter", self._process, os.getpid())
        with self._changed:
            if self._closed:
                raise ValueError("the feedback reporter is closed")
            if self._pending >= self._capacity:
                self._lose(f"{self._capacity} records wait for the broker, the most that are kept")
            self._require_nothing_lost()
            self._waiting.append(encode)
            self._pending += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="sluice-send", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._pending == 0 and not self._closed:
                    self._changed.wait(_LOOK_SECONDS)
                if self._closed and self._pending == 0:
                    return
                batch = list(self._waiting)
                self._waiting.clear()
            try:
                for encode in batch:
                    self._produce(encode())
                if not self._pending and not self._closed:
                    self._repeat()
                self._sender.poll(0 if batch else _POLL_SECONDS)
            except Exception as error:  # whatever it is, the next call must tell of it
                with self._changed:
                    self._lose(str(error))
            if self._lost is not None:
                return

    def _produce(self, value: bytes) -> None:
        self._sender.produce(
            self._topic, value=value, key=self._key, partition=0, on_delivery=self._delivered
        )

    def _repeat(self) -> None:
        for value in self._again():
            with self._changed:
                self._pending += 1
            self._produce(value)

    def _delivered(self, error: Any, _message: Any) -> None:
        with self._changed:
            if error is not None:
                self._lose(str(error))
            self._pending -= 1
            self._changed.notify_all()

    def _lose(self, why: str) -> None:
        if self._lost is None:
            self._lost = why
        self._changed.notify_all()

    def _require_nothing_lost(self) -> None:
        if self._lost is not None:
            raise FeedbackLost(f"feedback was not acknowledged by {self._topic}: {self._lost}")

    def flush(self, timeout: float) -> None:
        """Waits until everything so far is acknowledged; fails if something is not."""
        with self._changed:
            self._drain(timeout)
            if self._pending and self._lost is None:
                self._lose(f"{self._pending} records were not acknowledged within {timeout:g} s")
            self._require_nothing_lost()

    def _drain(self, timeout: float) -> None:
        self._changed.notify_all()
        self._changed.wait_for(lambda: not self._pending or self._lost is not None, timeout)

    def close(self, timeout: float) -> None:
        """Waits a while for what is on its way; twice does nothing more."""
        if os.getpid() != self._process:
            return
        deadline = time.monotonic() + timeout
        with self._changed:
            self._drain(timeout)
            self._closed = True
            if self._pending:
                self._lose(f"closed while {self._pending} records waited for the broker")
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(max(deadline - time.monotonic(), 1.0))
