"""Optimizer steps of a GPT, in bf16 on a GPU, for timing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, NamedTuple

import torch
from torch.nn import functional

from sluice.bench.gpt import GPT, Size
from sluice.stream.batch import Batch, Step
from sluice.torch import global_labels, tensors

_ON_GPU = Size(layers=24, width=1024, vocabulary=1 << 17)
_ON_CPU = Size(layers=2, width=64, vocabulary=256)


class Timed(NamedTuple):
    """Seconds of each step but the first, on average, with the loss and the digest of each."""

    seconds: float
    losses: list[float]
    digests: list[int]


class Training:
    """A model that can be trained from its beginning again and again."""

    def __init__(self, vocabulary: int, length: int) -> None:
        self.on_gpu = torch.cuda.is_available()
        self._device = torch.device("cuda" if self.on_gpu else "cpu")
        size = _ON_GPU if self.on_gpu else _ON_CPU
        self._vocabulary = min(vocabulary, size.vocabulary)
        torch.manual_seed(7)
        self._model = GPT(replace(size, vocabulary=self._vocabulary), length).to(self._device)
        self._first = {name: each.clone() for name, each in self._model.state_dict().items()}
        self._optimizer = self._begin()

    def _begin(self) -> Any:
        self._model.load_state_dict(self._first)
        return torch.optim.AdamW(self._model.parameters(), lr=1e-4, fused=self.on_gpu)

    @property
    def device(self) -> str:
        """What it runs on, for people."""
        return str(torch.cuda.get_device_name()) if self.on_gpu else "CPU"

    @property
    def parameters(self) -> int:
        """Numbers that are trained."""
        return sum(each.numel() for each in self._model.parameters())

    def timed(self, steps: Iterable[Step], after: Callable[[Step], None]) -> Timed:
        """Trains from the beginning on steps, with ``after`` at each one's end."""
        self._optimizer = self._begin()
        losses, digests, start = [], [], 0.0
        for step in steps:
            losses.append(self._train(step))
            digests.append(step.whole.digest)
            after(step)
            if len(losses) == 1:
                self._wait()
                start = time.perf_counter()
        self._wait()
        seconds = (time.perf_counter() - start) / (len(losses) - 1)
        return Timed(seconds, [float(loss) for loss in losses], digests)

    def _wait(self) -> None:
        if self.on_gpu:
            torch.cuda.synchronize()

    def _train(self, step: Step) -> Any:
        labels, loss = global_labels(step), torch.zeros((), device=self._device)
        for part in step:
            own = self._loss(part) / labels
            own.backward()
            loss += own.detach()
        self._optimizer.step()
        self._optimizer.zero_grad()
        return loss

    def _loss(self, part: Batch) -> Any:
        batch = tensors(part, self._device, pin=self.on_gpu)
        with self._precision():
            logits = self._model(batch["inputs"] % self._vocabulary)
        labels = (batch["labels"] % self._vocabulary).masked_fill(~batch["loss_mask"], -100)
        return functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="sum")

    def _precision(self) -> AbstractContextManager[Any]:
        return torch.autocast("cuda", torch.bfloat16) if self.on_gpu else nullcontext()
