"""Runs as the control log tells of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sluice.errors import StreamCorrupt
from sluice.wire import Record

_NAMESPACE = "io.sluice.schema."
_GRANTS_NO_MORE = {"completed", "stopped"}
_EMITS_NO_MORE = {"failed", "deleted"}


@dataclass(frozen=True)
class RunInfo:
    """A started run: its identity and the specification that its first control record pinned."""

    run_id: str
    spec: dict[str, Any]

    @property
    def name(self) -> str:
        """The run's name."""
        return str(self.spec["run"])

    @property
    def domains(self) -> list[str]:
        """Domain names; a batch's domain ids are positions in this list."""
        return list(self.spec["domains"])

    @property
    def fingerprint(self) -> int:
        """Fingerprint of the dataset, signed."""
        return int(self.spec["fingerprint"])

    @property
    def sequence_length(self) -> int:
        """Labels in a sequence, L."""
        return int(self.spec["sequenceLength"])

    @property
    def partitions(self) -> int:
        """Partitions of the stream, S."""
        return int(self.spec["streamPartitions"])

    @property
    def batches(self) -> int:
        """The run is complete after this many batches; 0 means no end."""
        return int(self.spec["batches"])

    @property
    def tokenizer(self) -> str:
        """Name of the dataset's tokenizer."""
        return str(self.spec["tokenizer"])

    @property
    def vocabulary(self) -> int:
        """Token ids are below this."""
        return int(self.spec["vocabulary"])

    @property
    def token_width(self) -> int:
        """Bytes per token of the run's blocks: 2 when every token id fits, otherwise 4."""
        return 2 if self.vocabulary <= 1 << 16 else 4

    def schedule(self) -> Iterator[tuple[int, int, int]]:
        """Stretches of one batch size: first batch, batches, sequences in each.

        The last stretch of a run without an end has ``sys.maxsize`` batches.
        """
        sizes = self.spec["batchSizes"]
        for i, size in enumerate(sizes):
            if i + 1 < len(sizes):
                end = sizes[i + 1]["fromBatch"]
            else:
                end = self.batches + 1 if self.batches > 0 else sys.maxsize
            if end > size["fromBatch"]:
                yield size["fromBatch"], end - size["fromBatch"], size["sequences"]

    def first_index(self, batch: int) -> int:
        """Global index of the first sequence of a batch: the sizes of all batches before it."""
        index = 0
        sizes = self.spec["batchSizes"]
        for i, size in enumerate(sizes):
            if batch <= size["fromBatch"]:
                break
            end = sizes[i + 1]["fromBatch"] if i + 1 < len(sizes) else batch
            index += (min(end, batch) - size["fromBatch"]) * size["sequences"]
        return index


class RunDirectory:
    """Every run that the control log has started; only the first start of a run id counts."""

    def __init__(self) -> None:
        self._started: dict[str, tuple[int, RunInfo]] = {}

    def apply(self, log_time: int, record: Record) -> None:
        """Takes a record of the control log, in order."""
        kind, body = record["body"]
        if record["serial"] == 0 and record["basedOn"] == -1 and kind == _NAMESPACE + "RunStarted":
            run = RunInfo(record["runId"], body["spec"])
            self._started.setdefault(run.run_id, (log_time, run))

    def latest(self, name: str) -> RunInfo | None:
        """The run started last under a name."""
        found: tuple[int, RunInfo] | None = None
        for started in self._started.values():
            if started[1].name == name and (found is None or started[0] >= found[0]):
                found = started
        return found[1] if found else None

    @property
    def runs(self) -> list[RunInfo]:
        """All runs, in the order they were read."""
        return [run for _, run in self._started.values()]


class LoggedRun:
    """How far one run has come: the fold of its control records.

    A record applies iff its serial is the current one + 1 and it is based on the current record's
    offset; all others lost. ``on_grant`` is given each MixtureGrant that applies.
    """

    def __init__(
        self, run_id: str, on_grant: Callable[[Record], None] = lambda grant: None
    ) -> None:
        self._run_id = run_id
        self._on_grant = on_grant
        self._partition = -1
        self._serial = -1
        self._offset = -1
        self._granted = 0
        self.state = "not started"
        self.why = ""

    def apply(self, partition: int, offset: int, record: Record) -> None:
        """Takes a record of the control log."""
        if (
            record["runId"] != self._run_id
            or record["serial"] != self._serial + 1
            or record["basedOn"] != self._offset
            or (self._serial >= 0 and partition != self._partition)
        ):
            return
        kind, body = record["body"]
        kind = kind.removeprefix(_NAMESPACE)
        leaves_hole = kind == "MixtureGrant" and body["after"] != self._granted
        starts = kind == "RunStarted"
        if record["timeline"] != 0 or starts != (self._serial < 0) or leaves_hole:
            raise StreamCorrupt(
                f"control log of run {self._run_id}: the record of serial {record['serial']} at "
                f"offset {offset} does not continue after batch {self._granted} of timeline 0"
            )
        if starts:
            self._partition = partition
            self.state = "running"
        elif kind == "MixtureGrant":
            self._granted = body["to"]
            self._on_grant(body)
        else:
            self.state = body["state"]
            self.why = record["why"]
        self._serial = record["serial"]
        self._offset = offset

    def ended_before(self, batch: int) -> bool:
        """Whether this batch will never come.

        A run that was completed or stopped still emits what is granted, however long that takes.
        """
        return self.state in _EMITS_NO_MORE or (
            self.state in _GRANTS_NO_MORE and batch > self._granted
        )

    def describe(self, batch: int) -> str:
        """What an awaited batch waits for."""
        reason = f" ({self.why})" if self.why else ""
        run = "" if self.state == "running" else f"run {self._run_id} is {self.state}{reason}; "
        if batch > self._granted:
            return (
                f"{run}batch {batch} is not granted yet: "
                f"the last grant ends at batch {self._granted}"
            )
        return f"{run}batch {batch} is granted (to {self._granted}) but not all of it was emitted"
