"""Tokens to blocks: the packing of section 4 of docs/protocol.md."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from checker.rules import document_hash
from checker.wire import Record

Token = tuple[int, bool]
"""A token, and whether it counts in the loss."""

Document = tuple[str, list[Token]]
"""A document's id and its tokens."""


UNKNOWN = "?"
"""The digest of tokens that are gone."""


class Part(NamedTuple):
    """Which tokens of a document a block has, and the digest of all of them."""

    name: str
    start: int
    tokens: int
    content: str


class Packed(NamedTuple):
    """A block's documents and their lengths, its tokens, its mask, and its lineage."""

    ids: list[str]
    lengths: list[int]
    tokens: bytes
    mask: list[int] | None
    parts: list[Part]


class Left(NamedTuple):
    """What is left of a document, from a token on."""

    name: str
    content: str
    start: int
    tokens: list[Token]

    def cut(self, room: int) -> tuple[Left, Left]:
        first, rest = self.tokens[:room], self.tokens[room:]
        return self._replace(tokens=first), self._replace(start=self.start + room, tokens=rest)


class Cut(NamedTuple):
    """In the place of a document: those with these hashes are cut out of the open blocks."""

    domain: str
    hashes: frozenset[bytes]

    def has(self, name: str) -> bool:
        return document_hash(self.domain, name) in self.hashes


class Open:
    """A block in the making; of each token, which document's it is and whether it is padding."""

    def __init__(self, spec: Record) -> None:
        self.spec = spec
        self.ids: list[str] = []
        self.lengths: list[int] = []
        self.tokens: list[int] = []
        self.counted: list[bool] = []
        self.padded: list[bool] = []
        self.parts: list[Part] = []

    @property
    def room(self) -> int:
        return int(self.spec["sequenceLength"]) + 1 - len(self.tokens)

    def add(self, part: Left) -> None:
        self.ids.append(part.name)
        self.lengths.append(len(part.tokens))
        self.parts.append(Part(part.name, part.start, len(part.tokens), part.content))
        self._put(part.tokens, padded=False)

    def _put(self, tokens: list[Token], padded: bool) -> None:
        self.tokens += [token for token, _ in tokens]
        self.counted += [counts for _, counts in tokens]
        self.padded += [padded] * len(tokens)

    def end(self) -> None:
        """Pads the document that ends here."""
        unit = self.spec["padDocumentsTo"]
        if unit > 1 and self.room and self.tokens:
            self.pad(-len(self.tokens) % unit, more=True)
            if self.room == 1:
                self.pad(1)

    def pad(self, count: int, more: bool = False) -> None:
        if more:
            self.lengths[-1] += count
        elif count:
            self.ids.append("")
            self.lengths.append(count)
        self._put([(self.spec["padding"], False)] * count, padded=True)

    def without(self, cut: Cut) -> Open:
        """What is left of it; of what stood behind padding the first token counts no more."""
        left, at = Open(self.spec), 0
        for part, length in zip(self.parts, self.lengths, strict=True):
            own, at = slice(at, at + length), at + length
            if not cut.has(part.name):
                behind = own.start > 0 and self.padded[own.start - 1]
                left.ids.append(part.name)
                left.lengths.append(length)
                left.parts.append(part)
                left.tokens += self.tokens[own]
                left.counted += [not behind and self.counted[own.start], *self.counted[own][1:]]
                left.padded += self.padded[own]
        return left

    def block(self) -> Packed:
        width = self.spec["tokenWidth"]
        after = zip(self.padded, self.counted[1:], strict=False)
        counts = [counted and not padded for padded, counted in after]
        runs, value = [0], True
        for count in counts:
            if count != value:
                runs, value = [*runs, 0], count
            runs[-1] += 1
        tokens = b"".join(t.to_bytes(width, "little") for t in self.tokens)
        return Packed(self.ids, self.lengths, tokens, None if all(counts) else runs, self.parts)


def packed(
    spec: Record, documents: Iterable[Document | Left | Cut], window: int, ended: bool = True
) -> Iterator[Packed]:
    """Whole blocks of documents of at least one token, and at the end what is left, padded."""
    fit = _fitted if spec["packing"] == "best-fit" else _joined
    left: list[Open] = []
    end = spec["endOfDocument"]
    whole = (
        each
        if isinstance(each, (Cut, Left))
        else Left(each[0], _content(spec, each[1]), 0, [*each[1], (end, each[1][-1][1])])
        for each in documents
        if isinstance(each, (Cut, Left)) or each[1]
    )
    yield from fit(spec, whole, window, left)
    for each in left:
        if ended and len(each.tokens) > 1:
            each.pad(each.room)
            yield each.block()


def _content(spec: Record, tokens: list[Token]) -> str:
    of = b"".join(token.to_bytes(spec["tokenWidth"], "little") for token, _ in tokens)
    return hashlib.sha256(of).hexdigest()[:16]


def _joined(
    spec: Record, documents: Iterator[Left | Cut], _: int, left: list[Open]
) -> Iterator[Packed]:
    left.append(Open(spec))
    for rest in documents:
        if isinstance(rest, Cut):
            left[0] = left[0].without(rest)
            continue
        while rest.tokens:
            open_ = left[0]
            part, rest = rest.cut(open_.room)
            open_.add(part)
            if not rest.tokens:
                open_.end()
            if not open_.room:
                left[0] = Open(spec)
                yield open_.block()


def _fitted(
    spec: Record, documents: Iterator[Left | Cut], window: int, left: list[Open]
) -> Iterator[Packed]:
    for rest in documents:
        if isinstance(rest, Cut):
            left[:] = [each for each in (open_.without(rest) for open_ in left) if each.tokens]
            continue
        while len(rest.tokens) > spec["sequenceLength"] + 1:
            whole = Open(spec)
            part, rest = rest.cut(whole.room)
            whole.add(part)
            yield whole.block()
        enough = [each for each in left if each.room >= len(rest.tokens)]
        best = min(enough, key=lambda each: each.room) if enough else Open(spec)
        if enough:
            left.remove(best)
        best.add(rest)
        best.end()
        if not best.room:
            yield best.block()
            continue
        left.append(best)
        if len(left) > window:
            fullest = min(left, key=lambda each: each.room)
            left.remove(fullest)
            if len(fullest.tokens) > 1:
                fullest.pad(fullest.room)
                yield fullest.block()
