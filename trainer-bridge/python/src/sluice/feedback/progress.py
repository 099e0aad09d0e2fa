"""How far a rank has come, told to its run."""

from __future__ import annotations

from sluice.feedback.reporter import FeedbackReporter


class ProgressReporter:
    """Reports a rank's progress every ``every`` batches, and the oldest checkpoint it still has.

    A run with ``lead`` waits for its trainers, so ``every`` must stay below its lead. Call
    :meth:`trained` after the feedback of the same step.
    """

    def __init__(self, feedback: FeedbackReporter, every: int = 1) -> None:
        if every < 1:
            raise ValueError(f"every must be at least 1: {every}")
        self._feedback = feedback
        self._every = every
        self._checkpoints: set[int] = set()

    def trained(self, batch: int, trainer_step: int | None = None) -> None:
        """Says that the model was trained on this batch."""
        if batch % self._every == 0:
            self._feedback.progress(batch, trainer_step, self.oldest_checkpoint(batch))

    def saved(self, batch: int, timeout: float = 130.0) -> None:
        """Says that a checkpoint of this batch was written; waits until its feedback arrived.

        Only then can the checkpoint be restored: see :meth:`FeedbackReporter.flush`.
        """
        self._feedback.flush(timeout)
        self._checkpoints.add(batch)

    def removed(self, batch: int) -> None:
        """Says that the checkpoint of a batch is gone."""
        self._checkpoints.discard(batch)

    def oldest_checkpoint(self, batch: int) -> int:
        """Batch of the oldest checkpoint up to this batch, -1 for none."""
        return min((saved for saved in self._checkpoints if saved <= batch), default=-1)
