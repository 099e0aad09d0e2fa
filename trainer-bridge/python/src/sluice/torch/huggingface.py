"""Training on a run with the ``Trainer`` of transformers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from torch.utils.data import DataLoader
from transformers import Trainer, TrainerCallback

from sluice.errors import InvalidState, UnsuitableDataLoader
from sluice.stream.loader import Loader
from sluice.torch.accumulation import require_adds_up
from sluice.torch.dataset import StreamDataset
from sluice.torch.reporting import StepFeedback
from sluice.torch.samples import read_sample, write_sample

STATE_FILE = "sluice.json"
_IGNORED = -100  # the label that the losses of transformers leave out


def causal_lm(batch: dict[str, Any]) -> dict[str, Any]:
    """The tensors of a micro-batch under the names that causal models of transformers take.

    Labels are shifted already, which ``shift_labels`` tells the model; masked ones are -100.
    """
    labels = batch["labels"].masked_fill(~batch["loss_mask"], _IGNORED)
    return {
        "input_ids": batch["inputs"],
        "position_ids": batch["position_ids"],
        "labels": labels,
        "shift_labels": labels,
    }


class StreamCallback(TrainerCallback):
    """Keeps the stream's state, and each rank's sample of what it trained on, with the checkpoints
    of a ``Trainer``, and reports to the run.

    Global batch = ``global_step``, and the number it started at, so the micro-batches of a step are
    ``gradient_accumulation_steps``. Settings that would train on something else are refused, also
    when a run that goes on is given other batch sizes.
    """

    def __init__(self, steps: Loader, feedback: StepFeedback | None = None) -> None:
        self._steps = steps
        self._feedback = feedback
        self._offset = 0

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Goes on where the checkpoint that is resumed from was written."""
        _require_fits(args, self._steps.rank.world_size)
        if state.global_step > 0:
            folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
            self._steps.load_state_dict(_read(folder / STATE_FILE))
            if self._feedback is not None:
                self._feedback.load_state_dict(read_sample(folder, self._steps.rank))
        self._offset = self._steps.batch - state.global_step
        self._require_adds_up(args, self._steps.batch + 1, args.max_steps + self._offset)
        if self._feedback is not None:
            self._feedback.begin()

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Measures what is due, and reports the progress."""
        batch = state.global_step + self._offset
        self._steps.trained(batch)
        if state.global_step < args.max_steps:
            self._require_adds_up(args, batch + 1, batch + 1)
        if self._feedback is not None:
            self._feedback.after(batch, state.global_step)

    def _require_adds_up(self, args: Any, first: int, last: int) -> None:
        setting, accumulated = "gradient_accumulation_steps", args.gradient_accumulation_steps
        require_adds_up(self._steps, setting, accumulated, first, last)

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Writes the stream's state beside the checkpoint, once its feedback has arrived."""
        batch = state.global_step + self._offset
        folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        if self._feedback is not None:
            self._feedback.saved(batch)
            write_sample(folder, self._steps.rank, self._feedback.state_dict())
        if state.is_world_process_zero:
            folder.mkdir(parents=True, exist_ok=True)
            text = json.dumps(self._steps.state_after(batch))
            (folder / STATE_FILE).write_text(text, encoding="utf-8")


class StreamTrainer(Trainer):
    """A ``Trainer`` of a causal model on a run's stream, which it neither shards nor skips.

    ``steps`` is the rank's loader; all other arguments are the ``Trainer``'s.
    """

    def __init__(
        self, *args: Any, steps: Loader, feedback: StepFeedback | None = None, **others: Any
    ) -> None:
        super().__init__(*args, **others)
        self._steps = steps
        self.add_callback(StreamCallback(steps, feedback))

    def get_train_dataloader(self) -> DataLoader[Any]:
        """The stream as it is: Accelerate would share it out among the ranks once more."""
        dataset = StreamDataset(self._steps, pin=self.args.device.type == "cuda", form=causal_lm)
        return DataLoader(dataset, batch_size=None)


def _require_fits(args: Any, world_size: int) -> None:
    if args.max_steps <= 0:
        raise UnsuitableDataLoader(
            f"max_steps must be positive, a stream has no epochs: {args.max_steps}"
        )
    if not args.ignore_data_skip:
        raise UnsuitableDataLoader(
            "ignore_data_skip must be True: the Loader goes on from the checkpoint by itself"
        )
    if world_size > 1 and not args.average_tokens_across_devices:
        raise UnsuitableDataLoader(
            "average_tokens_across_devices must be True: the loss of a step is divided by the "
            f"labels of all {world_size} ranks"
        )


def _read(file: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InvalidState(
            f"{file} is missing: the checkpoint was written without StreamCallback, so where its "
            "training was in the stream is not known"
        ) from None
    return found
