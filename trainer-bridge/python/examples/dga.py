"""Dynamic gradient alignment: domains whose gradients point where a target set's does gain weight.

python dga.py dga-small --target wiki
"""

from __future__ import annotations

import torch
from arguments import parser
from gpt import GPT, logits

import sluice
from sluice.torch import GradientAlignment, StepFeedback, tensors
from sluice.torch.modes import label_losses

command = parser(__doc__)
command.add_argument("--target", action="append", required=True, help="a domain of the run")
given = command.parse_args()

torch.manual_seed(1)
with sluice.Loader(given.run, bootstrap=given.bootstrap, metrics=["alignment"]) as steps:
    model = GPT(steps.run.vocabulary, steps.run.sequence_length)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    blocks = sluice.eval_sets(steps.run, blocks=16, bootstrap=given.bootstrap)
    held_out = sluice.HeldOut.divided(blocks, evaluated=8, targets=given.target)
    probes = sluice.ProbeBatches(held_out.pools, blocks=4)
    align = GradientAlignment(model, held_out.target, probes, forward=logits)
    with StepFeedback(steps, align=align) as feedback:
        feedback.begin()
        for step in steps:
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
