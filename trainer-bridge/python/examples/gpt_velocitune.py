"""A small GPT on a Velocitune run: its held-out losses move the mixture.

    python gpt_velocitune.py velo-small --checkpoint gpt.pt

Started again, it goes on from its checkpoint.
"""

from __future__ import annotations

from pathlib import Path

import torch
from arguments import parser
from gpt import GPT, logits

import sluice
from sluice.torch import DomainEvaluator, StepFeedback, global_labels, tensors
from sluice.torch.modes import label_losses

command = parser(__doc__)
command.add_argument("--checkpoint", type=Path)
command.add_argument("--checkpoint-every", type=int, default=20)
given = command.parse_args()

torch.manual_seed(1)
with sluice.Loader(given.run, micro_batch=8, bootstrap=given.bootstrap) as steps:
    model = GPT(steps.run.vocabulary, steps.run.sequence_length)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    if given.checkpoint and given.checkpoint.exists():
        saved = torch.load(given.checkpoint)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        steps.load_state_dict(saved["stream"])
    held_out = sluice.eval_sets(steps.run, blocks=8, bootstrap=given.bootstrap)
    evaluate = DomainEvaluator(model, held_out, forward=logits)
    with StepFeedback(steps, evaluate=evaluate) as feedback:
        feedback.begin()
        for step in steps:
            labels = global_labels(step)
            for part in step:
                batch = tensors(part)
                (label_losses(logits(model, batch), batch).sum() / labels).backward()
            optimizer.step()
            optimizer.zero_grad()
            feedback.after(step.batch)
            if given.checkpoint and step.batch % given.checkpoint_every == 0:
                feedback.saved(step.batch)
                states = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
                torch.save(states | {"stream": steps.state_dict()}, given.checkpoint)
            if step.info.closes_round:
                means = {name: total / n for name, (total, n) in evaluate().items()}
                print(step.batch, step.info.weights, means, flush=True)
            if step.batch >= given.steps:
                break
