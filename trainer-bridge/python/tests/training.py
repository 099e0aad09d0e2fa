"""Loops over a small stream, and what they send."""

from __future__ import annotations

from typing import Any

from records import entry, required, started
from senders import MemorySender
from sluice.feedback.reporter import FeedbackReporter
from sluice.run.info import RunInfo
from sluice.stream.loader import Loader
from sluice.torch import StepFeedback
from writers import MemorySource, TestingStream, reader_over

STREAM = TestingStream(2, [4] * 8, batches=8)
STREAM.run.spec["updateEvery"] = 2
LOSSES = {"java": (2.0, 4), "prose": (3.0, 4), "config": (1.0, 4)}


def loader(
    micro_batch: int | None = None,
    policy: str = "static",
    *metrics: str,
    stream: TestingStream = STREAM,
    stopped: bool = False,
) -> Loader:
    """A loader of a run with all its batches, or of one that was stopped after them."""
    source = MemorySource(2, waits=True)
    source.write(stream.sequences)
    decides: dict[str, Any] = {"policy": policy, "metrics": [required(name) for name in metrics]}
    log = []
    if stopped:
        decides["batches"] = 0
        state = {"state": "stopped", "commandId": ""}
        log.append(entry(1, 0, "RunStateChanged", state, "java has ended"))
    run = RunInfo("r-1", stream.run.spec | decides)
    return Loader.over(reader_over(source, run, [started(run), *log]), micro_batch=micro_batch)


def feedback(steps: Loader, **settings: Any) -> tuple[StepFeedback, MemorySender]:
    sender = MemorySender()
    client = FeedbackReporter(steps, sender=sender)
    return StepFeedback(steps, evaluate=lambda: LOSSES, feedback=client, **settings), sender
