"""A thread that reads ahead of the trainer, within a budget of bytes."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from sluice.errors import Rewound, StreamStalled
from sluice.stream.batch import Batch, waited
from sluice.stream.batch_reader import BatchReader, Cancelled
from sluice.stream.exposed import WaitMarks

_READING = "the stream is being read"
_CHECK_SECONDS = 1.0
_NOTICEABLE = 0.001  # seconds; less is the price of taking from a queue


class Prefetcher:
    """Takes batches from a reader in a thread of its own.

    The thread starts with the first :meth:`next` and stops at :meth:`seek`, :meth:`close`, or an
    error, which :meth:`next` raises, as it was, after the batches that were read before it. At
    least one batch is kept ready, whatever the budget.
    """

    def __init__(
        self, reader: BatchReader[Any], budget: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._reader = reader
        self._budget = budget
        self.clock = clock
        self.waiting_since: float | None = None
        self._changed = threading.Condition()
        self._ready: deque[tuple[Batch, WaitMarks]] = deque()
        self._bytes = 0
        self._error: BaseException | None = None
        self._stall: StreamStalled | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def ready_bytes(self) -> int:
        """Bytes of the batches that are ready."""
        return self._bytes

    def next(
        self,
        timeout: float,
        check: Callable[[], None] = lambda: None,
        tell: Callable[[float, str], None] = lambda seconds, reason: None,
    ) -> Batch:
        """The next batch; waits for it, and says in it how long and what for, calls before that
        were told that it stays away included.

        ``check`` is called now and then meanwhile, to fail for a reason of the caller's; ``tell``
        is told then how long the wait is, and what for.
        """
        check()
        start = self.clock()
        since = self.waiting_since = start if self.waiting_since is None else self.waiting_since
        ready, reason = self._await(0)
        while not ready:
            self._reader.awaited = True
            seconds = self.clock() - start
            if seconds >= timeout:
                raise self._reader.stalled(timeout, reason)
            tell(seconds, reason)
            ready, found = self._await(min(timeout - seconds, _CHECK_SECONDS))
            reason = reason if ready else found
            check()
        with self._changed:
            batch, marks = self._ready.popleft()
            self._bytes -= batch.nbytes
            self._changed.notify_all()
        self._reader.awaited = False
        self.waiting_since = None
        end = self.clock()
        told = reason if end - since >= _NOTICEABLE else ""
        return waited(batch, end - since, told, marks.between(since, end))

    def _await(self, seconds: float) -> tuple[bool, str]:
        """Whether a batch is ready, at the latest after this time, and else why it is not."""
        with self._changed:
            self._start()
            if seconds > 0 and not self._ready and self._error is None:
                self._changed.wait(seconds)
            if not self._ready and self._error is not None:
                raise self._error
            return bool(self._ready), _READING if self._stall is None else self._stall.status

    def start(self) -> None:
        """Begins to read ahead, if nothing has yet."""
        with self._changed:
            self._start()

    def _start(self) -> None:
        if self._closed:
            raise ValueError("the loader is closed")
        if self._thread is None and self._error is None:
            self._reader.cancelled = False
            self._thread = threading.Thread(target=self._run, name="sluice-fetch", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        try:
            while self._await_room():
                self._fetch()
        except Cancelled:
            pass
        except BaseException as error:  # whatever it is, the training loop is its only witness
            with self._changed:
                self._error = error
                self._changed.notify_all()

    def _await_room(self) -> bool:
        with self._changed:
            self._changed.wait_for(
                lambda: self._reader.cancelled or not self._ready or self._bytes < self._budget
            )
            return not self._reader.cancelled

    def _fetch(self) -> None:
        """One batch; or, after a while, why there is none."""
        try:
            batch = self._reader.next(self._reader.status_interval)
        except StreamStalled as stall:
            with self._changed:
                self._stall = stall
                self._changed.notify_all()
            return
        with self._changed:
            self._stall = None
            self._ready.append((batch, self._reader.take_marks()))
            self._bytes += batch.nbytes
            self._changed.notify_all()

    def _halt(self, timeout: float | None = None) -> bool:
        """Whether the thread has stopped; nothing that was read is lost."""
        self._reader.cancelled = True
        with self._changed:
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout)
            if self._thread.is_alive():
                return False
        self._thread = None
        return True

    def _forget(self, error: BaseException | None = None) -> None:
        self._ready.clear()
        self._bytes = 0
        self.waiting_since = None
        self._error = error
        self._stall = None

    def seek(self, go: Callable[[], None]) -> None:
        """Forgets what was read ahead and lets the reader go elsewhere.

        When the reader refuses to, nothing changes; when it could not, :meth:`next` fails until
        another seek has gone through.
        """
        self._halt()
        try:
            go()
        except (ValueError, Rewound):
            raise
        except Exception as error:
            self._forget(error)
            raise
        self._forget()

    def close(self, timeout: float = 35.0) -> None:
        """Stops the thread and gives the connections back; twice does nothing more.

        The thread is busy for at most one call to the broker, so ``timeout`` is longer than one.
        """
        if not self._closed:
            self._closed = True
            if self._halt(timeout):
                self._reader.close()
