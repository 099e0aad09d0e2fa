"""The arithmetic of docs/protocol.md, written again from that page alone.

Sections are those of the page. Nothing here imports the package: this is what a stranger would
write for another client.
"""

from __future__ import annotations

import base64
import hashlib
import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
FNV = 0xCBF29CE484222325
UNIT = 1 << 40
T = TypeVar("T")

# 1. Words


def mix(z: int) -> int:
    z &= WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def fnv(start: int, text: str) -> int:
    for byte in text.encode():
        start = (start ^ byte) * 0x100000001B3 & WORD
    return start


# 4. Datasets and blocks


LEFT_OUT = {
    *range(0x21),
    *range(0x7F, 0xA1),
    *(0xAD, 0x1680, 0x3000, 0xFEFF),
    *range(0x2000, 0x2010),
    *range(0x2028, 0x2030),
    *range(0x205F, 0x2070),
}
DECIDING: dict[int, int | None] = {code: code + 32 for code in range(65, 91)}
DECIDING |= dict.fromkeys(LEFT_OUT)


def deciding(text: str, rule: int = 1) -> int:
    decides = text if rule == 1 else text.translate(DECIDING)
    return mix(fnv(fnv(FNV, f"sluice.held-out.{rule}"), decides))


def held_out(text: str, share: float, rule: int = 1) -> bool:
    return below(deciding(text, rule), share)


def below(deciding: int, share: float) -> bool:
    """Whether what has this hash is held out by the share."""
    return (deciding >> 11) * 2.0**-53 < share


def document_hash(domain: str, name: str) -> bytes:
    """What a document is known by in sets."""
    return hashlib.sha256(f"{domain}\0{name}".encode()).digest()[:16]


def id_hash(domain: str, name: str) -> str:
    """What a block has of a document's id, where blocks have hashes."""
    return base64.urlsafe_b64encode(document_hash(domain, name)[:8]).decode().rstrip("=")


class HeldOut:
    """Which documents of a domain are, asked of each that has tokens, once and in order."""

    def __init__(self, share: float, least: int = 0) -> None:
        self.share, self.least = share, least
        self.tokens = 0
        self.apart: set[int] = set()
        self.trained: set[int] = set()

    def takes(self, key: int, tokens: int) -> bool:
        """Of a document with the hash ``key`` of what decides."""
        shared = below(key, self.share)
        if key in self.apart or self.tokens >= self.least:
            return shared or key in self.apart
        if not shared and (key in self.trained or len(self.apart) >= len(self.trained)):
            self.trained.add(key)
            return False
        self.apart.add(key)
        self.tokens += tokens + 1
        return True


def gapped(text: str, seed: int, rate: float, spm: float) -> list[str] | None:
    """Prefix, middle, suffix, and 'spm' if the suffix comes first; None for a text without gap."""
    random = mix(seed + fnv(fnv(FNV, "sluice.fim.1"), text))
    share = [(mix(random + i) >> 11) * 2.0**-53 for i in range(4)]
    if not text or share[0] >= rate:
        return None
    a, b = sorted(int(each * (len(text) + 1)) for each in share[2:])
    return [text[:a], text[a:b], text[b:], *(["spm"] if share[1] < spm else [])]


def permuted(count: int, stream: int) -> Iterator[int]:
    """The numbers below the count, in an order that follows from the stream."""
    half = 1
    while 4**half < count:
        half += 1
    for place in range(count):
        x = place
        while True:
            left, right = x >> half, x % 2**half
            for turn in range(6):
                drawn = mix(stream + turn * 2**32 + right) >> (64 - half)
                left, right = right, left ^ drawn
            x = left * 2**half + right
            if x < count:
                break
        yield x


def shuffled(
    seed: int, domain: str, capacity: int, documents: Iterable[T | None], ended: bool = True
) -> Iterator[T]:
    """In the place of a document, None is a release of all that wait.

    With a capacity of -1 all of them are drawn from, once the domain has ended.
    """
    if capacity < 0:
        if ended:
            all_of_it = [each for each in documents if each is not None]
            for number in permuted(len(all_of_it), mix(seed + fnv(FNV, domain))):
                yield all_of_it[number]
        return
    slots: list[T] = []
    stream, picks = mix(seed + fnv(FNV, domain)), 0

    def pick() -> int:
        nonlocal picks
        picks += 1
        return len(slots) * (mix(stream + picks - 1) >> 33) >> 31

    def drain() -> Iterator[T]:
        while slots:
            at = pick()
            yield slots[at]
            slots[at] = slots[-1]
            slots.pop()

    for document in documents:
        if document is None:
            yield from drain()
        elif len(slots) < capacity:
            slots.append(document)
        else:
            at = pick()
            yield slots[at]
            slots[at] = document
    if ended:
        yield from drain()


# 6. Weights, 7. The plan


def handed(whole: list[int], rest: list[int]) -> list[int]:
    missing = UNIT - sum(whole)
    for i in sorted(range(len(whole)), key=lambda i: -rest[i])[:missing]:
        whole[i] += 1
    return whole


def without(weights: list[int], masked: list[int]) -> list[int]:
    if not masked:
        return weights
    kept = [0 if i in masked else weight for i, weight in enumerate(weights)]
    left = sum(kept)
    return handed([w * UNIT // left for w in kept], [w * UNIT % left for w in kept])


def of_shares(shares: list[float]) -> list[int]:
    total = 0.0
    for share in shares:
        total += share
    exact = [share / total * UNIT for share in shares]
    rest = [0 if x == 0 else 1 + int((x - int(x)) * 2.0**52) for x in exact]
    return handed([int(x) for x in exact], rest)


def plan(
    error: list[int], effective: list[int], size: int, most: list[int] | None, version: int
) -> list[int]:
    """Changes the error."""
    if version == 1 and max(map(abs, error)) <= 1 << 44:
        left = list(error)
        counts = plan_of_version_1(left, effective, size)
        if most is None or all(count <= bound for count, bound in zip(counts, most, strict=True)):
            error[:] = left
            return counts
    return seats(error, effective, size, most)


def plan_of_version_1(error: list[int], effective: list[int], size: int) -> list[int]:
    active = [i for i, weight in enumerate(effective) if weight > 0]
    counts = [0] * len(error)

    def give(i: int, sequences: int) -> None:
        counts[i] += sequences
        error[i] -= sequences * UNIT

    for i in active:
        error[i] += effective[i] * size
        give(i, max(0, error[i] // UNIT))
    while sum(counts) < size:
        for i in sorted(active, key=lambda i: (-error[i], i))[: size - sum(counts)]:
            give(i, 1)
    while sum(counts) > size:
        held = sorted((i for i in active if counts[i]), key=lambda i: (error[i], -i))
        for i in held[: sum(counts) - size]:
            give(i, -1)
    return counts


def seats(error: list[int], effective: list[int], size: int, most: list[int] | None) -> list[int]:
    """The rule; offers are counted by their value, since batches can be large."""
    owed = [i for i, weight in enumerate(effective) if weight > 0]
    for i in owed:
        error[i] += effective[i] * size
    bounds = [size if most is None else min(size, bound) for bound in most or effective]

    def offers(i: int, value: int) -> int:
        return max(0, min(bounds[i], (error[i] - value) // UNIT + 1))

    low, high = min(error[i] for i in owed) - size * UNIT, max(error[i] for i in owed)
    while low < high:  # the highest value that enough offers reach
        middle = (low + high + 1) // 2
        enough = sum(offers(i, middle) for i in owed) >= size
        low, high = (middle, high) if enough else (low, middle - 1)
    counts = [0] * len(error)
    for i in owed:
        counts[i] = offers(i, low + 1)
    for i in owed:
        if sum(counts) < size and offers(i, low) > counts[i]:
            counts[i] += 1
    for i in owed:
        error[i] -= counts[i] * UNIT
    return counts


# 9. Lanes, 10. The order of a batch, 11. Epochs


def lane_share(counts: list[int], first: int, used: list[int]) -> list[int]:
    domains = len(counts)
    lanes = range(len(used) // domains)
    if len(lanes) == 1:
        return counts
    given, extra = [0] * len(used), [False] * len(used)
    surplus = [0] * len(lanes)
    for g in range(first, first + sum(counts)):
        surplus[g % len(lanes)] -= 1
    for d, count in enumerate(counts):
        turns = [(d + first + i) % len(lanes) for i in lanes]
        turns.sort(key=lambda lane: used[lane * domains + d])
        for place, lane in enumerate(turns):
            extra[lane * domains + d] = place < count % len(lanes)
            given[lane * domains + d] = count // len(lanes) + extra[lane * domains + d]
            surplus[lane] += given[lane * domains + d]
    for a in lanes:
        for b in lanes:
            moved = min(surplus[a], -surplus[b])
            if moved > 0:
                can = [d for d in range(domains) if extra[a * domains + d]]
                can = [d for d in can if not extra[b * domains + d]]
                can.sort(key=lambda d: used[b * domains + d] - used[a * domains + d])
                for d in can[:moved]:
                    for lane, change in ((a, -1), (b, 1)):
                        given[lane * domains + d] += change
                        surplus[lane] += change
                        extra[lane * domains + d] = change > 0
    return given


def shuffle(values: list[int], key: list[int]) -> list[int]:
    state = 0
    for word in key:
        state = mix(state * GOLDEN + word + GOLDEN)
    for i in range(len(values) - 1, 0, -1):
        state = state + GOLDEN & WORD
        j = (mix(state) >> 32) * (i + 1) >> 32
        values[i], values[j] = values[j], values[i]
    return values


def lane_orders(
    seed: int, timeline: int, batch: int, given: list[int], lanes: int
) -> list[list[int]]:
    domains = len(given) // lanes
    orders = []
    for lane in range(lanes):
        counts = given[lane * domains : (lane + 1) * domains]
        ascending = [d for d, count in enumerate(counts) for _ in range(count)]
        orders.append(shuffle(ascending, [seed, timeline, batch, lane][: 3 if lanes == 1 else 4]))
    return orders


def merged(orders: list[list[int]], first: int) -> list[int]:
    size, lanes = sum(map(len, orders)), len(orders)
    return [orders[(first + p) % lanes][p // lanes] for p in range(size)]


@lru_cache(1 << 12)
def shuffled_range(length: int, key: tuple[int, ...]) -> list[int]:
    return shuffle(list(range(length)), list(key))


def block_of(
    ordinal: int, seed: int, domain: int, lane: int, size: int | None, in_place: bool = False
) -> int:
    if size is None or (ordinal < size and not in_place):
        return ordinal
    epoch, position = divmod(ordinal, size)
    key = (seed, domain + (lane << 32), epoch)
    last = (size - 1) // 64
    for chunk in shuffled_range(last + 1, (*key, 0)):
        length = size - 64 * last if chunk == last else 64
        if position < length:
            return 64 * chunk + shuffled_range(length, (*key, chunk + 1))[position]
        position -= length
    raise AssertionError("chunks cover an epoch")


# 12. Stream records

HEADER = struct.Struct(">biqqiqiqQ")


def domain_hash(fingerprint: int, domain: str) -> int:
    return mix(fingerprint + fnv(FNV, domain))


def chain_start(plan_version: int, run_id: str) -> int:
    return 0 if plan_version == 1 else fnv(FNV, run_id)


def next_chain(chain: int, index: int, domain: int, lane: int, ordinal: int) -> int:
    return mix(chain * GOLDEN + mix(index) + mix(domain + (lane << 48) + ordinal))


# 4. Segments, 13. Digests


@lru_cache(1 << 4)
def row_factors(words: int) -> list[int]:
    return [mix(j * GOLDEN) | 1 for j in range(1, words + 1)]


def row_hash(tokens: bytes) -> int:
    words = -(-len(tokens) // 8)
    row = struct.unpack(f"<{words}Q", tokens.ljust(8 * words, b"\0"))
    return mix(sum(w * c for w, c in zip(row, row_factors(words), strict=True)))


def digest_term(index: int, row: int) -> int:
    """What a sequence adds to the digest of its batch, mod 2^64."""
    return mix(mix(index) + row)
