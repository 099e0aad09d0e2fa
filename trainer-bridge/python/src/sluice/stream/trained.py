"""A sample of the rows that a model was trained on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np

from sluice.block import tokens
from sluice.block.block import Block
from sluice.errors import InvalidState
from sluice.run.info import RunInfo
from sluice.stream.batch import Batch, Step
from sluice.stream.rows import cut

_VERSION = 1
_MOST_AHEAD = 16  # steps that a framework fetches before it trains on the first of them


@dataclass
class _Sample:
    seen: int = 0
    rows: list[Block] = field(default_factory=list)


class TrainedRows:
    """A sample of a rank's rows, by domain: the D_i that algorithm 1 of the DGA paper draws x_i
    from (line 6).

    Each row of a domain is in its sample with the same probability (Vitter's algorithm R). Which
    ones follows from the run's seed, the domain and the order of the training, so that a training
    that is resumed with :meth:`state_dict` has the same. Rows without a label that counts are left
    out, and rows of another length begin a new sample. The stream's order is not touched, and a row
    is copied only when it enters the sample.

    ``wanted`` maps a run to the sequences to keep of each domain, 0 for a run that needs none: then
    nothing is looked at.
    """

    def __init__(self, run: RunInfo, wanted: Callable[[RunInfo], int]) -> None:
        self._seed = int(run.spec["seed"])
        self._sequence = run.sequence_length
        self._wanted = wanted
        self._followed: RunInfo | None = None
        self._most = 0
        self._labels = 0
        self._samples: dict[str, _Sample] = {}
        self._waiting: deque[Batch] = deque()
        self.follow(run)

    def follow(self, run: RunInfo) -> None:
        """From now on keeps what this run needs; one that needs less begins a new sample."""
        if run is self._followed:
            return
        self._followed = run
        most = self._wanted(run)
        if most < self._most:
            self._samples.clear()
        if not most:
            self._waiting.clear()
        self._most = most

    def begin(self, batch: int, run: RunInfo) -> None:
        """The training goes on after this batch, wherever it was before; a run is followed."""
        while self._waiting and self._waiting[0].info.batch <= batch:
            self._waiting.popleft()
        self.follow(run)

    def handed_out(self, step: Step) -> None:
        """Takes note of a step that may be trained on; one that many others follow was."""
        if not self._most:
            return
        while self._waiting and self._waiting[-1].info.batch >= step.batch:
            self._waiting.pop()  # the loader went back
        self._waiting.append(step.whole)
        if len(self._waiting) > _MOST_AHEAD:
            self._add(self._waiting.popleft())

    def trained(self, batch: int) -> None:
        """Takes in what was handed out up to a batch, which was trained on."""
        while self._waiting and self._waiting[0].info.batch <= batch:
            self._add(self._waiting.popleft())

    def _add(self, batch: Batch) -> None:
        labels = batch.labels.shape[1]
        if labels != self._labels:
            self._samples.clear()
            self._labels = labels
        most = self._most * max(1, self._sequence // labels)
        domains, names = batch.domains.tolist(), batch.info.domain_names
        for row in np.flatnonzero(batch.loss_mask.any(axis=1)).tolist():
            name = names[domains[row]]
            sample = self._samples.setdefault(name, _Sample())
            place = len(sample.rows)
            sample.seen += 1
            if place < most:
                sample.rows.append(_block(batch, row))
                continue
            place = self._random(name, sample.seen) % sample.seen
            if place < most:
                sample.rows[place] = _block(batch, row)

    def _random(self, domain: str, seen: int) -> int:
        key = f"{self._seed} {seen} {domain}".encode()
        return int.from_bytes(blake2b(key, digest_size=8).digest(), "big")

    def over(self, held_out: Mapping[str, Sequence[Block]], labels: int) -> dict[str, list[Block]]:
        """Pools of rows of so many labels: a domain's sample, or the rows of what is held out of a
        domain that has not been trained on in such rows. The result has the domains of
        ``held_out``, in their order."""
        samples = self._samples if labels == self._labels else {}
        return {
            domain: list(samples[domain].rows) if domain in samples else cut(blocks, lambda: labels)
            for domain, blocks in held_out.items()
        }

    def state_dict(self) -> dict[str, Any]:
        """The sample, of plain values; empty when nothing is kept."""
        if not self._most:
            return {}
        domains = {name: _saved(sample) for name, sample in self._samples.items()}
        return {"version": _VERSION, "labels": self._labels, "domains": domains}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on from what :meth:`state_dict` gave; from nothing when that is empty."""
        version = state.get("version", _VERSION)
        if version != _VERSION:
            raise InvalidState(f"version of a sample of trained rows must be 1: {version}")
        try:
            labels = int(state.get("labels", 0))
            domains = state.get("domains", {}).items()
            samples = {str(name): _loaded(saved, labels) for name, saved in domains}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidState(f"a sample of trained rows cannot be read: {error!r}") from error
        self._labels, self._samples = labels, samples
        self._waiting.clear()


def _block(batch: Batch, row: int) -> Block:
    """A copy of a row, which holds nothing of its batch."""
    mask = batch.loss_mask[row]
    return Block(
        domain=int(batch.domains[row]),
        lane=0,
        ordinal=int(batch.index[row]),
        width=batch.tokens.itemsize,
        packed=memoryview(batch.tokens[row].tobytes()),
        document_lengths=tuple(map(int, batch.document_lengths[row])),
        mask_runs=None if mask.all() else tuple(tokens.runs(mask)),
        produced_at=0,
    )


_SAVED = ("domain", "ordinal", "width", "document_lengths", "mask_runs")


def _saved(sample: _Sample) -> dict[str, Any]:
    return {
        "seen": sample.seen,
        "tokens": b"".join(row.packed for row in sample.rows),
        "rows": [tuple(getattr(row, name) for name in _SAVED) for row in sample.rows],
    }


def _loaded(saved: Mapping[str, Any], labels: int) -> _Sample:
    packed, rows, at = memoryview(saved["tokens"]), [], 0
    for values in saved["rows"]:
        found = dict(zip(_SAVED, values, strict=True))
        size = (labels + 1) * found["width"]
        part = packed[at : at + size]
        if found["width"] not in (2, 4) or labels < 1 or len(part) < size:
            raise ValueError(f"{len(packed)} bytes of tokens for rows of {labels} labels")
        rows.append(Block(lane=0, packed=part, produced_at=0, **found))
        at += size
    if at != len(packed) or saved["seen"] < len(rows):
        raise ValueError(
            f"{saved['seen']} rows seen, {len(rows)} kept, {at} of {len(packed)} bytes"
        )
    return _Sample(int(saved["seen"]), rows)
