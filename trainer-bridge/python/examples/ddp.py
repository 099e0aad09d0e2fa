"""Plain PyTorch with DistributedDataParallel: each rank reads its own rows of every batch.

torchrun --nproc-per-node 2 ddp.py velo-small
"""

from __future__ import annotations

import torch
from arguments import parser
from gpt import GPT, logits
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

import sluice
from sluice.torch import StepFeedback, global_labels, tensors
from sluice.torch.modes import label_losses

given = parser(__doc__).parse_args()
distributed.init_process_group("gloo")
dp = (distributed.get_rank(), distributed.get_world_size())

torch.manual_seed(1)
with sluice.Loader(given.run, dp=dp, micro_batch=4, bootstrap=given.bootstrap) as steps:
    model = DistributedDataParallel(GPT(steps.run.vocabulary, steps.run.sequence_length))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    with StepFeedback.evaluating(
        steps, model, blocks=8, forward=logits, train_loss=True
    ) as feedback:
        for step in feedback:
            # DDP averages gradients over ranks, so each divides by its share of all labels.
            labels = global_labels(step)
            total = torch.zeros(())
            for part in step:
                batch = tensors(part)
                losses = label_losses(logits(model, batch), batch)
                feedback.rows(losses, batch)
                (losses.sum() * dp[1] / labels).backward()
                total += losses.detach().sum()
            optimizer.step()
            optimizer.zero_grad()
            feedback.after(step.batch)
            distributed.all_reduce(total)
            if dp[0] == 0 and step.batch % 10 == 0:
                print(step.batch, f"loss {total / labels:.4f}", steps.metrics(), flush=True)
            if step.batch >= given.steps:
                break
distributed.destroy_process_group()
