"""What is derived of control logs, held to the vectors and to the rules a stranger wrote."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from checker.rules import block_of, domain_hash, lane_orders, lane_share, merged, mix

from sluice.derive.blocks import UNKNOWN, DomainEnds
from sluice.derive.fold import Derivation, Ends
from sluice.derive.rows import DerivedRows
from sluice.errors import InvalidWorldSize, StreamCorrupt
from sluice.kafka.access import LogRecord
from sluice.run.entry import Entry, read_entry
from sluice.run.fold import RunLogFold
from sluice.run.rank import TrainerRank
from sluice.segment.digest import digests
from sluice.wire.header import StreamHeader
from vectors import cases, vectors

FINGERPRINT = 0x5EED
ALL = TrainerRank()
RUNS = 10_000 if os.environ.get("SLUICE_FULL") == "true" else 60


def entries(case: dict[str, Any]) -> list[Entry]:
    records = (
        LogRecord("log", 0, each["offset"], 0, [], bytes.fromhex(each["value"]))
        for each in case["log"]
    )
    return [entry for entry in map(read_entry, records) if entry is not None]


def ends_of(case: dict[str, Any], lanes: int) -> Ends:
    ended = case["endedBlocks"]

    def ends(domains: tuple[str, ...]) -> DomainEnds:
        blocks = np.array([ended.get(name, [0] * lanes) for name in domains]).T
        return DomainEnds(blocks, np.zeros(blocks.shape, dtype=bool))

    return ends


def follow(case: dict[str, Any]) -> Derivation:
    derivation = Derivation(case["runId"])
    fold = RunLogFold(case["runId"], derivation.apply)
    for entry in entries(case):
        fold.apply(entry)
    return derivation


def lanes_of(case: dict[str, Any]) -> int:
    started = next(entry for entry in entries(case) if entry.kind == "RunStarted")
    return int(started.body["spec"]["lanes"])


def assert_batch(derived: DerivedRows, expected: dict[str, Any]) -> None:
    number = expected["batch"]
    rows, i = derived.of(number), number - derived.batch
    assert derived.timeline == expected["timeline"]
    assert derived.first_indices[i] == expected["firstIndex"]
    assert derived.sizes[i] == expected["size"] == rows.stop - rows.start
    assert derived.versions[i] == expected["weightsVersion"]
    assert derived.domain[rows].tolist() == expected["domains"]
    assert derived.ordinal[rows].tolist() == expected["ordinals"]
    assert derived.block[rows].tolist() == expected["blocks"]


def hashes(derived: DerivedRows) -> np.ndarray[Any, np.dtype[np.uint64]]:
    names = [domain_hash(FINGERPRINT, name) for name in derived.domains]
    rows = zip(derived.domain.tolist(), derived.lane.tolist(), derived.block.tolist(), strict=True)
    return np.array([mix(names[d] + (lane << 48) + n) for d, lane, n in rows], dtype=np.uint64)


def taken(derivation: Derivation, first: int, last: int, ends: Ends, most: int) -> Any:
    while first <= last:
        derived = derivation.derive(first, ALL, ends, most)
        yield derived
        first = derived.last + 1


@cases("derived")
@pytest.mark.parametrize("most", [1, 100, 4096])
def test_batches(case: dict[str, Any], most: int) -> None:
    expected = {batch["batch"]: batch for batch in case["batches"]}
    derivation, ends = follow(case), ends_of(case, lanes_of(case))
    found = 0
    for derived in taken(derivation, min(expected), max(expected), ends, most):
        for batch in range(derived.batch, derived.last + 1):
            assert_batch(derived, expected[batch])
            found += 1
    assert found == len(expected)


@cases("derived")
def test_ranks(case: dict[str, Any]) -> None:
    derivation, ends = follow(case), ends_of(case, lanes_of(case))
    for expected in case["batches"]:
        for world, parts in zip((1, 3, 8), expected["digests"], strict=True):
            for number, part in enumerate(parts):
                rank = TrainerRank(number, world)
                derived = derivation.derive(expected["batch"], rank, ends, 300)
                found = digests(derived.index, hashes(derived), derived.starts)
                assert f"{found[0]:016x}" == part


@cases("derived")
def test_any_snapshot_is_a_beginning(case: dict[str, Any]) -> None:
    log, ends = entries(case), ends_of(case, lanes_of(case))
    begun = [i for i, entry in enumerate(log) if entry.kind == "LogSnapshot"]
    assert begun
    for i in begun:
        derivation = Derivation(case["runId"])
        derivation.begin(log[i])
        for entry in log[i + 1 :]:
            derivation.apply(entry)
        known = [batch for batch in case["batches"] if derivation.has(batch["batch"])]
        assert 0 < len(known) < len(case["batches"])
        for expected in known:
            assert_batch(derivation.derive(expected["batch"], ALL, ends), expected)


class LoggedRun:
    """A run's log, drawn by lot, and the rows (index, domain, lane, ordinal, block) of its batches
    as the rules make them."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.lanes, self.seed = draw.randint(1, 3), draw.getrandbits(64) - (1 << 63)
        self.domains = [f"d{i}" for i in range(draw.choice([1, 2, 5, 80]))]
        self.sizes = {
            f"d{i}": [draw.choice([0, 3, 70, 200]) for _ in range(self.lanes)] for i in range(99)
        }
        self.in_place = {name for name in self.sizes if draw.random() < 0.3}
        self.timeline = self.batch = self.index = 0
        self.version = 1
        self.used = [0] * (self.lanes * len(self.domains))
        self.ends: dict[int, dict[str, Any]] = {}
        self.rows: dict[int, list[tuple[int, ...]]] = {}
        self.log: list[Entry] = []
        self.write("RunStarted", {"spec": self.spec, "origin": None})
        self.ends[0] = self.snapshot

    @property
    def spec(self) -> dict[str, Any]:
        return {"seed": self.seed, "lanes": self.lanes, "domains": list(self.domains)}

    @property
    def snapshot(self) -> dict[str, Any]:
        at = {"batch": self.batch, "nextSequence": self.index, "weightsVersion": self.version}
        return at | {"ordinals": list(self.used), "domains": len(self.domains)}

    def write(self, kind: str, body: dict[str, Any]) -> None:
        record = {"timeline": self.timeline, "body": ("io.sluice.schema." + kind, body)}
        self.log.append(Entry(0, len(self.log), record))

    def live(self) -> None:
        for _ in range(self.draw.randint(1, 12)):
            self.draw.choice([self.grant, self.grant, self.rewind, self.add, self.sum_up])()

    def grant(self) -> None:
        after, first, counts, sizes = self.batch, self.index, list[int](), list[int]()
        for _ in range(self.draw.randint(1, 6)):
            sizes.append(self.size_of(self.batch + 1))
            drawn = self.draw.choices(range(len(self.domains)), k=sizes[-1])
            row = [drawn.count(d) for d in range(len(self.domains))]
            counts += row
            self.batch += 1
            self.rows[self.batch] = list(self.derived(row))
            self.index += sizes[-1]
            self.ends[self.batch] = self.snapshot
        self.write(
            "MixtureGrant",
            {
                "after": after,
                "to": self.batch,
                "firstSequence": first,
                "weightsVersion": self.version,
                "batchSizes": sizes,
                "counts": counts,
                "effectiveWeights": [1] * len(self.domains),
            },
        )

    def size_of(self, batch: int) -> int:
        return 6 * self.draw.randint(1, 9)

    def derived(self, counts: list[int]) -> Iterator[tuple[int, ...]]:
        given = lane_share(counts, self.index, self.used)
        orders = lane_orders(self.seed, self.timeline, self.batch, given, self.lanes)
        for index, d in enumerate(merged(orders, self.index), self.index):
            lane = index % self.lanes
            part = lane * len(self.domains) + d
            ordinal, size = self.used[part], self.sizes[self.domains[d]][lane] or None
            self.used[part] += 1
            in_place = self.domains[d] in self.in_place
            block = block_of(ordinal, self.seed, d, lane, size, in_place)
            yield index, d, lane, ordinal, UNKNOWN if in_place and size is None else block

    def resized(self, used: list[int], domains: int) -> list[int]:
        rows = np.array(used).reshape(self.lanes, -1)
        wide = np.pad(rows, ((0, 0), (0, max(domains - rows.shape[1], 0))))
        return list(wide[:, :domains].ravel().tolist())

    def add(self) -> None:
        self.domains.append(f"d{len(self.domains)}")
        self.used = self.resized(self.used, len(self.domains))
        self.revise()

    def revise(self) -> None:
        self.version += 1
        self.ends[self.batch] = self.snapshot
        self.write("RunRevised", {"spec": self.spec, "snapshot": self.snapshot})

    def rewind(self) -> None:
        batch = self.draw.choice(list(self.ends))
        at, skipped = self.ends[batch], self.draw.choice([b for b in self.ends if b >= batch])
        self.timeline += 1
        self.domains = self.domains[: at["domains"]]
        self.used = self.resized(self.ends[skipped]["ordinals"], at["domains"])
        self.batch, self.index, self.version = batch, at["nextSequence"], at["weightsVersion"]
        self.ends = {b: end for b, end in self.ends.items() if b <= batch}
        self.rows = {b: rows for b, rows in self.rows.items() if b <= batch}
        self.revise()

    def sum_up(self) -> None:
        self.write("LogSnapshot", {"spec": self.spec, "snapshot": self.snapshot})

    def ended(self, domains: tuple[str, ...]) -> DomainEnds:
        blocks = np.array([self.sizes[name] for name in domains]).T
        in_place = np.array([[name in self.in_place for name in domains]] * self.lanes)
        return DomainEnds(blocks, in_place)


def assert_derives(derivation: Derivation, run: LoggedRun, first: int) -> None:
    rank = TrainerRank(run.draw.randrange(3), 3) if run.draw.random() < 0.3 else ALL
    while first <= run.batch:
        derived = derivation.derive(first, rank, run.ended, run.draw.choice([1, 60, 4096]))
        for batch in range(first, derived.last + 1):
            rows, each = run.rows[batch], len(run.rows[batch]) // rank.world_size
            of = derived.of(batch)
            found = (derived.index, derived.domain, derived.lane, derived.ordinal, derived.block)
            assert [tuple(row) for row in np.stack([part[of] for part in found]).T.tolist()] == (
                rows[rank.rank * each : (rank.rank + 1) * each]
            )
        first = derived.last + 1
    assert not derivation.has(first)


@pytest.mark.parametrize("seed", range(RUNS))
def test_drawn_logs(seed: int) -> None:
    run = LoggedRun(random.Random(seed))
    run.live()
    begun = [i for i, entry in enumerate(run.log) if entry.kind == "LogSnapshot"]
    start = run.draw.choice([None, *begun])
    derivation = Derivation(
        "r", run.draw.randint(1, run.batch + 1) if run.draw.random() < 0.5 else 1
    )
    if start is not None:
        derivation.begin(run.log[start])
    for entry in run.log[0 if start is None else start + 1 :]:
        derivation.apply(entry)
        if run.draw.random() < 0.3:  # asks ahead of what may be taken back
            known = [b for b in run.ends if derivation.has(b)]
            if known:
                derivation.derive(run.draw.choice(known), ALL, run.ended)
    assert_derives(derivation, run, next((b for b in run.rows if derivation.has(b)), run.batch + 1))


def test_the_stream_of_a_whole_run() -> None:
    case = vectors("run")
    derivation, ends = follow(case), ends_of(case, lanes_of(case))
    newest: dict[int, tuple[Any, ...]] = {}
    for sequence in case["stream"]:
        at = StreamHeader.decode(bytes.fromhex(sequence["header"]))
        block = (sequence["block"][name] for name in ("domain", "lane", "ordinal"))
        if newest.get(at.index, (-1,))[0] <= at.timeline:
            newest[at.index] = (at.timeline, at.batch, at.weights_version, at.ordinal, *block)
    for derived in taken(derivation, 1, case["state"]["granted"], ends, 20):
        for batch in range(derived.batch, derived.last + 1):
            of, version = derived.of(batch), int(derived.versions[batch - derived.batch])
            for i in range(of.start, of.stop):
                domain = derived.domains[derived.domain[i]]
                where = (int(derived.ordinal[i]), domain, int(derived.lane[i]))
                found = (derived.timeline, batch, version, *where, int(derived.block[i]))
                assert found == newest[int(derived.index[i])]


def started() -> Entry:
    spec = {"seed": 1, "lanes": 1, "domains": ["a", "b"]}
    body = ("io.sluice.schema.RunStarted", {"spec": spec, "origin": None})
    return Entry(0, 0, {"timeline": 0, "body": body})


def granted(after: int, to: int, first: int, **other: Any) -> Entry:
    body: dict[str, Any] = {"after": after, "to": to, "firstSequence": first, "weightsVersion": 1}
    body |= {"batchSizes": [4] * (to - after), "counts": [3, 1] * (to - after)}
    body |= {"effectiveWeights": [1 << 39, 1 << 39]} | other
    return Entry(0, 1, {"timeline": 0, "body": ("io.sluice.schema.MixtureGrant", body)})


def revised(timeline: int, batch: int, first: int, ordinals: list[int], *more: str) -> Entry:
    at = {"batch": batch, "nextSequence": first, "weightsVersion": 1, "ordinals": ordinals}
    spec = {"seed": 1, "lanes": 1, "domains": ["a", "b", *more]}
    body = ("io.sluice.schema.RunRevised", {"spec": spec, "snapshot": at})
    return Entry(0, 2, {"timeline": timeline, "body": body})


def growing(domains: tuple[str, ...]) -> DomainEnds:
    return DomainEnds(np.zeros((1, len(domains)), dtype=np.int64), np.zeros((1, 2), dtype=bool))


@pytest.fixture
def derivation() -> Derivation:
    found = Derivation("r-1")
    found.apply(started())
    return found


def fails(step: Callable[[], Any], message: str) -> None:
    with pytest.raises(StreamCorrupt) as error:
        step()
    assert str(error.value) == f"control log of run r-1: {message}"


def test_grants_that_do_not_go_on(derivation: Derivation) -> None:
    for entry, found in (
        (granted(1, 3, 0), "batch 2 of weights version 1 is granted from sequence 0 on"),
        (granted(0, 3, 5), "batch 1 of weights version 1 is granted from sequence 5 on"),
        (
            granted(0, 3, 0, weightsVersion=0),
            "batch 1 of weights version 0 is granted from sequence 0 on",
        ),
    ):
        fails(
            partial(derivation.apply, entry),
            f"{found}: expected batch 1 of at least version 1 from sequence 0 on",
        )


def test_numbers_that_cannot_be(derivation: Derivation) -> None:
    wrong = granted(0, 1, 0, counts=[3, 2])
    message = "the counts of batch 1 must not be negative and sum to its 4 sequences: 5"
    fails(lambda: derivation.apply(wrong), message)
    empty = granted(0, 1, 0, counts=[0, 0], batchSizes=[0])
    fails(lambda: derivation.apply(empty), "sequences of batch 1 must be in [1, 1048576]: 0")
    assert not derivation.has(1)


def test_revisions_that_say_something_else(derivation: Derivation) -> None:
    derivation.apply(granted(0, 2, 0))
    early = revised(0, 1, 4, [3, 1])
    fails(lambda: derivation.apply(early), "batch 1 is revised, the last granted one is 2")
    narrow = revised(0, 2, 8, [6])
    fails(
        lambda: derivation.apply(narrow),
        "batch 2 must leave ordinals of 1 lanes of 2 domains: 1",
    )
    derivation.apply(revised(0, 2, 8, [5, 3, 0], "c"))
    assert len(derivation.derive(2, ALL, growing).index) == 4
    derivation.apply(granted(2, 3, 8, counts=[2, 1, 1], effectiveWeights=[1, 1, 1]))
    fails(
        lambda: derivation.derive(3, ALL, growing),
        "batch 3 begins at sequence 8 and ordinals [[5, 3, 0]], the batches before it end at "
        "sequence 8 and ordinals [[6, 2]]",
    )


def test_what_is_behind_is_dropped(derivation: Derivation) -> None:
    derivation.apply(granted(0, 8, 0))
    sixth = derivation.derive(6, ALL, growing, 1)
    assert [batch for batch in range(1, 12) if derivation.has(batch)] == [6, 7, 8]
    again = derivation.derive(6, ALL, growing, 1)
    assert again.ordinal.tolist() == sixth.ordinal.tolist()
    with pytest.raises(ValueError) as error:
        derivation.derive(5, ALL, growing)
    found = "batch 5 of run r-1 cannot be derived: the last granted one is 8"
    assert str(error.value) == found


def test_a_rewind_leads_to_its_own_first_batch(derivation: Derivation) -> None:
    derivation.apply(granted(0, 8, 0))
    derivation.derive(6, ALL, growing)
    derivation.apply(revised(1, 3, 12, [18, 6]))
    entry = granted(3, 9, 12)
    derivation.apply(entry._replace(record=entry.record | {"timeline": 1}))
    fourth = derivation.derive(4, ALL, growing, 4)
    assert fourth.timeline == 1
    assert sorted(fourth.ordinal.tolist()) == [6, 18, 19, 20]


def test_an_ordinal_is_its_own_block_until_the_end_is_known(derivation: Derivation) -> None:
    derivation.apply(granted(0, 8, 0))
    before = derivation.derive(8, ALL, growing)
    assert before.block.tolist() == before.ordinal.tolist()
    ended = DomainEnds(np.full((1, 2), 7), np.zeros((1, 2), dtype=bool))
    after = derivation.derive(8, ALL, lambda domains: ended)
    assert after.ordinal.tolist() == before.ordinal.tolist()
    assert after.block.max() < 7


def test_ranks_divide_batches(derivation: Derivation) -> None:
    derivation.apply(granted(0, 1, 0))
    with pytest.raises(InvalidWorldSize):
        derivation.derive(1, TrainerRank(0, 3), growing)
