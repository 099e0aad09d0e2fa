"""What ranks say that they read is what the log and the blocks give: sections 13 and 20."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from checker.contents import derived
from checker.derived import Sequence
from checker.documents import specifications
from checker.finding import Finding
from checker.rules import WORD, digest_term, row_hash
from checker.run import Place, Rank, Run
from checker.topics import Topics
from checker.wire import Record, of

DIGESTS = 1 << 10
RANKS = 1 << 16


class Said:
    """The first word of each rank on each batch, and those that take one back."""

    def __init__(self, run: Run, topics: Topics) -> None:
        self.run = run
        self.words: dict[Place, dict[Rank, int]] = {}
        self.others: list[tuple[Place, Rank, int, int]] = []
        topic = f"feedback.{run.name}"
        for message in topics.read(topic) if topic in topics.names() else ():
            progress = of("TrainerProgress", message.value)
            if progress is not None and progress["runId"] == run.id and stands(progress):
                self._take(progress)

    def _take(self, progress: Record) -> None:
        rank, read = Rank(progress["rank"], progress["worldSize"]), progress["read"][1]
        timelines = self.run.timelines_as_of(progress["timeline"])
        for batch, digest in enumerate(read["digests"], read["first"]):
            place = timelines.owner(batch), batch
            first = self.words.setdefault(place, {}).setdefault(rank, digest)
            if first != digest:
                self.others.append((place, rank, first, digest))


def stands(progress: Record) -> bool:
    """Whether a rank can have read what it says."""
    read = progress["read"] and progress["read"][1]
    return (
        read is not None
        and 0 <= progress["rank"] < progress["worldSize"] <= RANKS
        and progress["timeline"] >= 0
        and 1 <= len(read["digests"]) <= DIGESTS
        and 1 <= read["first"] <= progress["batch"] - len(read["digests"]) + 1
    )


class Rows:
    """Hashes of the blocks of a run's dataset; read when first asked for, 8 bytes of each."""

    def __init__(self, run: Run, topics: Topics) -> None:
        self.topics = topics
        self.names = topics.names()
        self.spec = run.log.spec
        data = specifications(topics).get(self.spec["dataset"])
        same = data is not None and data["fingerprint"] == self.spec["fingerprint"]
        self.padding = data["padding"] if data is not None and same else None
        self.domains: dict[str, list[list[int | None]]] = {}

    def of(self, domain: str, lane: int, block: int) -> int | None:
        """None where it is in no topic, or no more what it was."""
        if domain not in self.domains:
            topic = f"blocks.{self.spec['dataset']}.{domain}"
            lanes = range(self.topics.partitions(topic) if topic in self.names else 0)
            self.domains[domain] = [self._lane(topic, each) for each in lanes]
        found = self.domains[domain]
        rows = found[lane] if lane < len(found) else []
        return rows[block] if block < len(rows) else None

    def _lane(self, topic: str, lane: int) -> list[int | None]:
        rows: list[int | None] = []
        for message in self.topics.read(topic, lane):
            if message.timestamp == len(rows) and of("EndOfDomain", message.value) is None:
                block = of("TokenBlock", message.value)
                rows.append(self._row(block) if block and self._usable(block) else 0)
        return rows

    def _usable(self, block: Record) -> bool:
        tokens, lengths = self.spec["sequenceLength"] + 1, block["documentLengths"]
        return (
            block["fingerprint"] == self.spec["fingerprint"]
            and block["tokenWidth"] in (2, 4)
            and len(block["tokens"]) == tokens * block["tokenWidth"]
            and sum(lengths) == tokens
            and min(lengths) >= 0
        )

    def _row(self, block: Record) -> int | None:
        at, width = 0, block["tokenWidth"]
        for length, name in zip(block["documentLengths"], block["documentIds"], strict=False):
            part = block["tokens"][at : at + length * width]
            at += length * width
            if self.padding is not None and name and part:
                gone = self.padding.to_bytes(width, "little") * length
                if part == gone:
                    return None  # the document was deleted from its topics
        return row_hash(block["tokens"])


def read(run: Run, topics: Topics) -> Iterator[Finding]:
    """A word on a batch that is not granted yet is left to another time."""
    said = Said(run, topics)
    for place, rank, first, later in said.others:
        yield run.finding("read", _place(place, rank), _hex(first), f"later {_hex(later)}")
    if not said.words:
        return
    rows, left = Rows(run, topics), dict(said.words)
    for place, batch in groupby(derived(run), key=lambda each: (each.timeline, each.batch)):
        words = left.pop(place, {})
        if words:
            yield from _held(run, place, words, list(batch), rows)
    for place, words in left.items():
        if place[0] < run.timelines.newest:
            for rank in words:
                yield run.finding("read", _place(place, rank), "a grant names it", "none does")


def _held(
    run: Run, place: Place, words: dict[Rank, int], batch: list[Sequence], rows: Rows
) -> Iterator[Finding]:
    found = [rows.of(each.domain, each.lane, each.block) for each in batch]
    for rank, word in words.items():
        if len(batch) % rank.world:
            expected = f"a world that divides {len(batch)} sequences"
            yield run.finding("read", _place(place, rank), expected, f"one of {rank.world}")
            continue
        own = [found[index] for index in rank.rows(0, len(batch))]
        known = [row for row in own if row is not None]
        if len(known) < len(own):
            continue
        first = batch[0].first + rank.rank * len(own)
        should = sum(digest_term(index, row) for index, row in enumerate(known, first))
        if (should - word) & WORD:
            yield run.finding("read", _place(place, rank), _hex(should), _hex(word))


def sealed(run: Run) -> Iterator[Finding]:
    """A run without a stream is granted what segments have."""
    for each in derived(run) if run.derived else ():
        rows = run.sealed.rows(each.domain, each.lane)
        if each.block >= rows:
            place = f"timeline {each.timeline}, batch {each.batch}, index {each.at}"
            found = f"block {each.block} of domain {each.domain}, lane {each.lane}"
            yield run.finding("sealed", place, f"one of the {rows} that are sealed", found)


def _place(place: Place, rank: Rank) -> str:
    return f"rank {rank.rank} of {rank.world}, timeline {place[0]}, batch {place[1]}"


def _hex(digest: int) -> str:
    return f"{digest & WORD:016x}"
