"""Training on a run with Lightning."""

from __future__ import annotations

import warnings
from typing import Any

from lightning.pytorch import Callback

from sluice.errors import InvalidState, UnsuitableDataLoader
from sluice.stream.loader import Loader
from sluice.torch.accumulation import require_adds_up
from sluice.torch.reporting import StepFeedback
from sluice.torch.samples import gather_samples

_KEY = "sluice"
_SAMPLES = "sluice-samples"
_NOT_RESUMABLE = "You're resuming from a checkpoint that ended before the epoch ended"


class StreamCallback(Callback):
    """Keeps the stream's state in Lightning's checkpoints, with all ranks' samples of what they
    trained on, and reports to the run.

    Global batch = ``global_step``, and the number it started at, so the micro-batches of a step are
    ``accumulate_grad_batches``; another number is refused. A stream has no length, and of what has
    none Lightning fetches a micro-batch ahead: the first one of a batch that waits for what is
    measured after the one before. So it is told one, ``max_steps`` steps, unless it was given
    ``limit_train_batches``.
    """

    def __init__(self, steps: Loader, feedback: StepFeedback | None = None) -> None:
        self._steps = steps
        self._feedback = feedback
        self._start = 0
        self._offset = 0
        self._trained = 0

    def setup(self, trainer: Any, pl_module: Any, stage: str) -> None:
        """Remembers where the stream is, and says how many micro-batches will be taken of it."""
        self._start = self._steps.batch
        unlimited = trainer.limit_train_batches == 1.0
        if stage == "fit" and unlimited and (trainer.max_steps or 0) > 0:
            trainer.limit_train_batches = trainer.max_steps * trainer.accumulate_grad_batches

    def on_load_checkpoint(self, trainer: Any, pl_module: Any, checkpoint: dict[str, Any]) -> None:
        """Goes on where the checkpoint was written."""
        if _KEY not in checkpoint:
            raise InvalidState(
                "the checkpoint was written without StreamCallback, so where its training was in "
                "the stream is not known"
            )
        self._steps.load_state_dict(checkpoint[_KEY])
        if self._feedback is not None:
            samples = checkpoint.get(_SAMPLES, {})
            self._feedback.load_state_dict(samples.get(self._steps.rank.rank, {}))
        self._start = self._steps.batch
        warnings.filterwarnings("ignore", _NOT_RESUMABLE)  # it is: by the line above

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        """Tells where the training begins."""
        if trainer.max_steps is None or trainer.max_steps <= 0:
            raise UnsuitableDataLoader(
                f"max_steps must be positive, a stream has no epochs: {trainer.max_steps}"
            )
        self._trained = trainer.global_step
        self._offset = self._start - self._trained
        self._require_adds_up(trainer, self._start + 1, trainer.max_steps + self._offset)
        _count_anew(trainer)
        if self._feedback is not None:
            self._feedback.begin(self._start)

    def on_train_batch_end(
        self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        """After an optimizer's step: measures what is due, and reports the progress."""
        if trainer.global_step > self._trained:
            self._trained = trainer.global_step
            batch = self._trained + self._offset
            self._steps.trained(batch)
            if self._trained < trainer.max_steps:
                self._require_adds_up(trainer, batch + 1, batch + 1)
            if self._feedback is not None:
                self._feedback.after(batch, self._trained)

    def on_train_epoch_end(self, trainer: Any, pl_module: Any) -> None:
        """Stops once the run has ended; else Lightning would begin one epoch after the other."""
        if self._steps.ended is not None:
            trainer.should_stop = True

    def _require_adds_up(self, trainer: Any, first: int, last: int) -> None:
        setting, accumulated = "accumulate_grad_batches", trainer.accumulate_grad_batches
        require_adds_up(self._steps, setting, accumulated, first, last)

    def on_save_checkpoint(self, trainer: Any, pl_module: Any, checkpoint: dict[str, Any]) -> None:
        """Keeps the state, once the feedback of its step has arrived."""
        batch = trainer.global_step + self._offset
        if self._feedback is not None:
            self._feedback.saved(batch)
            checkpoint[_SAMPLES] = gather_samples(self._steps.rank, self._feedback.state_dict())
        checkpoint[_KEY] = self._steps.state_after(batch)


def _count_anew(trainer: Any) -> None:
    """Lightning goes on with the checkpoint's count of an epoch's micro-batches, and steps at each
    multiple of ``accumulate_grad_batches``; in another world a step had more of them, or fewer."""
    counts = trainer.fit_loop.epoch_loop.batch_progress.current
    trained = trainer.global_step * trainer.accumulate_grad_batches
    missing = int(trained % trainer.num_training_batches) - counts.ready
    for name in ("ready", "started", "processed", "completed"):
        setattr(counts, name, getattr(counts, name) + missing)
