"""A run's held-out blocks, divided between evaluation, a target set and probe batches.

No held-out document is ever trained on, so none of them takes anything from the training's order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sluice.block.block import Block
from sluice.errors import EvalSetError

_MORE = "raise the dataset's held-out share or add documents"


class ProbeBatches:
    """Probe batches x_i of every domain: a pool of blocks that is walked in order, round and round.

    Which blocks a draw gets depends on its number alone, so a training that is resumed measures on
    what it would have measured on. ``blocks`` are those of one batch; a smaller pool is its
    domain's batch every time.
    """

    def __init__(self, pools: Mapping[str, Sequence[Block]], blocks: int) -> None:
        if blocks < 1:
            raise ValueError(f"blocks must be at least 1: {blocks}")
        if not pools:
            raise EvalSetError("probe batches need at least 1 domain: 0")
        self._blocks = blocks
        self._pools = {name: [one for one in pool if _trains(one)] for name, pool in pools.items()}
        for name, pool in self._pools.items():
            if not pool:
                raise EvalSetError(
                    f"domain '{name}' must have at least 1 probe block with trained tokens: "
                    f"0 of {len(pools[name])}; {_MORE}"
                )

    def batch(self, draw: int) -> dict[str, list[Block]]:
        """The blocks of each domain in one draw, counted from 0."""
        return {name: self._drawn(pool, draw) for name, pool in self._pools.items()}

    def _drawn(self, pool: list[Block], draw: int) -> list[Block]:
        count = min(self._blocks, len(pool))
        return [pool[(draw * count + i) % len(pool)] for i in range(count)]


def _trains(block: Block) -> bool:
    return bool(block.loss_mask.any())


class HeldOut(NamedTuple):
    """The held-out blocks of every domain, divided; no block is in both ``target`` and a pool.

    ``evaluated`` are the first blocks of each domain, the same whether or not alignments are
    measured. Those of the target domains are ``target``, the set z, as well. ``pools`` are the
    blocks after them; a domain that has too few gives half of its blocks to its pool.
    """

    evaluated: dict[str, list[Block]]
    target: list[Block]
    pools: dict[str, list[Block]]

    def apart(self, domain: str) -> list[Block]:
        """The evaluated blocks of a domain that are in no pool: its own target set."""
        pooled = {id(block) for block in self.pools[domain]}
        return [block for block in self.evaluated[domain] if id(block) not in pooled]

    @staticmethod
    def divided(
        blocks: Mapping[str, Sequence[Block]], evaluated: int, targets: Iterable[str] = ()
    ) -> HeldOut:
        """Divides what :func:`~sluice.eval_sets` gave: ``evaluated`` blocks of each domain, and the
        rest to its pool."""
        wanted = set(targets)
        unknown = sorted(wanted - set(blocks))
        if unknown:
            raise EvalSetError(
                f"target domains must be of {', '.join(blocks)}: {', '.join(unknown)}"
            )
        found = HeldOut({}, [], {})
        for domain, every in blocks.items():
            own = min(evaluated, len(every) // 2)
            found.evaluated[domain] = list(every[:evaluated])
            found.pools[domain] = list(every[own:])
            if domain in wanted:
                if len(every) < 2:
                    raise EvalSetError(
                        f"target domain '{domain}' must have at least 2 held-out blocks, one to "
                        f"align with and one to probe: {len(every)}; {_MORE}"
                    )
                found.target.extend(every[:own])
        return found
