"""A trainer of ``sluice chaos``: takes every batch at a steady pace, and writes down what it took.

It trains no model, and reports losses that follow from step and domain. Killed and started again,
it goes back to its last checkpoint, as a trainer does. ``python -m sluice.bench.scripted BOOTSTRAP
PREFIX RUN_ID JOURNAL METRIC PACE HURRIED ZERO [MARK...]``: the journal is a file of lines as the
lab reads them, and beside it is a history as ``deploy/checker/README.md`` has it; METRIC is
reported after every step ('' for none); PACE are milliseconds between two batches after the first
HURRIED; ZERO is what the wall clock said, in milliseconds, when the monotonic one was 0.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sluice.bench.records import Chronicle, Tap, batch_digest, row_digests
from sluice.claim.claim import RankClaim
from sluice.claim.log import KafkaClaimLog
from sluice.errors import RunEnded, StreamStalled
from sluice.feedback.reporter import FeedbackReporter
from sluice.kafka.access import KafkaAccess
from sluice.run.control import ControlLog
from sluice.run.directory import started_runs
from sluice.run.info import RunInfo
from sluice.run.log import RunLog
from sluice.run.rank import TrainerRank
from sluice.stream.batch import Batch
from sluice.stream.loader import Loader
from sluice.stream.reader import StreamReader
from sluice.stream.source import KafkaSource

_SAVE_EVERY = 10
_PATIENCE = 10.0
_GAP_SECONDS = 300.0
_STATUS_SECONDS = 5.0
_BUFFER = 4 << 20
_SHARE_LEARNED = 0.002
_TOKENS = 1000


class Task(NamedTuple):
    """The arguments."""

    bootstrap: str
    prefix: str
    run_id: str
    journal: Path
    metric: str
    pace: float
    hurried: int
    zero_millis: int

    @staticmethod
    def parse(given: Sequence[str]) -> Task:
        """Reads them; whatever follows them is no argument."""
        bootstrap, prefix, run_id, journal, metric, pace, hurried, zero = given[:8]
        return Task(
            bootstrap,
            prefix,
            run_id,
            Path(journal),
            metric,
            int(pace) / 1000,
            int(hurried),
            int(zero),
        )


class ScriptedTrainer:
    """One life of the trainer."""

    def __init__(self, task: Task, run: RunInfo, access: KafkaAccess) -> None:
        self._task = task
        self._run = run
        self._tap = Tap(task.bootstrap, task.prefix)
        log = RunLog(access, run.run_id)
        alone = TrainerRank.of((0, 1), 0)
        reader = StreamReader(
            run,
            KafkaSource(self._tap, run, _BUFFER),
            ControlLog(run, lambda: log),
            alone,
            gap_timeout=_GAP_SECONDS,
            status_interval=_STATUS_SECONDS,
        )
        metrics = (task.metric,) if task.metric else ()
        claim = RankClaim(run.run_id, KafkaClaimLog(access, run), alone, metrics)
        self._loader = Loader.over(reader, claim=claim)
        self._loader.access = access
        self._feedback = FeedbackReporter(self._loader)
        self._written = Chronicle(task.journal, run.run_id, task.zero_millis)
        self._attempt = uuid.uuid4().hex

    def train(self) -> None:
        """Trains until the run ends."""
        saved = done = self._written.begin()
        self._loader.seek_to_batch(done + 1)
        while True:
            self._written.says("invoke", "take", batch=done + 1)
            asked = time.monotonic()
            whole = self._next()
            self._take(whole, asked)
            done = whole.info.batch
            self._report(whole)
            self._written.says("invoke", "progress", batch=done)
            self._feedback.progress(done)
            if done % _SAVE_EVERY == 0:
                self._feedback.flush()
                self._written.saves(whole.info.timeline, done, saved)
                saved = done
            if done > self._task.hurried:
                time.sleep(self._task.pace)

    def _next(self) -> Batch:
        while True:
            try:
                return self._loader.next(_PATIENCE).whole
            except StreamStalled as stalled:
                print(stalled, flush=True)

    def _take(self, whole: Batch, asked: float) -> None:
        info = whole.info
        taken = self._tap.take(info.timeline, whole.index)
        digests = row_digests(taken, whole)
        self._written.says(
            "ok",
            "take",
            timeline=info.timeline,
            batch=info.batch,
            version=info.weights_version,
            first=info.first_index,
            size=info.size,
            rows=[
                [int(index), info.domain_names[domain] if domain >= 0 else "", digest]
                for index, domain, digest in zip(whole.index, whole.domains, digests, strict=True)
            ],
        )
        self._written.accepted(
            info, len(whole), batch_digest(taken), int((time.monotonic() - asked) * 1000)
        )

    def _report(self, whole: Batch) -> None:
        metric, step = self._task.metric, whole.info.batch
        if not metric:
            return
        totals: dict[str, Any] = {
            domain: (_TOKENS * 4 / (1 + _SHARE_LEARNED * (i + 1) * step), _TOKENS)
            for i, domain in enumerate(self._run.domains)
        }
        attempt = f"{self._attempt}-{step}"
        self._written.says(
            "invoke",
            "report",
            timeline=whole.info.timeline,
            step=step,
            metric=metric,
            attempt=attempt,
        )
        self._feedback.measure(metric, step, totals, attempt=attempt)


def _die_with_parent() -> None:
    """Whoever started this holds the other end of its standard input."""

    def watch() -> None:
        while os.read(sys.stdin.fileno(), 1024):
            pass
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def main(arguments: Sequence[str]) -> int:
    """Trains."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    task = Task.parse(arguments)
    access = KafkaAccess(task.bootstrap, task.prefix)
    run = next((one for one in started_runs(access) if one.run_id == task.run_id), None)
    if run is None:
        print(f"no run has the id {task.run_id}", flush=True)
        return 1
    try:
        ScriptedTrainer(task, run, access).train()
    except RunEnded as ended:
        print(ended, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
