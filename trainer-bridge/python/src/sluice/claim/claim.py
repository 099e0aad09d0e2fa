"""A process's hold on one rank of a run's trainer."""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Sequence

from sluice import wire
from sluice.claim.log import DELIVERY_SECONDS, ClaimLog
from sluice.errors import RankTaken, WireFormatError
from sluice.run.rank import TrainerRank
from sluice.run.state import StreamState

_LOOK_SECONDS = 1.0
_RETRY_SECONDS = 5.0


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
        rank: TrainerRank,
        metrics: Sequence[str] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._who: wire.Record = {
            "runId": run_id,
            "worldSize": rank.world_size,
            "rank": rank.rank,
            "replica": rank.replica,
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

    def measure(self, metrics: Iterable[str]) -> bool:
        """Takes further metrics, which the next attachment names; whether there were any."""
        before = self._who["metrics"]
        every = [*before, *(name for name in metrics if name not in before)]
        self._who = {**self._who, "metrics": every}
        return len(every) > len(before)

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
        if wire.type_of(value) != "TrainerAttached":
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
            self._thread.join(DELIVERY_SECONDS + _RETRY_SECONDS)
        else:
            self._log.close()
