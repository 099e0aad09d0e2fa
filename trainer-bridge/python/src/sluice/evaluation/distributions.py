"""Pools of probe blocks that follow distributions over the domains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sluice.block.block import Block
from sluice.errors import EvalSetError
from sluice.run.info import RunInfo

_BASIS = "basis."


def distribution_pools(
    run: RunInfo, names: Sequence[str], pools: Mapping[str, Sequence[Block]]
) -> dict[str, list[Block]]:
    """A pool for each distribution that the run's policy names, as large as its domains' pools
    together: x_i of mix(p_i) in algorithm 2 of the DGA paper.

    The policy's settings have ``basis.NAME: domain=share …``. The domains of a distribution take
    turns, each as often as its share says, so that batches out of the pool, one after the other,
    have its shares. A distribution that the settings do not have, or one of a domain without
    blocks, is an :class:`~sluice.errors.EvalSetError`.
    """
    found = {}
    for name in names:
        text = run.spec["policySettings"].get(_BASIS + name)
        if text is None:
            raise EvalSetError(
                f"policy '{run.spec['policy']}' waits for alignment of '{name}', and no setting "
                f"{_BASIS}{name} says which domains that is of"
            )
        found[name] = _pool(name, _shares(name, text), pools)
    return found


def _shares(name: str, text: str) -> dict[str, float]:
    shares = {}
    for pair in text.split():
        domain, _, said = pair.rpartition("=")
        try:
            share = float(said)
        except ValueError:
            raise EvalSetError(f"{_BASIS}{name} must be domain=share …: '{pair}'") from None
        if share > 0:
            shares[domain] = share
    return shares


def _pool(
    name: str, shares: Mapping[str, float], pools: Mapping[str, Sequence[Block]]
) -> list[Block]:
    for domain in shares:
        if not pools.get(domain):
            raise EvalSetError(
                f"domain {domain} of distribution {name} must have probe blocks: found none"
            )
    taken = dict.fromkeys(shares, 0)
    pool = []
    for _ in range(sum(len(pools[domain]) for domain in shares)):
        # Whose next turn is due first: the one that is least ahead of its share.
        due = min(shares, key=lambda domain: (taken[domain] + 0.5) / shares[domain])
        pool.append(pools[due][taken[due] % len(pools[due])])
        taken[due] += 1
    return pool
