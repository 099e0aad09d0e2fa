"""Documents to blocks: section 4 of docs/protocol.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from checker.blocks import digest
from checker.finding import Finding
from checker.history import History
from checker.rules import HeldOut, shuffled
from checker.topics import Topics
from checker.wire import Record, decoded, of

BYTES = "bytes"
"""The tokenizer whose tokens are a text's bytes; others are not known here."""

LONGEST_ID = 4096


class Packed(NamedTuple):
    """A block's documents and their lengths; its tokens if the tokenizer can be known here."""

    ids: list[str]
    lengths: list[int]
    tokens: bytes


def specifications(topics: Topics) -> dict[str, Record]:
    """The newest of each dataset."""
    found: dict[str, Record] = {}
    for message in topics.read("datasets") if "datasets" in topics.names() else ():
        spec = of("DatasetSpec", message.value)
        if spec is not None:
            found[spec["name"]] = spec
    return found


def packed(
    spec: Record, documents: Iterable[tuple[str, str]], ended: bool = True
) -> Iterator[Packed]:
    """Whole blocks, and at the end what is left as a last one that ``padding`` fills."""
    length, width = spec["sequenceLength"] + 1, spec["tokenWidth"]
    ids: list[str] = []
    lengths: list[int] = []
    tokens: list[int] = []

    def block() -> Packed:
        return Packed(ids, lengths, b"".join(t.to_bytes(width, "little") for t in tokens))

    for name, text in documents:
        left = [*text.encode(), spec["endOfDocument"]] if text else []
        while left:
            part, left = left[: length - len(tokens)], left[length - len(tokens) :]
            ids, lengths, tokens = [*ids, name], [*lengths, len(part)], tokens + part
            if len(tokens) == length:
                yield block()
                ids, lengths, tokens = [], [], []
    if ended and len(tokens) > 1:
        missing = length - len(tokens)
        ids, lengths = [*ids, ""], [*lengths, missing]
        tokens = tokens + [spec["padding"]] * missing
        yield block()


def document(topics: Topics, history: History, spec: Record, domain: str) -> Iterator[Finding]:
    """An ingested document's tokens are in blocks or held out, once."""
    where = f"{spec['name']}.{domain}"
    asked = _counted(history, domain, "invoke")
    said = _counted(history, domain, "ok")
    corpus = Corpus(topics, domain)
    there = Counter(digest(text.encode()) for _, text in corpus)
    for text, count in (said - there).items():
        place = f"topic corpus.{domain}, text {text}"
        yield Finding("document", where, place, f"{said[text]} times", f"{said[text] - count}")
    for text, count in (there - asked).items() if asked else ():
        place = f"topic corpus.{domain}, text {text}"
        yield Finding("document", where, place, f"{asked[text]} times", f"{asked[text] + count}")
    if spec["tokenizer"] != BYTES:
        return
    ended = corpus.ended
    trained = _trained(corpus, _sides(spec), _releases(topics, spec, domain))
    sides = _sides(spec)
    apart = (each for each in corpus if each[1] and _apart(sides, each[1]))
    mixed = shuffled(spec["seed"], domain, max(1, spec["shuffleBuffer"]), trained, ended)
    for kind, documents in (("blocks", mixed), ("eval", apart)):
        expected = packed(spec, documents, ended)
        yield from _compared(topics, spec, domain, kind, expected, ended)


def _releases(topics: Topics, spec: Record, domain: str) -> set[int]:
    """After how many documents all that waited to be shuffled went."""
    topic = f"releases.{spec['name']}"
    found = topics.read(topic) if spec["shuffleWaitMillis"] and topic in topics.names() else ()
    said = (of("ShuffleRelease", message.value) for message in found)
    return {
        each["documents"]
        for each in said
        if each
        and (each["dataset"], each["domain"]) == (spec["name"], domain)
        and each["fingerprint"] == spec["fingerprint"]
    }


def _trained(
    corpus: Iterable[tuple[str, str]], sides: HeldOut, releases: set[int]
) -> Iterator[tuple[str, str] | None]:
    """What goes through the shuffle buffer, and None where it is released."""
    for count, each in enumerate(corpus, 1):
        if each[1] and not _apart(sides, each[1]):
            yield each
        if count in releases:
            yield None


def _sides(spec: Record) -> HeldOut:
    return HeldOut(spec["heldOut"], spec["heldOutTokens"], spec["heldOutRule"])


def _apart(sides: HeldOut, text: str) -> bool:
    return sides.takes(text, len(text.encode()))


def _counted(history: History, domain: str, kind: str) -> Counter[str]:
    events = history.of("ingest", kind=kind)
    return Counter(each["text"] for each in events if each["domain"] == domain)


class Corpus:
    """Ids and texts of a domain's documents; ``ended`` is known once they were read."""

    def __init__(self, topics: Topics, domain: str) -> None:
        self.topics = topics
        self.topic = f"corpus.{domain}"
        self.ended = False

    def __iter__(self) -> Iterator[tuple[str, str]]:
        there = self.topic in self.topics.names()
        for message in self.topics.read(self.topic) if there else ():
            record = decoded(message.value)
            if record and record[0] == "EndOfDomain":
                self.ended = True
                return
            if record and record[0] == "Document" and len(record[1]["id"].encode()) <= LONGEST_ID:
                yield record[1]["id"], record[1]["text"]


def _compared(
    topics: Topics,
    spec: Record,
    domain: str,
    kind: str,
    expected: Iterator[Packed],
    ended: bool,
) -> Iterator[Finding]:
    """Stops at the first block that differs: those behind it follow."""
    topic, lanes, where = f"{kind}.{spec['name']}.{domain}", spec["lanes"], spec["name"]
    if topic not in topics.names():
        return
    reads = [topics.read(topic, lane) for lane in range(lanes)]
    number = 0
    while True:
        lane, ordinal = number % lanes, number // lanes
        message = next(reads[lane], None)
        if message is None:
            return  # the domain goes on
        place = f"topic {topic}, lane {lane}, ordinal {ordinal}"
        should = next(expected, None)
        if should is None and not ended:
            return
        found = decoded(message.value)
        if found and found[0] == "EndOfDomain":
            if should is not None:
                shown = _shown(should)
                yield Finding("document", f"{where}.{domain}", place, shown, "the domain ends")
            return
        is_now = _block(found[1]) if found and found[0] == "TokenBlock" else None
        if is_now != should:
            both = _shown(should), _shown(is_now)
            yield Finding("document", f"{where}.{domain}", place, *both)
            return
        number += 1


def _block(record: dict[str, Any]) -> Packed:
    return Packed(record["documentIds"], record["documentLengths"], record["tokens"])


def _shown(block: Packed | None) -> str:
    if block is None:
        return "no block"
    parts = ", ".join(f"{n} of '{i}'" for i, n in zip(block.ids, block.lengths, strict=True))
    return f"{parts}; tokens {digest(block.tokens)}"
