"""What the ranks of a trainer write down of the rows that they train on, held against the stream.

A life of a rank leaves a file: the step that it went on from, and a line for each row, with the
optimizer step that it is for, as the trainer itself counts, and the CRC of the row's inputs. Rows
of steps after a checkpoint that a later life went on from are not in its model. All others must be
the stream's, batch by batch and in their order: step n trains on batch n.

As a program it reads the stream of a run once more, prints what differs, and which timelines it
went through.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import sluice

EVERY = 5
MICRO_BATCH = 4


class Life:
    """One rank of a trainer, from its start to its end."""

    def __init__(self, about: str | None) -> None:
        parser = _parser(about)
        parser.add_argument("--life", type=int, required=True)
        parser.add_argument("--checkpoints", type=Path, required=True)
        parser.add_argument("--resume", default=None)
        parser.add_argument("--kill-at", type=int, default=0)
        self.given = parser.parse_args()
        self.dp = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        name = f"{self.given.life:03}-{self.dp[0]:03}.rows"
        self._file = self.given.folder / name

    def parts(self, run: sluice.RunInfo) -> int:
        """The micro-batches of this rank in a step."""
        return run.batch_size(1) // self.dp[1] // MICRO_BATCH

    def begins(self, step: int) -> None:
        """The last step that the model has been trained on."""
        self._write(f"from {step}")

    def rows(self, step: int, inputs: Any) -> None:
        """The inputs [n, L] of a micro-batch, an int64 tensor, which are for this step."""
        for row in inputs.numpy():
            self._write(f"{step} {crc32(row.tobytes())}")
        if step == self.given.kill_at and self.dp[0] == self.dp[1] - 1:
            os.kill(os.getpid(), signal.SIGKILL)

    def stepped(self, step: int) -> None:
        """The optimizer has taken a step, and the run been told."""
        if self.dp[0] == 0:
            print("step", step, flush=True)

    def _write(self, line: str) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def lineage(folder: Path) -> dict[int, list[int]]:
    """The rows of each step that the last life's model has been trained on, in their order."""
    kept: dict[int, list[int]] = {}
    for life in sorted({file.name.partition("-")[0] for file in folder.glob("*.rows")}):
        ranks = [file.read_text().splitlines() for file in sorted(folder.glob(f"{life}-*.rows"))]
        (begun,) = {lines[0] for lines in ranks}
        start = int(begun.removeprefix("from "))
        kept = {step: rows for step, rows in kept.items() if step <= start}
        for line in (line for lines in ranks for line in lines[1:]):
            step, row = map(int, line.split())
            kept.setdefault(step, []).append(row)
    return kept


def differing(
    found: Mapping[int, list[int]], expected: Mapping[int, list[int]]
) -> dict[int, list[int]]:
    """How many rows of a batch were trained on and how many there are, where they are others."""
    steps = sorted({*found, *expected})
    return {
        step: [len(found.get(step, [])), len(expected.get(step, []))]
        for step in steps
        if found.get(step) != expected.get(step)
    }


def main() -> None:
    given = _parser(__doc__).parse_args()
    expected: dict[int, list[int]] = {}
    timelines = set()
    index = 0
    with sluice.Loader(given.run, bootstrap=given.bootstrap, attach=False) as steps:
        while steps.batch < given.until:
            step = steps.next()
            whole = step.whole
            expected[step.batch] = [crc32(row[:-1].tobytes()) for row in whole.int64()]
            timelines.add(step.info.timeline)
            assert whole.index.tolist() == list(range(index, index + len(whole)))
            index += len(whole)
    wrong = differing(lineage(given.folder), expected)
    print(json.dumps({"rows": index, "timelines": sorted(timelines), "wrong": wrong}))


def _parser(about: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--until", type=int, required=True)
    return parser


if __name__ == "__main__":
    main()
