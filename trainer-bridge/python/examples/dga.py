"""Dynamic gradient alignment: domains whose gradients point where a target set's do gain weight.

python dga.py dga-small [--target wiki]

The target domains are those of the run; where it leaves them open, they are given here.
"""

from __future__ import annotations

import torch
from arguments import parser
from gpt import GPT, logits

import sluice
from sluice.torch import StepFeedback, tensors
from sluice.torch.modes import label_losses

command = parser(__doc__)
command.add_argument("--target", action="append", default=[], help="a domain of the run")
given = command.parse_args()

torch.manual_seed(1)
with sluice.Loader(given.run, bootstrap=given.bootstrap) as steps:
    model = GPT(steps.run.vocabulary, steps.run.sequence_length)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    with StepFeedback.evaluating(
        steps, model, blocks=8, targets=given.target, forward=logits
    ) as feedback:
        for step in feedback:
            batch = tensors(step.whole)
            losses = label_losses(logits(model, batch), batch)
            (losses.sum() / batch["loss_mask"].sum()).backward()
            optimizer.step()
            optimizer.zero_grad()
            feedback.after(step.batch)
            if step.info.closes_round:
                print(step.batch, step.info.domain_names, step.info.weights, flush=True)
            if step.batch >= given.steps:
                break
