"""The ``Trainer`` of transformers on one rank or several, with a checkpoint every few steps."""

from __future__ import annotations

from typing import Any

from trained import EVERY, MICRO_BATCH, Life
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    TrainerCallback,
    TrainingArguments,
    set_seed,
)

import sluice
from sluice.torch import StepFeedback
from sluice.torch.huggingface import StreamTrainer

LIFE = Life(__doc__)


class Recorded(TrainerCallback):
    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        LIFE.begins(state.global_step)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        LIFE.stepped(state.global_step)


class Recording(StreamTrainer):
    def training_step(self, model: Any, inputs: Any, *others: Any, **named: Any) -> Any:
        LIFE.rows(self.state.global_step + 1, inputs["input_ids"])
        return super().training_step(model, inputs, *others, **named)


def main() -> None:
    given = LIFE.given
    set_seed(1)
    run = sluice.find_run(given.run, bootstrap=given.bootstrap)
    arguments = TrainingArguments(
        output_dir=str(given.checkpoints),
        max_steps=given.until,
        gradient_accumulation_steps=LIFE.parts(run),
        ignore_data_skip=True,
        save_steps=EVERY,
        use_cpu=True,
        ddp_backend="gloo",
        report_to="none",
        disable_tqdm=True,
        logging_steps=given.until,
    )
    shape = {"n_embd": 8, "n_layer": 1, "n_head": 1, "n_positions": run.sequence_length}
    model = GPT2LMHeadModel(GPT2Config(**shape, vocab_size=run.vocabulary, bos_token_id=0))
    with sluice.Loader(
        given.run, dp=LIFE.dp, micro_batch=MICRO_BATCH, bootstrap=given.bootstrap
    ) as steps:
        feedback = StepFeedback.evaluating(steps, model, blocks=4)
        trainer = Recording(
            model=model, args=arguments, steps=steps, feedback=feedback, callbacks=[Recorded()]
        )
        trainer.train(resume_from_checkpoint=given.resume)
        feedback.close()


if __name__ == "__main__":
    main()
