"""What a scripted trainer took, from the broker's bytes, and where it writes that down."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sluice.errors import WireFormatError
from sluice.kafka.access import KafkaAccess
from sluice.stream.batch import Batch
from sluice.stream.step_info import StepInfo
from sluice.wire.header import KEY, StreamHeader

_WORD = (1 << 64) - 1
_HEX = 16  # the first 8 bytes of a SHA-256


class Record(NamedTuple):
    """A record of the stream, as the broker has it."""

    header: bytes
    value: bytes


class Tap(KafkaAccess):
    """Access that keeps the bytes of a stream's records until they are taken."""

    @cached_property
    def kept(self) -> dict[tuple[int, int], Record]:
        """By timeline and index; of several the first, as readers take them."""
        return {}

    def consumer(self, **own: Any) -> Any:
        """A consumer that keeps what it hands on."""
        return _TappedConsumer(super().consumer(**own), self.kept)

    def take(self, timeline: int, indices: NDArray[np.int64]) -> list[Record]:
        """The records of these sequences; what comes before them is forgotten."""
        taken = [self.kept[timeline, int(index)] for index in indices]
        last = int(indices.max())
        for key in [key for key in self.kept.copy() if key[1] <= last]:
            del self.kept[key]
        return taken


class _TappedConsumer:
    def __init__(self, consumer: Any, kept: dict[tuple[int, int], Record]) -> None:
        self._consumer = consumer
        self._kept = kept

    def __getattr__(self, name: str) -> Any:
        return getattr(self._consumer, name)

    def consume(self, count: int, timeout: float) -> list[Any]:
        messages: list[Any] = self._consumer.consume(count, timeout)
        for message in messages:
            header = dict(message.headers() or ()).get(KEY)
            if message.error() is None and isinstance(header, bytes):
                self._keep(Record(header, message.value() or b""))
        return messages

    def _keep(self, record: Record) -> None:
        try:
            header = StreamHeader.decode(record.header)
        except WireFormatError:
            return  # the loader says what is wrong with it
        self._kept.setdefault((header.timeline, header.index), record)


def row_digests(taken: Sequence[Record], whole: Batch) -> list[str]:
    """Of each row the digest of its record, or '' if the row's tokens are not the record's."""
    return [
        _digest(record.value) if row.tobytes() in record.value else ""
        for record, row in zip(taken, whole.tokens, strict=True)
    ]


def batch_digest(taken: Sequence[Record]) -> str:
    """Of the records of a batch."""
    return _digest(b"".join(record.header + record.value for record in taken))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_HEX]


class Chronicle:
    """A journal and a history beside it: a line is there even if the process is killed after it."""

    def __init__(self, journal: Path, run_id: str, zero_millis: int) -> None:
        self._run_id = run_id
        self._zero = zero_millis
        self._journal = _opened(journal)
        self._history = _opened(journal.with_name(run_id + ".history.jsonl"))
        self._saved = _last_saved(journal)

    def begin(self) -> int:
        """Writes down that the trainer begins; the batch that it goes on after."""
        self._line(self._journal, f"begun {self._saved}")
        self.says("ok", "begin", batch=self._saved)
        return self._saved

    def says(self, outcome: str, operation: str, **values: Any) -> None:
        """Adds to the history."""
        line = {
            "at": self._millis(),
            "process": f"{self._run_id}#{os.getpid()}",
            "type": outcome,
            "op": operation,
            "run": self._run_id,
            "rank": 0,
            "worldSize": 1,
            **values,
        }
        self._line(self._history, json.dumps(line, separators=(",", ":")))

    def accepted(self, info: StepInfo, sequences: int, digest: str, waited_millis: int) -> None:
        """A batch was accepted."""
        self._line(
            self._journal,
            f"accepted {info.batch} {info.first_index} {sequences} {info.weights_version} "
            f"{digest} {info.digest & _WORD:x} {self._millis()} {waited_millis}",
        )

    def saves(self, timeline: int, batch: int, last: int) -> None:
        """What was said up to a batch is acknowledged: it is a checkpoint, the last one is none."""
        self.says("ok", "flush", batch=batch)
        self.says("ok", "checkpoint", timeline=timeline, batch=batch)
        if last > 0:
            self.says("ok", "drop", batch=last)
        self._line(self._journal, f"saved {batch}")

    def _millis(self) -> int:
        return self._zero + time.monotonic_ns() // 1_000_000

    @staticmethod
    def _line(file: int, text: str) -> None:
        data = text.encode() + b"\n"
        while data:
            data = data[os.write(file, data) :]


def _opened(path: Path) -> int:
    """For lines to be added; one that a killed process has not finished is cut off."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    text = path.read_bytes()
    os.ftruncate(file, text.rfind(b"\n") + 1)
    return file


def _last_saved(journal: Path) -> int:
    lines = journal.read_text("ascii").splitlines()
    return max((int(line[6:]) for line in lines if line.startswith("saved ")), default=0)
