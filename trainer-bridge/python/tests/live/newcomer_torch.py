"""The newcomer's trainer with PyTorch: the loop is the README's first one."""

from __future__ import annotations

from typing import Any

import torch
from newcomer import check, follow, options
from torch import nn

import sluice
from sluice.torch import StepFeedback, tensors


def loss(model: nn.Module, batch: dict[str, Any]) -> torch.Tensor:
    """The sum over the labels that count, in nats."""
    losses = nn.functional.cross_entropy(
        model(batch["inputs"]).flatten(0, 1), batch["labels"].flatten(), reduction="none"
    )
    return losses[batch["loss_mask"].flatten()].sum()


def main() -> None:
    given = options(__doc__)
    if given.check:
        check(given)
        return
    torch.manual_seed(1)
    with sluice.Loader(given.run, micro_batch=4, bootstrap=given.bootstrap) as steps:
        size = steps.run.vocabulary
        model = nn.Sequential(nn.Embedding(size, 32), nn.Linear(32, size))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)

        def train(step: sluice.Step) -> None:
            labels = int(step.whole.label_counts.sum())
            for part in step:
                (loss(model, tensors(part)) / labels).backward()
            optimizer.step()
            optimizer.zero_grad()

        def state() -> list[Any]:
            return [model.state_dict(), optimizer.state_dict()]

        def load(saved: list[Any]) -> None:
            model.load_state_dict(saved[0])
            optimizer.load_state_dict(saved[1])

        with StepFeedback.evaluating(steps, model) as feedback:
            follow(given, steps, feedback, train, state, load)


if __name__ == "__main__":
    main()
