"""Runs as the control log tells of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sluice.errors import StreamCorrupt
from sluice.run.metric import RequiredMetric
from sluice.wire.metrics import (
    ALIGNMENT,
    EVAL_LOSS,
    GRADIENT_MOMENT,
    GRADIENT_NORM,
    GRADIENT_PRODUCT,
)

_PROBED = (ALIGNMENT, GRADIENT_NORM, GRADIENT_PRODUCT, GRADIENT_MOMENT)
_SET = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class RunInfo:
    """A started run: its identity and the specification that its first control record pinned."""

    run_id: str
    spec: dict[str, Any]

    @property
    def name(self) -> str:
        """The run's name."""
        return str(self.spec["run"])

    @cached_property
    def domains(self) -> tuple[str, ...]:
        """Domain names; a batch's domain ids are positions among them."""
        return tuple(self.spec["domains"])

    @property
    def present_domains(self) -> list[str]:
        """The domains that were not taken out of the run."""
        return [name for name in self.domains if name not in self.spec["removed"]]

    @cached_property
    def domain_names(self) -> frozenset[str]:
        """The same, without their order."""
        return frozenset(self.spec["domains"])

    @property
    def fingerprint(self) -> int:
        """Fingerprint of the dataset, signed."""
        return int(self.spec["fingerprint"])

    @property
    def sequence_length(self) -> int:
        """Labels in a sequence of the stream."""
        return int(self.spec["sequenceLength"])

    def row_length(self, batch: int) -> int:
        """Labels in a row of a batch, L: those of a sequence, or a divisor of them."""
        labels = self.sequence_length
        for each in self.spec.get("rowLengths", ()):
            if each["fromBatch"] <= batch:
                labels = int(each["labels"])
        return labels

    @property
    def longest_row(self) -> int:
        """Labels in the longest rows that a batch of the run has."""
        lengths = self.spec.get("rowLengths", ())
        if not lengths or lengths[0]["fromBatch"] > 1:
            return self.sequence_length
        return max(int(each["labels"]) for each in lengths)

    def require_rows(self) -> None:
        """Fails unless the run's rows are parts of its sequences, each length from a later batch on
        than the one before it."""
        whole, last = self.sequence_length, 0
        for each in self.spec.get("rowLengths", ()):
            begin, labels = each["fromBatch"], each["labels"]
            if begin <= last:
                raise StreamCorrupt(
                    f"control log of run {self.run_id}: sequence-length must begin after batch "
                    f"{last}, where the length before begins: batch {begin}"
                )
            if not 1 <= labels <= whole or whole % labels:
                raise StreamCorrupt(
                    f"control log of run {self.run_id}: sequence-length must be in [1, {whole}] "
                    f"tokens and divide the dataset's {whole}: {labels}"
                )
            last = begin

    def masked_sets(self, batch: int) -> set[str]:
        """Names of the sets of documents of which no label of a batch is trained."""
        masks = self.spec.get("masks", ())
        return {str(mask["set"]) for mask in masks if mask["fromBatch"] <= batch}

    @property
    def hashes_ids(self) -> bool:
        """Whether blocks have hashes of their documents' ids in place of these."""
        return bool(self.spec.get("documentIds", "names") == "hashes")

    def require_masks(self) -> None:
        """Fails unless the run's masks name sets, each once, in ascending order of their first
        batches, and it is known what they are matched with."""
        ids = self.spec.get("documentIds", "names")
        if ids not in ("names", "hashes"):
            raise StreamCorrupt(
                f"control log of run {self.run_id}: document-ids must be names or hashes: "
                f"'{ids[:80]}'"
            )
        last, names = 1, set[str]()
        for mask in self.spec.get("masks", ()):
            name, begin = mask["set"], mask["fromBatch"]
            if not _SET.fullmatch(name) or name in names or begin < last:
                raise StreamCorrupt(
                    f"control log of run {self.run_id}: a mask must begin at batch {last} at least "
                    f"and name a set by 64 hexadecimal digits, which no mask before it names: "
                    f"batch {begin}, '{name[:80]}'"
                )
            last = begin
            names.add(name)

    @property
    def is_derived(self) -> bool:
        """Whether there is no stream: trainers read rows of segments that follow from the log.

        Fails for a delivery that this release does not know.
        """
        delivery = self.spec.get("delivery", "tokens")
        if delivery not in ("tokens", "derived"):
            raise StreamCorrupt(
                f"control log of run {self.run_id}: delivery must be tokens or derived: "
                f"'{delivery[:80]}'"
            )
        return bool(delivery == "derived")

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

    @property
    def update_every(self) -> int:
        """Steps between rounds; 0 for a policy without rounds."""
        return int(self.spec["updateEvery"])

    def closes_round(self, step: int) -> bool:
        """Whether the policy waits for what is measured at a step."""
        return self.update_every > 0 and step % self.update_every == 0

    @property
    def keeps_metrics(self) -> bool:
        """Whether the specification says what the rounds wait for; earlier builds did not."""
        return self.spec.get("metrics") is not None

    @cached_property
    def metrics(self) -> dict[str, RequiredMetric]:
        """What the run's rounds wait for, by name.

        The held-out loss for a run with rounds whose specification does not say.
        """
        if self.keeps_metrics:
            every = map(RequiredMetric.read, self.spec["metrics"])
            return {metric.name: metric for metric in every}
        assumed = RequiredMetric(EVAL_LOSS, self.update_every, at_step_zero=True)
        return {EVAL_LOSS: assumed} if self.update_every > 0 else {}

    def measured_blocks(self, metric: str) -> int:
        """Held-out blocks of each domain that one measurement of a metric reads; 0 when that is
        left to the trainer."""
        required = self.metrics.get(metric)
        return 0 if required is None else self._blocks(required.tokens)

    @property
    def eval_blocks(self) -> int:
        """Blocks of each domain's evaluation set; 0 means all that are held out."""
        return self.measured_blocks(EVAL_LOSS) or self._blocks(int(self.spec["evalTokens"]))

    @property
    def probe_blocks(self) -> int:
        """Blocks of each domain's probe batch, at least 1."""
        found = max(map(self.measured_blocks, _PROBED))
        return max(1, found or self._blocks(int(self.spec["probeTokens"])))

    def _blocks(self, tokens: int) -> int:
        return -(-tokens // self.sequence_length)

    def schedule(self) -> Iterator[tuple[int, int, int]]:
        """Stretches of one batch size and row length: first batch, batches, sequences in each.

        The last stretch of a run without an end has ``sys.maxsize`` batches.
        """
        changes = [*self.spec["batchSizes"], *self.spec.get("rowLengths", ())]
        starts = sorted({change["fromBatch"] for change in changes})
        last = self.batches + 1 if self.batches > 0 else sys.maxsize
        for start, end in zip(starts, [*starts[1:], last], strict=True):
            if end > start:
                yield start, end - start, self.batch_size(start)

    def batch_size(self, batch: int) -> int:
        """Sequences of a batch, over all ranks."""
        sizes = self.spec["batchSizes"]
        return int([size["sequences"] for size in sizes if size["fromBatch"] <= batch][-1])

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
