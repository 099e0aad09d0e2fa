"""Running 64-bit hash of the blocks of one stream partition (version 1).

All arithmetic is modulo 2^64::

    mix(z)    z = (z ^ z>>30) * BF58476D1CE4E5B9;  z = (z ^ z>>27) * 94D049BB133111EB;  z ^ z>>31
    domain    FNV-1a, 64 bits, over the name's UTF-8 bytes
    block     mix(mix(fingerprint + domain) + lane * 2^48 + ordinal)
    chain     next = mix(chain * 9E3779B97F4A7C15 + mix(index) + block)

It begins with the run's id, so that no other run's stream continues it; in runs of plan version 1,
with 0.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

START = 0
GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


def _mix(z: int) -> int:
    z &= _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def fnv(data: bytes) -> int:
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & _MASK
    return value


def start(plan_version: int, run_id: str) -> int:
    """Chain before the first sequence of a partition in a timeline, in [0, 2^64)."""
    return START if plan_version == 1 else fnv(run_id.encode())


@lru_cache(maxsize=65_536)
def domain_hash(fingerprint: int, name: str) -> int:
    """Identity of a domain's blocks; ``fingerprint`` may be signed or unsigned."""
    return _mix(fingerprint + fnv(name.encode()))


def next_chain(chain: int, index: int, domain: int, lane: int, ordinal: int) -> int:
    """Chain after one more sequence, in [0, 2^64); ``domain`` is from :func:`domain_hash`."""
    block = _mix(domain + (lane << 48) + ordinal)
    return _mix(chain * GOLDEN + _mix(index) + block)


def mix_all(z: Hashes) -> Hashes:
    """SplitMix64's finalizer of each."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def next_chains(
    chains: Hashes, indices: NDArray[Any], domains: Hashes, lanes: Hashes, ordinals: Hashes
) -> Hashes:
    """:func:`next_chain` for each of n sequences; every array is [n].

    A stretch of a partition is checked at once by giving, as the chain before each sequence, what
    the record before it claims.
    """
    blocks = mix_all(domains + (lanes << np.uint64(48)) + ordinals)
    numbers = mix_all(indices.astype(np.uint64))
    return mix_all(chains * np.uint64(GOLDEN) + numbers + blocks)
