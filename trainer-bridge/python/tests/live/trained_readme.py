"""The README's loop on the ranks of a process group, with a checkpoint every few steps."""

from __future__ import annotations

from typing import Any

import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel
from trained import EVERY, MICRO_BATCH, Life

import sluice
from sluice.torch import StepFeedback, global_labels, tensors
from sluice.torch.modes import label_losses


def loss(model: nn.Module, batch: dict[str, Any]) -> torch.Tensor:
    """The sum over the labels that count, in nats."""
    return label_losses(model(batch["inputs"]), batch).sum()


def main() -> None:
    life = Life(__doc__)
    given, dp = life.given, life.dp
    distributed.init_process_group("gloo")
    torch.manual_seed(1)
    with sluice.Loader(
        given.run, dp=dp, micro_batch=MICRO_BATCH, bootstrap=given.bootstrap
    ) as steps:
        size, trained = steps.run.vocabulary, 0
        model = DistributedDataParallel(nn.Sequential(nn.Embedding(size, 8), nn.Linear(8, size)))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
        if given.resume is not None:
            saved = torch.load(given.resume)
            model.load_state_dict(saved["model"])
            optimizer.load_state_dict(saved["optimizer"])
            steps.load_state_dict(saved["stream"])
            trained = saved["step"]
        life.begins(trained)
        with StepFeedback.evaluating(steps, model, blocks=4) as feedback:
            for step in feedback:
                scale = dp[1] / global_labels(step)
                for part in step:
                    batch = tensors(part)
                    life.rows(trained + 1, batch["inputs"])
                    (scale * loss(model, batch)).backward()
                optimizer.step()
                optimizer.zero_grad()
                trained += 1
                feedback.after(step.batch)
                life.stepped(trained)
                if trained % EVERY == 0:
                    feedback.saved(step.batch)
                    if dp[0] == 0:
                        state = {
                            "model": model.state_dict(),
                            "optimizer": optimizer.state_dict(),
                            "stream": steps.state_dict(),
                            "step": trained,
                        }
                        torch.save(state, given.checkpoints / "new")
                        (given.checkpoints / "new").rename(
                            given.checkpoints / f"checkpoint-{trained}"
                        )
                if trained == given.until:
                    break
    distributed.destroy_process_group()


if __name__ == "__main__":
    main()
