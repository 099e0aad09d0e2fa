"""How the gradients of two domains, or of a target and a domain, point to each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import torch
from torch import nn

from sluice.block.block import Block
from sluice.errors import EvalSetError
from sluice.torch.gradients import Gradient, Gradients, dot, norm_of
from sluice.torch.modes import Forward, logits, untouched, unwrapped

_KEPT = 32

Pair = tuple[str, str]


class GradientProducts:
    """⟨∇ℓ(θ, x_i), ∇ℓ(θ, x_j)⟩ for the probe blocks of two domains, or ⟨∇ℓ(θ, z_n), ∇ℓ(θ, x_j)⟩ for
    a target's blocks and a domain's probe blocks.

    ``probes`` are blocks by domain; with ``targets``, blocks by name, the first of each pair is one
    of these. ℓ, clipping and how the model is left are those of
    :class:`~sluice.torch.GradientAlignment`. At most ``kept`` gradients of first ones are in memory
    at a time, and one more: with more of them, the others' are taken again for each ``kept``. The
    product of two domains is taken once for both orders.
    """

    def __init__(
        self,
        model: nn.Module,
        probes: Mapping[str, Sequence[Block]],
        targets: Mapping[str, Sequence[Block]] | None = None,
        *,
        max_norm: float | None = 1.0,
        kept: int = _KEPT,
        rows: int = 8,
        forward: Forward = logits,
        row_length: Callable[[], int] | None = None,
    ) -> None:
        if kept < 1:
            raise ValueError(f"kept must be at least 1: {kept}")
        self._model = unwrapped(model)
        self._gradients = Gradients(self._model, max_norm, rows, forward, row_length)
        self._probes = dict(probes)
        self._targets = None if targets is None else dict(targets)
        self._kept = kept
        empty = [name for name, blocks in [*probes.items(), *(targets or {}).items()] if not blocks]
        if empty:
            raise EvalSetError(f"no blocks to take a gradient on: {', '.join(empty)}")

    def __call__(self, pairs: Iterable[Pair]) -> dict[Pair, float]:
        """The products of these pairs at the model's present parameters."""
        wanted = list(pairs)
        firsts = self._probes if self._targets is None else self._targets
        for first, second in wanted:
            if first not in firsts or second not in self._probes:
                known = f"{', '.join(firsts)} and {', '.join(self._probes)}"
                raise EvalSetError(f"pairs must be of {known}: {first}/{second}")
        rows = list(dict.fromkeys(first for first, _ in wanted))
        found: dict[Pair, float] = {}
        with untouched(self._model), torch.set_grad_enabled(True):
            for at in range(0, len(rows), self._kept):
                held = {name: self._scaled(firsts[name]) for name in rows[at : at + self._kept]}
                self._add(held, [pair for pair in wanted if pair[0] in held], found)
                held.clear()  # before the next ones are there
        return {pair: found[pair] for pair in wanted}

    def _add(
        self,
        held: Mapping[str, tuple[Gradient, float]],
        pairs: list[Pair],
        found: dict[Pair, float],
    ) -> None:
        columns: dict[str, list[str]] = {}
        for first, second in pairs:
            columns.setdefault(second, []).append(first)
        for second, rows in columns.items():
            left = [first for first in rows if (first, second) not in found]
            if not left:
                continue
            own = self._targets is None and second in held
            gradient, scale = held[second] if own else self._scaled(self._probes[second])
            for first in left:
                other, other_scale = held[first]
                product = scale * other_scale * dot(other, gradient)
                found[first, second] = product
                if self._targets is None:
                    found[second, first] = product
            del gradient  # before the next domain's is there

    def _scaled(self, blocks: Sequence[Block]) -> tuple[Gradient, float]:
        gradient = self._gradients.of(blocks)
        return gradient, self._gradients.clip(norm_of(gradient))
