"""Looking at a model without leaving a trace in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn import functional

Forward = Callable[[nn.Module, dict[str, Any]], Tensor]


def logits(model: nn.Module, batch: dict[str, Any]) -> Tensor:
    """[n, L, vocabulary]: ``model(inputs)``, or its attribute ``logits``."""
    found = model(batch["inputs"])
    scores: Tensor = getattr(found, "logits", found)
    return scores


def token_losses(scores: Tensor, batch: dict[str, Any]) -> Tensor:
    """[n, L]: losses in nats, 0 for labels that do not count."""
    losses = functional.cross_entropy(
        scores.flatten(0, 1).float(), batch["labels"].flatten(), reduction="none"
    )
    masked: Tensor = losses.view_as(batch["labels"]).masked_fill(~batch["loss_mask"], 0.0)
    return masked


def label_losses(scores: Tensor, batch: dict[str, Any]) -> Tensor:
    """[n]: sum of each row's losses in nats over the labels that count."""
    rows: Tensor = token_losses(scores, batch).sum(dim=1)
    return rows


def unwrapped(model: nn.Module) -> nn.Module:
    """The module inside a DistributedDataParallel, whose hooks must not see these passes."""
    if isinstance(model, nn.parallel.DistributedDataParallel):
        inner: nn.Module = model.module
        return inner
    return model


class _Passed(nn.Module):
    """A model behind a forward of the caller's, so that both run on other tensors."""

    def __init__(self, model: nn.Module, forward: Forward) -> None:
        super().__init__()
        self.model = model
        self._forward = forward

    def forward(self, batch: dict[str, Any]) -> Tensor:
        return self._forward(self.model, batch)


def passed(
    model: nn.Module, forward: Forward, state: dict[str, Tensor], batch: dict[str, Any]
) -> Tensor:
    """Logits with these parameters and buffers in the place of the model's."""
    named = {f"model.{name}": tensor for name, tensor in state.items()}
    scores: Tensor = functional_call(_Passed(model, forward), named, (batch,))
    return scores


def buffers_of(model: nn.Module) -> dict[str, Tensor]:
    """Copies of the buffers, for a pass that may write to them."""
    return {name: buffer.clone() for name, buffer in model.named_buffers()}


def device_of(model: nn.Module) -> Any:
    """Where the model's first parameter is."""
    return next(model.parameters()).device


@contextmanager
def untouched(model: nn.Module) -> Iterator[None]:
    """Evaluation mode; afterwards every module's mode and the random state are as before."""
    modes = [(module, module.training) for module in model.modules()]
    devices = {p.device.index for p in model.parameters() if p.device.type == "cuda"}
    with torch.random.fork_rng(devices=sorted(devices)):
        model.eval()
        try:
            yield
        finally:
            for module, training in modes:
                module.training = training
