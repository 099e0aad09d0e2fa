"""A run as whoever proposes its weights follows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sluice import wire
from sluice.closing import Closing
from sluice.kafka.access import KafkaAccess
from sluice.run.control import ControlLog
from sluice.run.entry import Entry, origin_of, record_of
from sluice.run.info import RunInfo
from sluice.run.log import RunLog
from sluice.run.rank import TrainerRank
from sluice.run.run_timeline import RunTimeline
from sluice.run.supply import Supply

_COMPLETE = {"completed", "stopped"}


class _Decided:
    """The last round that was decided, and the weights since, as the log tells."""

    def __init__(self) -> None:
        self.round = 0
        self.weights: Sequence[int] = ()

    def begin(self, snapshot: Entry) -> None:
        """Takes a LogSnapshot for all that is before it."""
        self._set(snapshot.body["snapshot"])

    def apply(self, entry: Entry) -> None:
        """Takes the next entry."""
        if entry.kind == "RunStarted":
            self._start(entry.body)
        elif entry.kind == "RunRevised":
            self._set(entry.body["snapshot"])
        elif entry.kind == "MixtureGrant":
            decision = record_of(entry.body["decision"])
            if decision is not None:
                self._set(decision)

    def _start(self, body: wire.Record) -> None:
        origin = origin_of(body)
        snapshot = origin["snapshot"] if origin else record_of(body.get("snapshot"))
        self._set(snapshot or {"round": 0, "weights": body["spec"]["initialWeights"]})

    def _set(self, stands: wire.Record) -> None:
        self.round, self.weights = stands["round"], stands["weights"]


class FollowedRun(Closing):
    """The open round of a run, by its control log; reads no stream and takes no rank.

    Proposals that are sent under it are said again while their round is open.
    """

    exposed = None

    def __init__(
        self, access: KafkaAccess, run: RunInfo, control: ControlLog | None = None
    ) -> None:
        self.access = access
        self.rank = TrainerRank.of((0, 1))
        self._run_id = run.run_id
        self._control = control or ControlLog(run, lambda: RunLog(access, run.run_id))
        self._supply = Supply(run)
        self._decided = _Decided()
        self._control.follow(self._begin)
        self._timeline = RunTimeline.of(run)
        self._passed = 0
        self._proposed = 0

    def _begin(self, first: int) -> _Decided:
        self._decided = _Decided()
        return self._decided

    def refresh(self) -> None:
        """Brings it up to date; raises :class:`~sluice.errors.KafkaUnreachable`."""
        self._drop_counts()
        self._control.refresh()
        self._timeline = self._control.timeline

    def _drop_counts(self) -> None:
        """Lets go of what was granted in rounds that are over, which nobody will ask for."""
        step = self.open_step - self.run.update_every
        if step > self._passed:
            self._passed = step
            self._control.mixture(step, self._supply)

    @property
    def state(self) -> str:
        """What the run is, such as ``running`` or ``paused``."""
        return self._control.fold.state

    @property
    def why(self) -> str:
        """Why it is in this state; may be ''."""
        return self._control.fold.why

    @property
    def granted(self) -> int:
        """Last granted batch."""
        return self._control.fold.granted

    @property
    def is_complete(self) -> bool:
        """Whether it has ended well, so that no round is decided any more."""
        return self.state in _COMPLETE

    @property
    def has_failed(self) -> bool:
        """Whether it has failed or was deleted."""
        return self._control.fold.emits_no_more

    @property
    def open_step(self) -> int:
        """The step of the round that is decided next."""
        return (self._decided.round + 1) * self.run.update_every

    @property
    def weights(self) -> dict[str, float]:
        """The weights that were decided last, of the domains that are in the run; they sum to 1."""
        run = self.run
        weights = dict(zip(run.domains, self._decided.weights, strict=False))
        present = {name: weights.get(name, 0) for name in run.present_domains}
        total = sum(present.values())
        return {name: weight / total if total else 0.0 for name, weight in present.items()}

    @property
    def run(self) -> RunInfo:
        """The run under its present specification."""
        return self._timeline.run

    def proposed(self, step: int) -> None:
        """Takes note that the weights of a step's round were sent."""
        self._proposed = step

    @property
    def waits(self) -> bool:
        """Whether the round that weights were sent for last is still open."""
        return self._proposed == self.open_step

    def run_at(self, batch: int) -> RunInfo:
        """The run under the specification that governs a batch."""
        return self._timeline.run_at(batch)

    def announce(self, metrics: Iterable[str]) -> None:
        """Nobody is told what no trainer measures."""

    def timeline_of(self, step: int) -> int:
        """The timeline that owns a step; none, -1, if its round is over, so that nothing is said
        of it again."""
        return -1 if step < self.open_step else self._timeline.timelines.owner(step)

    def read(self, batch: int) -> list[wire.Record]:
        """Nothing is read."""
        return []

    def require_held(self) -> None:
        """There is no rank to be taken."""

    def close(self) -> None:
        """Gives the connection back."""
        self._control.close()
