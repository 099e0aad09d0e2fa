"""The Trainer of transformers on a Velocitune run, with checkpoints that hold the stream's state.

python huggingface_velocitune.py velo-small --output out [--resume]
"""

from __future__ import annotations

from arguments import parser
from transformers import GPT2Config, GPT2LMHeadModel, TrainingArguments, set_seed

import sluice
from sluice.torch import StepFeedback
from sluice.torch.huggingface import StreamTrainer

command = parser(__doc__)
command.add_argument("--output", required=True)
command.add_argument("--resume", action="store_true")
given = command.parse_args()

set_seed(1)
with sluice.Loader(given.run, micro_batch=8, bootstrap=given.bootstrap) as steps:
    run = steps.run
    config = GPT2Config(
        vocab_size=run.vocabulary, n_positions=run.sequence_length, n_embd=64, n_layer=2, n_head=4
    )
    model = GPT2LMHeadModel(config)
    arguments = TrainingArguments(
        output_dir=given.output,
        max_steps=given.steps,
        gradient_accumulation_steps=run.batch_size(1) // 8,
        ignore_data_skip=True,  # the loader goes on from the checkpoint by itself
        save_steps=20,
        learning_rate=1e-3,
        report_to="none",
    )
    feedback = StepFeedback.evaluating(steps, model, blocks=8)
    trainer = StreamTrainer(model=model, args=arguments, steps=steps, feedback=feedback)
    trainer.train(resume_from_checkpoint=given.resume)
    feedback.close()
    print(steps.metrics())
