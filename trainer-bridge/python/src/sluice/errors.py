"""Why a stream, a run or a measurement cannot be used; the messages say what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from typing import Any


class SluiceError(Exception):
    """Base of every error of this package."""


class WireFormatError(SluiceError):
    """Bytes that are not the record they were read as."""


class StreamError(SluiceError):
    """A reason why a run's stream cannot give its next batch."""


class StreamMissing(StreamError):
    """The run's stream topic does not exist, or has another number of partitions than the run; or
    a file of a run without a stream."""


class StreamCorrupt(StreamError):
    """Records of a run that contradict each other."""


class KafkaUnreachable(SluiceError):
    """No broker answered in time."""


class KafkaRefused(KafkaUnreachable):
    """A broker answered, and takes this client's password or certificate for no valid one, or the
    client the broker's."""


class ServiceUnavailable(SluiceError):
    """The service of this machine is not installed, or did not start."""


class EvalSetError(SluiceError):
    """Held-out blocks that are missing, incomplete or unreadable."""


class InvalidFeedback(SluiceError, ValueError):
    """A measurement that no run could use; it was not sent."""


class PolicyFailed(SluiceError):
    """A function that decides a run's weights, and failed at a round."""


class InvalidWeights(PolicyFailed, ValueError):
    """An answer of such a function that no run could follow; it was not sent."""


class FeedbackLost(SluiceError):
    """Feedback that the broker did not acknowledge; the client takes no more."""


class ExportFailed(SluiceError):
    """A tracker of experiments that takes no rows, or whose library is not installed."""


class InvalidWorldSize(SluiceError, ValueError):
    """A rank out of its range, or a world size that does not divide the run's batches."""


class InvalidState(SluiceError, ValueError):
    """A stream state of another run, or none at all."""


class TokenizerMismatch(SluiceError, ValueError):
    """A run whose token ids the trainer's model cannot take."""


class TokenizerUnavailable(SluiceError):
    """A dataset whose tokenizer's file is nowhere, or not what it was, or has no file."""


class SequenceLengthMismatch(SluiceError, ValueError):
    """A run whose rows are longer or shorter than those that the trainer takes."""


class ForkedProcess(SluiceError, RuntimeError):
    """A client that was opened in one process and used in its fork."""

    def __init__(self, what: str, owner: int, user: int) -> None:
        super().__init__(
            f"this {what} was opened in process {owner} and is used in its fork {user}, which a "
            f"Kafka client does not survive: open the {what} in the process that uses it "
            "(torch DataLoader: num_workers=0, it fetches in a thread of its own)"
        )


class UnsuitableDataLoader(SluiceError, ValueError):
    """A ``DataLoader`` that would shard, skip or repeat what the stream has sharded already."""


class Rewound(StreamError):
    """The run went on under a newer timeline than the reader's."""

    def __init__(self, own: int, timeline: int, batch: int) -> None:
        super().__init__(
            f"the run was rewound to batch {batch} and goes on as timeline {timeline} "
            f"(this reader follows timeline {own}): "
            f"resume from a checkpoint at or before batch {batch}"
        )
        self.timeline = timeline
        self.batch = batch


class RankTaken(StreamError):
    """Another process took this one's rank of the run's trainer."""

    def __init__(self, holder: Mapping[str, Any]) -> None:
        replica = f", replica {holder['replica']}" if holder["replica"] else ""
        since = datetime.fromtimestamp(holder["timeMillis"] / 1000, timezone.utc)
        super().__init__(
            f"rank {holder['rank']} of {holder['worldSize']}{replica} of run {holder['runId']} was "
            f"taken by process {holder['pid']} on host {holder['host']} at "
            f"{since:%Y-%m-%dT%H:%M:%SZ}: stop one of the two, or give each a rank, replica or run "
            "of its own"
        )
        self.host = str(holder["host"])
        self.pid = int(holder["pid"])


class RunEnded(StreamError):
    """The run will not give another batch: it completed, was stopped or deleted, or failed."""

    def __init__(self, run_id: str, state: str, last_batch: int, why: str) -> None:
        reason = f" ({why})" if why else ""
        super().__init__(
            f"run {run_id} is {state}{reason}: batch {last_batch} was the last one handed out"
        )
        self.state = state
        self.last_batch = last_batch


class StreamGap(StreamError):
    """A sequence stays away although later ones of its partition have been read."""

    def __init__(self, partition: int, index: int, seen: int, seconds: float) -> None:
        super().__init__(
            f"sequence {index} is missing from stream partition {partition}: "
            f"later ones, up to {seen}, have been read for {int(seconds)} s"
        )
        self.partition = partition
        self.index = index
        self.seconds = seconds


class StreamStalled(StreamError):
    """The next batch did not become complete in the given time; asking again is fine.

    ``index`` and ``partition`` are those of its first sequence that is missing, -1 in a run without
    a stream.
    """

    def __init__(self, batch: int, index: int, partition: int, timeout: float, status: str) -> None:
        awaited = f"sequence {index} of stream partition {partition} is awaited; "
        super().__init__(
            f"batch {batch} did not come within {timeout:g} s: "
            f"{awaited if partition >= 0 else ''}{status}"
        )
        self.batch = batch
        self.index = index
        self.partition = partition
        self.status = status


class BatchNoLongerRetained(StreamError):
    """The batch that was asked for has been removed from the stream's topic."""

    def __init__(self, topic: str, batch: int, oldest: int) -> None:
        left = f"the oldest batch left is {oldest}" if oldest else "no batch is left"
        super().__init__(
            f"batch {batch} is no longer retained in {topic}: {left}; "
            "resume from a later checkpoint, or keep the stream for longer"
        )
        self.batch = batch
        self.oldest = oldest


class UnknownRun(SluiceError):
    """No run of that name has been started; the message lists those that have."""

    def __init__(self, run: str, known: Iterable[str], timeout: float) -> None:
        names = ", ".join(sorted(set(known))) or "none"
        super().__init__(f"no run '{run}' was started within {timeout:g} s; known runs: {names}")
