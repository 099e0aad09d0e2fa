"""Training on a run with Lightning."""

from __future__ import annotations

from typing import Any

from lightning.pytorch import Callback

from sluice.errors import InvalidState, UnsuitableDataLoader
from sluice.stream.loader import Loader
from sluice.torch.accumulation import require_adds_up
from sluice.torch.reporting import StepFeedback

_KEY = "sluice"


class StreamCallback(Callback):
    """Keeps the stream's state in Lightning's checkpoints, and reports to the run.

    Global batch = ``global_step``, and the number it started at, so the micro-batches of a step are
    ``accumulate_grad_batches``; another number is refused. Lightning fetches a micro-batch ahead;
    the state that is kept is that of the last step that was trained.
    """

    def __init__(self, steps: Loader, feedback: StepFeedback | None = None) -> None:
        self._steps = steps
        self._feedback = feedback
        self._start = 0
        self._offset = 0
        self._trained = 0

    def setup(self, trainer: Any, pl_module: Any, stage: str) -> None:
        """Remembers where the stream is before Lightning fetches ahead."""
        self._start = self._steps.batch

    def on_load_checkpoint(self, trainer: Any, pl_module: Any, checkpoint: dict[str, Any]) -> None:
        """Goes on where the checkpoint was written."""
        if _KEY not in checkpoint:
            raise InvalidState(
                "the checkpoint was written without StreamCallback, so where its training was in "
                "the stream is not known"
            )
        self._steps.load_state_dict(checkpoint[_KEY])
        self._start = self._steps.batch

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        """Tells where the training begins."""
        if trainer.max_steps is None or trainer.max_steps <= 0:
            raise UnsuitableDataLoader(
                f"max_steps must be positive, a stream has no epochs: {trainer.max_steps}"
            )
        self._trained = trainer.global_step
        self._offset = self._start - self._trained
        self._require_adds_up(trainer, self._start + 1, trainer.max_steps + self._offset)
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

    def _require_adds_up(self, trainer: Any, first: int, last: int) -> None:
        setting, accumulated = "accumulate_grad_batches", trainer.accumulate_grad_batches
        require_adds_up(self._steps, setting, accumulated, first, last)

    def on_save_checkpoint(self, trainer: Any, pl_module: Any, checkpoint: dict[str, Any]) -> None:
        """Keeps the state, once the feedback of its step has arrived."""
        batch = trainer.global_step + self._offset
        if self._feedback is not None:
            self._feedback.saved(batch)
        checkpoint[_KEY] = self._steps.state_after(batch)
