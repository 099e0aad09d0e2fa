"""What a corpus has of documents: section 4 of docs/protocol.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from checker.packing import UNKNOWN, Document, Left, Token
from checker.rules import deciding, gapped
from checker.topics import Topics
from checker.wire import Record, decoded

LONGEST_ID = 4096
MOST_TOKENS, MOST_RUNS = 2**26, 513


def tokens_of(text: str, trained: list[int] | None, spec: Record | None = None) -> list[Token]:
    """Bytes of the text, and whether each counts in the loss; perhaps with a gap."""
    if trained is None and spec is not None and spec["fimRate"] > 0:
        cut = gapped(text, spec["seed"], spec["fimRate"], spec["fimSpm"])
        if cut is not None:
            before, middle, after = (tokens_of(each, None) for each in cut[:3])
            one, two, three = ([(token, True)] for token in spec["fimTokens"])
            if cut[3:]:
                return one + two + after + three + before + middle
            return one + before + two + after + three + middle
    spans = [0, len(text)] if trained is None else trained
    points = [i for at in range(0, len(spans), 2) for i in range(spans[at], spans[at + 1])]
    counted = set(points)
    return [(byte, i in counted) for i, each in enumerate(text) for byte in each.encode()]


class Text(NamedTuple):
    """A document: the spans of it that count, start and end in turn; None for all of it."""

    id: str
    text: str
    trained: list[int] | None

    def size(self) -> int:
        """Tokens of the text."""
        return len(self.text.encode())

    def deciding(self, rule: int) -> int:
        """Hash of what decides whether it is held out."""
        return deciding(self.text, rule)

    def to_pack(self, spec: Record) -> Document:
        return self.id, tokens_of(self.text, self.trained, spec)


class Purged(NamedTuple):
    """What is in the place of a document: what the dataset had made of that."""

    id: str
    reading: Record

    def size(self) -> int:
        return int(self.reading["tokens"])

    def deciding(self, _: int) -> int:
        return int(self.reading["deciding"]) % 2**64

    def to_pack(self, spec: Record) -> Left:
        """Of padding, which is in the place of its end, too."""
        runs = self.reading["counted"] or [self.size()]
        counts = [place % 2 == 0 for place, run in enumerate(runs) for _ in range(run)]
        counts += [False] * (self.size() - len(counts))
        return Left(
            self.id, UNKNOWN, 0, [(spec["padding"], each) for each in [*counts, counts[-1]]]
        )


class Corpus:
    """A domain's documents, as a dataset reads them.

    Once they were read, it is known whether the domain has ``ended``, whether the corpus
    ``refers`` to documents that it does not hold, and how many of it were ``purged``.
    """

    def __init__(self, topics: Topics, domain: str, fingerprint: int) -> None:
        self.topics = topics
        self.topic = f"corpus.{domain}"
        self.fingerprint = fingerprint
        self.ended = False
        self.refers = False
        self.purged = 0

    def __iter__(self) -> Iterator[Text | Purged]:
        self.purged = 0
        there = self.topic in self.topics.names()
        for message in self.topics.read(self.topic) if there else ():
            kind, record = decoded(message.value) or ("", {})
            if kind == "EndOfDomain":
                self.ended = True
                return
            if kind == "DocumentRange":
                self.refers = True
            elif kind == "Document" and _fits(record):
                yield Text(record["id"], record["text"], record["trained"])
            elif kind == "PurgedDocument":
                self.purged += 1
                made = [e for e in record["readings"] if e["fingerprint"] == self.fingerprint]
                if made and _fits(record) and _usable(made[0]):
                    yield Purged(record["id"], made[0])


def _usable(made: Record) -> bool:
    """Whether a document can have been that."""
    tokens, runs = made["tokens"], made["counted"]
    bounded = 0 <= tokens <= MOST_TOKENS and len(runs) <= MOST_RUNS
    return not made["refused"] and bounded and min(runs, default=0) >= 0 and sum(runs) <= tokens


def _fits(document: Record) -> bool:
    return len(document["id"].encode()) <= LONGEST_ID
