"""Global batches of a run, for a training loop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sluice import wire
from sluice.access import KafkaAccess, LogReader
from sluice.assembler import Accepted, StreamAssembler, StreamState
from sluice.blocks import BlockReader
from sluice.directory import find_run
from sluice.errors import KafkaUnreachable, RunEnded, StreamStalled
from sluice.runs import LoggedRun, RunInfo
from sluice.source import KafkaSource, Source

_POLL_SECONDS = 0.1
_CONTROL_TIMEOUT = 10.0


@dataclass(frozen=True)
class Batch:
    """One rank's part of a global batch, in stream order.

    ``tokens`` is [n, L + 1] int64; label i of a sequence is token i + 1. ``loss_mask`` is [n, L]
    bool: the labels that count. ``domains`` is [n] int64, positions in the run's domains, -1 for a
    block that could not be used (its labels are all masked). ``index`` is [n] int64.
    """

    timeline: int
    batch: int
    first_index: int
    size: int
    weights_version: int
    index: NDArray[np.int64]
    domains: NDArray[np.int64]
    tokens: NDArray[np.int64]
    loss_mask: NDArray[np.bool_]

    def torch(self, device: Any = None) -> dict[str, Any]:
        """The arrays as tensors: ``index``, ``domains``, ``tokens``, ``loss_mask``."""
        import torch

        arrays = {
            "index": self.index,
            "domains": self.domains,
            "tokens": self.tokens,
            "loss_mask": self.loss_mask,
        }
        return {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}


def batch_of(sequences: list[Accepted], length: int, rank: int, world_size: int) -> Batch:
    """The contiguous part of a global batch that one rank trains on."""
    size = len(sequences)
    part = sequences[size * rank // world_size : size * (rank + 1) // world_size]
    shape = sequences[0].header
    return Batch(
        timeline=shape.timeline,
        batch=shape.batch,
        first_index=shape.first_index,
        size=size,
        weights_version=shape.weights_version,
        index=np.array([s.header.index for s in part], dtype=np.int64),
        domains=np.array([s.block.domain for s in part], dtype=np.int64),
        tokens=np.array([s.block.tokens for s in part], dtype=np.int64).reshape(-1, length + 1),
        loss_mask=np.array([s.block.loss_mask for s in part], dtype=np.bool_).reshape(-1, length),
    )


class ControlLog:
    """What the control log says about one run, read on demand."""

    def __init__(self, access: KafkaAccess, run: RunInfo) -> None:
        self.run = LoggedRun(run.run_id)
        self._access = access
        self._reader: LogReader | None = None

    def refresh(self) -> None:
        """Brings the run up to date."""
        if self._reader is None:
            self._reader = LogReader(self._access, self._access.topics.control)
        self._reader.catch_up(
            _CONTROL_TIMEOUT,
            lambda record: self.run.apply(
                record.partition, record.offset, wire.decode_as("ControlRecord", record.value)
            ),
        )

    def close(self) -> None:
        """Gives the connection back."""
        if self._reader is not None:
            self._reader.close()


class StreamReader:
    """Global batches of one run in order, each exactly once; the loader without Kafka."""

    def __init__(
        self,
        run: RunInfo,
        source: Source,
        control: ControlLog,
        *,
        gap_timeout: float,
        status_interval: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.run = run
        self.blocks = BlockReader(run)
        self._source = source
        self._control = control
        self._gap_timeout = gap_timeout
        self._status_interval = status_interval
        self._clock = clock
        self.seek(StreamState(run.run_id))

    def seek(self, state: StreamState) -> None:
        """Goes to a state, so that the next batch is the one after it."""
        if state.run_id != self.run.run_id:
            raise ValueError(
                f"the state is of run {state.run_id}, this stream is of run {self.run.run_id}"
            )
        self._assembler = StreamAssembler(state, self.run.partitions, self.blocks)
        self._source.seek(state.batch + 1)

    def seek_to_batch(self, batch: int) -> None:
        """Goes to a batch, so that it is the next one, on the present timeline."""
        if batch < 1:
            raise ValueError(f"batch must be at least 1: {batch}")
        first = self.run.first_index(batch)
        self.seek(StreamState(self.run.run_id, self._assembler.timeline, batch - 1, first))

    @property
    def state(self) -> StreamState:
        """Position after the last batch that was handed out."""
        return self._assembler.state

    def next(self, timeout: float) -> list[Accepted]:
        """The sequences of the next global batch; waits for them."""
        self._require_batches_left()
        start = asked = self._clock()
        sequences = self._assembler.take()
        while sequences is None:
            now = self._clock()
            left = timeout - (now - start)
            if left > 0 and now - asked < self._status_interval:
                sequences = self._read(min(left, _POLL_SECONDS))
                continue
            waits_for = self._ask_control_log()
            asked = now
            sequences = self._take_unless_ended()
            if sequences is None and left <= 0:
                awaited = self._assembler.awaited
                raise StreamStalled(
                    awaited.batch, awaited.index, awaited.partition, timeout, waits_for
                )
        return sequences

    def _read(self, seconds: float) -> list[Accepted] | None:
        before = self._clock()
        self._source.poll(seconds, self._assembler)
        self._assembler.read_for(self._clock() - before)
        if not self._assembler.has_next:
            self._assembler.check_gaps(self._gap_timeout)
        return self._assembler.take()

    def _require_batches_left(self) -> None:
        if 0 < self.run.batches <= self._assembler.last_batch:
            raise RunEnded(
                self.run.run_id,
                "completed",
                self._assembler.last_batch,
                f"{self.run.batches} batches",
            )

    def _take_unless_ended(self) -> list[Accepted] | None:
        """Reads what an ended run has left; fails if that does not complete the batch."""
        sequences = self._assembler.take()
        logged = self._control.run
        if not logged.ended_before(self._assembler.awaited.batch):
            return sequences
        self._source.mark_end()
        while sequences is None and not self._source.reached_end(self._assembler):
            sequences = self._read(_POLL_SECONDS)
        if sequences is None:
            raise RunEnded(self.run.run_id, logged.state, self._assembler.last_batch, logged.why)
        return sequences

    def _ask_control_log(self) -> str:
        try:
            self._control.refresh()
        except KafkaUnreachable as error:
            return str(error)
        return self._control.run.describe(self._assembler.awaited.batch)

    def close(self) -> None:
        """Gives the connections back."""
        self._source.close()
        self._control.close()


class Loader:
    """Iterates over the batches of a run; ends when the run is complete.

    Every rank reads the whole stream and keeps its contiguous part of each batch. ``timeout`` is
    how many seconds a batch may stay away before :class:`~sluice.errors.StreamStalled`,
    ``gap_timeout`` how long the stream is read on past a missing sequence before
    :class:`~sluice.errors.StreamGap`. Not thread-safe.
    """

    def __init__(
        self,
        run: str | RunInfo,
        bootstrap: str = "localhost:9092",
        prefix: str = "sluice.",
        *,
        rank: int = 0,
        world_size: int = 1,
        timeout: float = 600.0,
        gap_timeout: float = 300.0,
        buffer: int = 4096,
        config: Mapping[str, Any] | None = None,
    ) -> None:
        if not 0 <= rank < world_size:
            raise ValueError(
                "rank must be in [0, world size), world size at least 1: "
                f"rank {rank} of {world_size}"
            )
        access = KafkaAccess(bootstrap, prefix, config or {})
        info = find_run(access, run) if isinstance(run, str) else run
        self.run = info
        self._rank = rank
        self._world_size = world_size
        self._timeout = timeout
        self._reader = StreamReader(
            info,
            KafkaSource(access, info, buffer),
            ControlLog(access, info),
            gap_timeout=gap_timeout,
            status_interval=5.0,
        )

    def __iter__(self) -> Iterator[Batch]:
        while True:
            try:
                yield self.next()
            except RunEnded as ended:
                if ended.state == "completed":
                    return
                raise

    def next(self, timeout: float | None = None) -> Batch:
        """The next batch; waits for it."""
        sequences = self._reader.next(self._timeout if timeout is None else timeout)
        return batch_of(sequences, self.run.sequence_length, self._rank, self._world_size)

    def state_dict(self) -> dict[str, Any]:
        """Position after the last batch that was handed out."""
        return self._reader.state.to_dict()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on after the batch that the state was taken at, whatever the world size was."""
        self._reader.seek(StreamState.from_dict(state))

    def seek_to_batch(self, batch: int) -> None:
        """Goes to a batch, from 1, so that it is the next one."""
        self._reader.seek_to_batch(batch)

    @property
    def undecodable(self) -> int:
        """Blocks that could not be used and were handed on masked."""
        return self._reader.blocks.undecodable

    def close(self) -> None:
        """Gives the connections back."""
        self._reader.close()

    def __enter__(self) -> Loader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
