"""Whether a trainer's model can take a run's rows."""

from __future__ import annotations

from sluice.errors import SequenceLengthMismatch, TokenizerMismatch
from sluice.run.info import RunInfo


def require_fits(run: RunInfo, vocabulary: int | None, sequence_length: int | None) -> None:
    """Fails unless a model has the run's token ids, and takes rows of its length."""
    if vocabulary is not None and vocabulary < run.vocabulary:
        raise TokenizerMismatch(
            f"the model's vocabulary of {vocabulary} is smaller than the {run.vocabulary} of run "
            f"{run.run_id}'s tokenizer '{run.tokenizer}': train with that tokenizer, or apply a "
            "dataset that is prepared with the model's"
        )
    if sequence_length is not None and sequence_length != run.longest_row:
        raise SequenceLengthMismatch(
            f"sequence_length must be {run.longest_row}, which the longest rows of run "
            f"{run.run_id} have: {sequence_length}"
        )
