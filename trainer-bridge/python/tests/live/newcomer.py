"""A trainer as a newcomer writes it from the README: a model, a loop and checkpoints of one's own.

Trains a table of bigrams, in numpy, up to a batch. With ``--kill-at`` it is gone after that
batch, without a word. With ``--check`` it trains nothing: it reads the stream once more and says
which rows its newest checkpoint has not seen exactly once.
"""

from __future__ import annotations

import argparse
import os
import pickle
import signal
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sluice

EVERY = 10
BLOCKS = 4


class Bigrams:
    """Logits [vocabulary, vocabulary] of the next token."""

    def __init__(self, vocabulary: int) -> None:
        self.logits = np.zeros((vocabulary, vocabulary))

    @property
    def chances(self) -> NDArray[np.float64]:
        """The probability of each next token [vocabulary, vocabulary]."""
        odds = np.exp(self.logits - self.logits.max(axis=1, keepdims=True))
        chances: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True)
        return chances

    def train(self, step: sluice.Step, rate: float = 200.0) -> None:
        """One step on the sum over all parts, divided by the labels of the whole step."""
        chances, gradient = self.chances, np.zeros_like(self.logits)
        for part in step:
            inputs, labels = part.inputs[part.loss_mask], part.labels[part.loss_mask]
            gradient += np.bincount(inputs, minlength=len(chances))[:, None] * chances
            np.add.at(gradient, (inputs, labels), -1.0)
        self.logits -= rate * gradient / step.whole.label_counts.sum()

    def measure(self, due: sluice.Due, bootstrap: str) -> dict[str, tuple[float, int]]:
        """Held-out loss of each domain that the run has now."""
        chances, found = self.chances, {}
        for domain, blocks in sluice.eval_sets(due.run, BLOCKS, bootstrap=bootstrap).items():
            losses = [
                -np.log(chances[one.tokens[:-1], one.tokens[1:]])[one.loss_mask] for one in blocks
            ]
            found[domain] = float(sum(map(np.sum, losses))), sum(map(len, losses))
        return found


class Checkpoints:
    """What is kept of a model after some batches, with a number for each row that it has seen."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.seen: dict[int, list[int]] = {}

    def take(self, step: sluice.Step) -> None:
        """The rows of a step are trained on."""
        for index, tokens in zip(step.whole.index.tolist(), step.whole.tokens, strict=True):
            self.seen.setdefault(index, []).append(zlib.crc32(tokens))

    def save(self, batch: int, model: Any, stream: dict[str, Any]) -> None:
        """As one file, which is there as a whole or not at all."""
        saved = {"model": model, "stream": stream, "seen": self.seen}
        written = self._folder / "new"
        written.write_bytes(pickle.dumps(saved))
        written.rename(self._folder / f"{batch}.checkpoint")

    def newest(self, at_most: int | None = None) -> dict[str, Any] | None:
        """The last one, of those up to a batch; later ones are removed."""
        for file in sorted(self._files(), key=_batch, reverse=True):
            if at_most is None or _batch(file) <= at_most:
                saved: dict[str, Any] = pickle.loads(file.read_bytes())
                self.seen = saved["seen"]
                return saved
            file.unlink()
        self.seen = {}
        return None

    def _files(self) -> Iterator[Path]:
        return self._folder.glob("*.checkpoint")


def _batch(file: Path) -> int:
    return int(file.stem)


def options(about: str | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--checkpoints", type=Path, required=True)
    parser.add_argument("--until", type=int, default=0)
    parser.add_argument("--kill-at", type=int, default=0)
    parser.add_argument("--check", action="store_true")
    return parser.parse_args()


def follow(
    given: argparse.Namespace,
    steps: sluice.Loader,
    feedback: sluice.StepReporter,
    train: Callable[[sluice.Step], None],
    model: Callable[[], Any],
    load: Callable[[Any], None],
) -> None:
    """Trains up to ``--until``, and after a rewind from the newest checkpoint that stands."""
    kept = Checkpoints(given.checkpoints)
    at_most = None
    while steps.batch < given.until:
        saved = kept.newest(at_most)
        try:
            if saved is not None:
                load(saved["model"])
                steps.load_state_dict(saved["stream"])
            for step in feedback:
                train(step)
                kept.take(step)
                feedback.after(step.batch)
                print("step", step.batch, step.info.timeline, flush=True)
                if step.batch == given.kill_at:
                    os.kill(os.getpid(), signal.SIGKILL)
                if step.batch % EVERY == 0:
                    feedback.saved(step.batch)
                    kept.save(step.batch, model(), steps.state_dict())
                if step.batch >= given.until:
                    return
        except sluice.Rewound as rewound:
            print("rewound", rewound.batch, flush=True)
            at_most = rewound.batch


def check(given: argparse.Namespace) -> None:
    """Reads what the run's newest timeline holds, and prints how the checkpoint differs from it."""
    kept = Checkpoints(given.checkpoints)
    saved = kept.newest()
    last = 0 if saved is None else saved["stream"]["batch"]
    again = Checkpoints(given.checkpoints)
    with sluice.Loader(given.run, bootstrap=given.bootstrap, attach=False) as steps:
        while steps.batch < last:
            again.take(steps.next())
    wrong = {
        i for i in kept.seen.keys() | again.seen.keys() if kept.seen.get(i) != again.seen.get(i)
    }
    print(f"checked {len(again.seen)} rows of {last} batches: {len(wrong)} wrong", flush=True)


def main() -> None:
    given = options(__doc__)
    if given.check:
        check(given)
        return
    with sluice.Loader(given.run, micro_batch=4, bootstrap=given.bootstrap) as steps:
        model = Bigrams(steps.run.vocabulary)

        def load(logits: NDArray[Any]) -> None:
            model.logits = logits

        measures = {"eval_loss": lambda due: model.measure(due, given.bootstrap)}
        with sluice.StepReporter(steps, measures) as feedback:
            follow(given, steps, feedback, model.train, lambda: model.logits, load)


if __name__ == "__main__":
    main()
