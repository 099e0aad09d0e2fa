"""Documents to blocks: section 4 of docs/protocol.md."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator
from typing import Any

from checker.blocks import digest
from checker.corpus import Corpus, Text
from checker.finding import Finding
from checker.history import History
from checker.packing import UNKNOWN, Cut, Packed, Part, packed
from checker.preparing import Preparing
from checker.rules import id_hash
from checker.topics import Topics
from checker.wire import Record, decoded, of

BYTES = "bytes"
"""The tokenizer whose tokens are a text's bytes; others are not known here."""


def specifications(topics: Topics) -> dict[str, Record]:
    """The newest of each dataset."""
    found: dict[str, Record] = {}
    for message in topics.read("datasets") if "datasets" in topics.names() else ():
        spec = of("DatasetSpec", message.value)
        if spec is not None:
            found[spec["name"]] = spec
    return found


def document(topics: Topics, history: History, spec: Record, domain: str) -> Iterator[Finding]:
    """An ingested document's tokens are in blocks or held out, once."""
    where = f"{spec['name']}.{domain}"
    asked = _counted(history, domain, "invoke")
    said = _counted(history, domain, "ok")
    corpus = Corpus(topics, domain, spec["fingerprint"])
    there = Counter(digest(each.text.encode()) for each in corpus if isinstance(each, Text))
    if corpus.refers:
        return  # documents are in files, which may be elsewhere
    missing = said - there
    for text, count in missing.items() if missing.total() > corpus.purged else ():
        place = f"topic corpus.{domain}, text {text}"
        yield Finding("document", where, place, f"{said[text]} times", f"{said[text] - count}")
    for text, count in (there - asked).items() if asked else ():
        place = f"topic corpus.{domain}, text {text}"
        yield Finding("document", where, place, f"{asked[text]} times", f"{asked[text] + count}")
    if spec["tokenizer"] != BYTES:
        return
    ended = corpus.ended
    releases = {each["documents"] for each in _decided(topics, spec, domain, "ShuffleRelease")}
    forgotten = _decided(topics, spec, domain, "DocumentsForgotten")
    preparing = Preparing(
        spec,
        domain,
        releases if spec["shuffleWaitMillis"] else set(),
        [(each["steps"], each["hashes"]) for each in forgotten],
    )
    preparing.take(corpus, ended)
    # Held-out documents wait for no block that they fit.
    for kind, documents, window in (
        ("blocks", preparing.blocks, spec["packingWindow"]),
        ("eval", preparing.apart, 1),
    ):
        tokens = (each if isinstance(each, Cut) else each.to_pack(spec) for each in documents)
        expected = packed(spec, tokens, window, ended)
        if _hashes(spec):
            blocks = list(expected)
            expected = iter(blocks)
            yield from _lineage(topics, spec, domain, kind, blocks)
        yield from _compared(topics, spec, domain, kind, expected, ended)


def _decided(topics: Topics, spec: Record, domain: str, kind: str) -> list[Record]:
    """What was decided in the domain while it was prepared, of one type."""
    topic = f"releases.{spec['name']}"
    found = topics.read(topic) if topic in topics.names() else ()
    said = (of(kind, message.value) for message in found)
    return [
        each
        for each in said
        if each
        and (each["dataset"], each["domain"]) == (spec["name"], domain)
        and each["fingerprint"] == spec["fingerprint"]
    ]


def _counted(history: History, domain: str, kind: str) -> Counter[str]:
    events = history.of("ingest", kind=kind)
    return Counter(each["text"] for each in events if each["domain"] == domain)


def _hashes(spec: Record) -> bool:
    return bool(spec["documentIds"] == "hashes")


def _lineage(
    topics: Topics, spec: Record, domain: str, kind: str, expected: list[Packed]
) -> Iterator[Finding]:
    """Each block that is there has one record, which names its documents."""
    topic, lanes, where = f"lineage.{spec['name']}", spec["lanes"], f"{spec['name']}.{domain}"
    blocks = f"{kind}.{where}"
    if blocks not in topics.names():
        return
    found: dict[tuple[int, int], list[list[Part]]] = {}
    for message in topics.read(topic) if topic in topics.names() else ():
        record = of("BlockLineage", message.value)
        if record and (record["domain"], record["heldOut"]) == (domain, kind == "eval"):
            parts = _parts(record, domain)
            found.setdefault((record["lane"], record["ordinal"]), []).append(parts)
    for lane in range(lanes):
        for message in topics.read(blocks, lane):
            there = decoded(message.value)
            if there and there[0] == "TokenBlock":
                ordinal = there[1]["ordinal"]
                number = ordinal * lanes + lane
                should = [expected[number].parts] if number < len(expected) else []
                is_now = found.pop((lane, ordinal), [])
                if should and not _same(should, is_now):
                    place = f"topic {topic}, {kind}, lane {lane}, ordinal {ordinal}"
                    yield Finding("document", where, place, str(should), str(is_now))
                    return
    for lane, ordinal in found:
        place = f"topic {topic}, {kind}, lane {lane}, ordinal {ordinal}"
        yield Finding("document", where, place, "no record without its block", "one")


def _same(should: list[list[Part]], is_now: list[list[Part]]) -> bool:
    """Whatever the content of a document was that is gone."""
    if [len(each) for each in should] != [len(each) for each in is_now]:
        return False
    return all(
        one == (other._replace(content=UNKNOWN) if one.content == UNKNOWN else other)
        for ones, others in zip(should, is_now, strict=True)
        for one, other in zip(ones, others, strict=True)
    )


def _parts(record: Record, domain: str) -> list[Part]:
    """Those that a record has; of a name that is not the hash's nothing is known."""
    names = record["names"]
    ids, contents = (
        [record[field][at : at + 8] for at in range(0, len(record[field]), 8)]
        for field in ("hashes", "contents")
    )
    hashes = [base64.urlsafe_b64encode(each).decode().rstrip("=") for each in ids]
    known = [
        name if id_hash(domain, name) == each else "?"
        for name, each in zip(names, hashes, strict=True)
    ]
    each = zip(known, record["starts"], record["tokens"], contents, strict=True)
    return [Part(name, start, tokens, of.hex()) for name, start, tokens, of in each]


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
        should = _as_block(should, spec, domain)
        if is_now != should:
            both = _shown(should), _shown(is_now)
            yield Finding("document", f"{where}.{domain}", place, *both)
            return
        number += 1


def _as_block(block: Packed | None, spec: Record, domain: str) -> Packed | None:
    """As its record has it."""
    if block is None:
        return None
    ids = [each and id_hash(domain, each) for each in block.ids] if _hashes(spec) else block.ids
    return block._replace(ids=ids, parts=[])


def _block(record: dict[str, Any]) -> Packed:
    ids, lengths = record["documentIds"], record["documentLengths"]
    return Packed(ids, lengths, record["tokens"], record["lossMask"], [])


def _shown(block: Packed | None) -> str:
    if block is None:
        return "no block"
    parts = ", ".join(f"{n} of '{i}'" for i, n in zip(block.ids, block.lengths, strict=True))
    return f"{parts}; tokens {digest(block.tokens)}, mask {block.mask}"
