"""Optimizer steps of a run, for a training loop."""

from __future__ import annotations

import logging
import math
import os
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from sluice.cache.folder import Folder, folder_at
from sluice.claim.claim import RankClaim
from sluice.claim.log import KafkaClaimLog
from sluice.closing import Closing
from sluice.errors import (
    ForkedProcess,
    Rewound,
    RunEnded,
    StreamCorrupt,
)
from sluice.kafka.access import KafkaAccess
from sluice.run.directory import started_run
from sluice.run.fits import require_fits
from sluice.run.heaviest import TOP
from sluice.run.info import RunInfo
from sluice.run.rank import TrainerRank
from sluice.run.run_timeline import RunTimeline
from sluice.run.state import StreamState
from sluice.run.status import KafkaStatus, NoStatus, StatusSource
from sluice.stream.batch import Batch, Step, for_supply, taken_at
from sluice.stream.batch_reader import BatchReader
from sluice.stream.exposed import GRANT, SUPPLY, ExposedTime
from sluice.stream.handed_out import HandedOut
from sluice.stream.notices import LoaderNotices
from sluice.stream.open_reader import open_reader
from sluice.stream.prefetch import Prefetcher

_LOG = logging.getLogger("sluice")
_IN_ORDER = frozenset({"completed", "stopped"})  # all that was granted was handed out


class Loader(Closing):
    """Iterates over the optimizer steps of one data-parallel rank; ends when the run does.

    Rank r of W has rows [r * G / W, (r + 1) * G / W) of each global batch of G sequences, and reads
    only the stream partitions that hold them where the batch sizes allow that. Peers that share
    a rank (tensor or pipeline parallel) read identical rows. Where the run's ``sequence-length`` is
    shorter than its dataset's, each of these is cut into rows of that. A thread reads about
    ``prefetch_bytes`` ahead. Not thread-safe, and not usable in a fork of the process it was opened
    in.

    ``dp`` is (rank, world size) or a one-dimensional torch ``DeviceMesh``; ``replica`` tells the
    peers of a rank apart. The first step takes the rank: an older process that holds it too fails
    with :class:`~sluice.errors.RankTaken`. ``metrics`` are what this trainer measures, so that a
    policy that needs something else can say so; without any, the rank is taken all the same, and
    with ``attach=False`` it is not. ``micro_batch`` is the
    rows of a micro-batch, by default all of the rank's. ``vocabulary`` is the model's, checked
    against the run's tokenizer, and ``sequence_length`` the labels of the longest row that it
    takes, checked against the run's. ``gap_timeout`` is how many seconds the stream is read on past
    a missing sequence before :class:`~sluice.errors.StreamGap`. ``cache`` is the folder of
    ``sluice cache`` on this node, by default what ``SLUICE_NODE_CACHE`` names: a run without a
    stream reads its rows through it, which it has to where these are in a bucket.

    A batch is waited for as long as it takes: while the run is paused, or waits for a round, for
    documents or for a trainer. Once a minute a warning says what the service waits for, and the
    command that shows it. ``timeout`` is for who would rather be told by an exception: after so
    many seconds without a batch it is :class:`~sluice.errors.StreamStalled`, and asking again is
    fine.
    """

    def __init__(
        self,
        run: str | RunInfo,
        *,
        dp: Any = (0, 1),
        replica: int = 0,
        metrics: Sequence[str] = (),
        attach: bool = True,
        micro_batch: int | None = None,
        prefetch_bytes: int = 64 << 20,
        bootstrap: str = "localhost:9092",
        prefix: str = "sluice.",
        vocabulary: int | None = None,
        sequence_length: int | None = None,
        timeout: float | None = None,
        gap_timeout: float = 300.0,
        config: Mapping[str, Any] | None = None,
        cache: Folder | None = None,
    ) -> None:
        rank = TrainerRank.of(dp, replica)
        _require_positive("micro_batch", 1 if micro_batch is None else micro_batch)
        _require_positive("prefetch_bytes", prefetch_bytes)
        folder = None if cache is None else folder_at("cache", cache)
        access = KafkaAccess(bootstrap, prefix, config or {})
        info = started_run(access, run) if isinstance(run, str) else run
        require_fits(info, vocabulary, sequence_length)
        rank.require_shares(RunTimeline.of(info))
        reader = open_reader(access, info, rank, prefetch_bytes // 4, gap_timeout, folder)
        claim = None
        if attach:
            claim = RankClaim(info.run_id, KafkaClaimLog(access, info), rank, metrics)
        self.access = access
        ahead = Prefetcher(reader, prefetch_bytes // 2)
        notices = LoaderNotices(info, KafkaStatus(access, info.run_id))
        self._read_from(reader, claim, micro_batch, ahead, timeout, time.time, notices)

    @classmethod
    def over(
        cls,
        reader: BatchReader[Any],
        *,
        claim: RankClaim | None = None,
        micro_batch: int | None = None,
        ready_bytes: int = 32 << 20,
        timeout: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        status: StatusSource | None = None,
    ) -> Loader:
        """A loader over a reader of one's own, such as one without a broker."""
        loader = cls.__new__(cls)
        loader.access = KafkaAccess()
        ahead = Prefetcher(reader, ready_bytes, clock)
        notices = LoaderNotices(reader.run_timeline.run, status or NoStatus())
        loader._read_from(reader, claim, micro_batch, ahead, timeout, wall, notices)
        return loader

    def _read_from(
        self,
        reader: BatchReader[Any],
        claim: RankClaim | None,
        micro_batch: int | None,
        prefetcher: Prefetcher,
        timeout: float | None,
        wall: Callable[[], float],
        notices: LoaderNotices,
    ) -> None:
        self._wall = wall
        self._notices = notices
        self._begins = True
        self._ended: RunEnded | None = None
        self.rank = reader.rank
        self._claim = claim
        self._attached = False
        self._reader = reader
        self._micro_batch = micro_batch
        self._timeout = timeout
        self._prefetcher = prefetcher
        self._state = reader.state
        self._followed = reader.run_timeline.timelines
        self._handed_out = HandedOut(prefetcher.clock)
        self._watching: list[Callable[[Step], None]] = []
        self._waits = False
        self._process = os.getpid()
        self._closing = weakref.finalize(self, _close, self._prefetcher, self._claim, self._process)

    def __iter__(self) -> Iterator[Step]:
        while True:
            try:
                yield self.next()
            except RunEnded as ended:
                if ended.state not in _IN_ORDER:
                    raise
                if ended.state != "completed":
                    _LOG.warning("%s", ended)
                return

    def next(self, timeout: float | None = None) -> Step:
        """The next step; waits for it, by default as long as the loader's ``timeout`` says."""
        self._require_own_process()
        self._attach()
        self._look_at_beginning()
        batch = self._await(self._timeout if timeout is None else timeout)
        self._require_stands(batch)
        self._require_next(batch)
        self._state = batch.info.end
        step = Step(taken_at(batch, self._wall()), self._micro_batch)
        self._handed_out.add(step.info)
        for seen in self._watching:
            seen(step)
        return step

    def watch(self, seen: Callable[[Step], None]) -> None:
        """Calls a function with every step from now on, before it is handed out."""
        self._watching.append(seen)

    def _await(self, timeout: float | None) -> Batch:
        """Whoever is told that the batch stays away still waits for it."""
        self._waits = True
        tell = partial(self._tell, self._state.batch + 1)
        try:
            patience = math.inf if timeout is None else timeout
            batch = self._prefetcher.next(patience, self.require_held, tell)
        except RunEnded as ended:
            self._waits = False
            self._ended = ended
            raise
        self._waits = False
        lacked = self._notices.lacks_supply(batch.info.batch)
        return for_supply(batch) if lacked else batch

    def _tell(self, awaited: int, seconds: float, reason: str) -> None:
        self._notices.waits(awaited, seconds, reason)
        if self._reader.last_cause == GRANT:
            self._notices.asks_for_supply(awaited, seconds)

    @property
    def ended(self) -> RunEnded | None:
        """Why there is no further step, once that is known: its ``state`` tells whether the run was
        completed, or was stopped before."""
        return self._ended

    def _look_at_beginning(self) -> None:
        """The rank that speaks for all looks once whether a state would have been expected, while
        the first batches are read."""
        speaks = self._claim is not None and self.rank.rank == 0 and self.rank.reports
        if self._begins and speaks:
            self._prefetcher.start()
            self._notices.begins_without_state(self._reader.run_timeline)
        self._begins = False

    @property
    def waits(self) -> bool:
        """Whether a step was asked for that is not there yet."""
        return self._waits

    def announce(self, metrics: Iterable[str]) -> None:
        """Says what this trainer measures, beside what it was told when it was opened."""
        if self._claim is not None and self._claim.measure(metrics) and self._attached:
            self._claim.attach(self._state)

    def _attach(self) -> None:
        if self._claim is not None and not self._attached:
            self._claim.require_held()  # who lost the rank does not take it back by seeking
            self._attached = True
            self._claim.attach(self._state)

    def require_held(self) -> None:
        """Fails once another process has this one's rank."""
        if self._claim is not None:
            self._claim.require_held()

    def _require_stands(self, batch: Batch) -> None:
        """A batch that was read ahead may have been taken back since."""
        timelines = self._reader.run_timeline.timelines
        followed = self._followed.newest
        end = timelines.end(followed)
        if batch.info.batch > end:
            raise Rewound(followed, timelines.newest, end)

    def _require_next(self, batch: Batch) -> None:
        """Whatever was read ahead, batches are handed out in order, and none is left out."""
        found = batch.info.batch, batch.info.first_index
        expected = self._state.batch + 1, self._state.first_index
        if found != expected:
            raise StreamCorrupt(
                f"batch {found[0]} starting at sequence {found[1]} came instead of batch "
                f"{expected[0]} starting at sequence {expected[1]}"
            )

    @property
    def run(self) -> RunInfo:
        """The run under the specification that governs the last step, or the first one."""
        known = self._reader.run_timeline
        return known.run_at(max(self._state.batch, known.start.batch + 1))

    def run_at(self, batch: int) -> RunInfo:
        """The run under the specification that governs a batch, as far as it is known."""
        return self._reader.run_timeline.run_at(batch)

    def micro_batches(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Stretches of batches that are cut alike, from one batch to another, as far as the run is
        known: the first batch of each, and the micro-batches of this rank in its steps."""
        for stretch in self._reader.run_timeline.schedule(first - 1):
            if stretch.batch > last:
                return
            run = self.run_at(stretch.batch)
            parts = run.sequence_length // run.row_length(stretch.batch)
            rows = len(self.rank.rows(stretch.batch, stretch.sequences)) * parts
            yield stretch.batch, -(-rows // (self._micro_batch or rows))

    @property
    def row_length(self) -> int:
        """Labels in a row of the batch that was trained on last; of the first one before any."""
        known = self._reader.run_timeline
        batch = self._handed_out.batch or max(self._state.batch, known.start.batch + 1)
        return self.run_at(batch).row_length(batch)

    def state_after(self, batch: int) -> dict[str, Any]:
        """The state of a trainer that has trained on this batch and none after it.

        For frameworks that fetch ahead of what they train on: :meth:`state_dict` is ahead, too.
        """
        return self._reader.run_timeline.before(batch + 1).to_dict()

    @property
    def batch(self) -> int:
        """Number of the last batch that was handed out."""
        return self._state.batch

    def timeline_of(self, step: int) -> int:
        """The timeline that owned a step when this loader went to its place: feedback names it.

        What was measured on batches that a rewind took back since is still theirs.
        """
        return self._followed.owner(step)

    def state_dict(self) -> dict[str, Any]:
        """Position after the last step that was handed out, the same on every rank."""
        return self._state.to_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on after the step that the state was taken at, whatever the world size was.

        A fork takes a state of the run that it continues, of exactly the batch that it continues.
        """
        own = StreamState.from_dict(dict(state))
        self._seek(lambda: self._reader.seek(own))

    def seek_to_batch(self, batch: int) -> None:
        """Goes to a batch, from 1, so that it is the next one."""
        self._seek(lambda: self._reader.seek_to_batch(batch))

    def _seek(self, go: Callable[[], None]) -> None:
        self._require_own_process()
        self._prefetcher.seek(go)
        self._begins = False
        self._ended = None
        self._handed_out.forget()
        self._state = self._reader.state
        self._followed = self._reader.run_timeline.timelines
        self._attached = False

    def trained(self, batch: int) -> None:
        """Says that a batch has been trained on, for frameworks that fetch ahead: from then on
        :meth:`metrics` are those of the last one that was."""
        self._handed_out.trained(batch)

    def read(self, batch: int) -> list[dict[str, Any]]:
        """Digests of the batches up to this one, for the run to hear of: each is given once."""
        return self._handed_out.digests.take(batch)

    def metrics(self, top: int | None = TOP) -> dict[str, float]:
        """The metrics of the last step that was trained on, and this loader's own, flat.

        That is the last one that was handed out, unless :meth:`trained` says otherwise. ``top`` is
        of how many domains, as :meth:`StepInfo.metrics` says.
        """
        own = {
            "sluice/ready_bytes": float(self._prefetcher.ready_bytes),
            "sluice/undecodable_blocks": float(self.undecodable),
        }
        return self._handed_out.metrics(top) | own

    @property
    def exposed(self) -> ExposedTime:
        """What the steps waited for since the loader was opened, with a wait that is going on,
        which counts under what it waits for now. The first that is taken, and the first after it
        went elsewhere, are not among them: what those waited for is the start."""
        since = self._prefetcher.waiting_since
        cause = self._reader.last_cause
        waits_for_grant = since is not None and cause == GRANT
        if waits_for_grant and self._notices.lacks_supply(self._state.batch + 1):
            cause = SUPPLY
        return self._handed_out.waiting(since, cause)

    @property
    def undecodable(self) -> int:
        """Blocks of this rank that could not be used and were handed on masked."""
        return self._reader.undecodable

    def _require_own_process(self) -> None:
        if os.getpid() != self._process:
            raise ForkedProcess("Loader", self._process, os.getpid())

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError(
            "a Loader cannot be sent to another process: open it in the process that uses it "
            "(torch DataLoader: num_workers=0, it fetches in a thread of its own)"
        )

    def close(self) -> None:
        """Stops the thread and gives the connections back."""
        self._closing()


def _close(prefetcher: Prefetcher, claim: RankClaim | None, process: int) -> None:
    if os.getpid() == process:
        prefetcher.close()
        if claim is not None:
            claim.close()


def _require_positive(key: str, value: int) -> None:
    if value < 1:
        raise ValueError(f"{key} must be at least 1: {value}")
