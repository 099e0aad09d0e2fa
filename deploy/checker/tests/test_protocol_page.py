"""The rules of docs/protocol.md, as a stranger reads them, held to that page's vectors."""

from __future__ import annotations

import base64
import hashlib
import struct
from typing import Any

from checker.corpus import Text, tokens_of
from checker.packing import Cut, Part, Token, packed
from checker.preparing import Preparing
from checker.reading import ENDLESS, Reader, Timelines, continues, follows, resumed
from checker.reports import Step
from checker.rules import (
    HEADER,
    HeldOut,
    block_of,
    chain_start,
    deciding,
    document_hash,
    domain_hash,
    held_out,
    id_hash,
    lane_orders,
    lane_share,
    merged,
    next_chain,
    of_shares,
    plan,
    shuffled,
    without,
)
from vectors import cases, vectors

FIELDS = ["timeline", "batch", "firstIndex", "batchSize", "index", "weightsVersion", "ordinal"]


def test_fingerprints() -> None:
    for case in vectors("dataset")["fingerprints"]:
        names = ["vocabulary", "tokenWidth", "endOfDocument", "padding", "sequenceLength"]
        names += ["shuffleBuffer", "seed"]
        (bits,) = struct.unpack(">q", struct.pack(">d", case["heldOut"]))
        lines = ["packing=1", "tokenizer=" + case["tokenizerIdentity"]]
        lines += [f"{name}={case[name]}" for name in names]
        lines += [f"heldOut={bits}", f"lanes={case['lanes']}"]
        if case.get("packing", "concat") != "concat":
            lines += [f"packingMode={case['packing']}", f"packingWindow={case['packingWindow']}"]
        if case.get("padDocumentsTo", 1) > 1:
            lines += [f"padDocumentsTo={case['padDocumentsTo']}"]
        if case.get("documentIds", "names") != "names":
            lines += [f"documentIds={case['documentIds']}"]
        if case.get("fimRate", 0) > 0:
            for name in "fimRate", "fimSpm":
                (bits,) = struct.unpack(">q", struct.pack(">d", case[name]))
                lines += [f"{name}={bits}"]
            lines += [f"fimToken={token}" for token in case["fimTokens"]]
        if case.get("heldOutTokens", 0) > 0:
            lines += [f"heldOutTokens={case['heldOutTokens']}"]
        if case.get("heldOutRule", 1) > 1:
            lines += [f"heldOutRule={case['heldOutRule']}"]
        if case.get("shuffleWaitMillis", 0) > 0:
            lines += ["releases=1", f"name={case['name']}"]
        assert hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16] == case["fingerprint"]


def test_held_out_documents() -> None:
    for case in vectors("dataset")["heldOut"]:
        rule = case.get("rule", 1)
        found = [held_out(case["text"], share, rule) for share in case["shares"]]
        assert found == case["heldOut"]


def test_held_out_minimum() -> None:
    for case in vectors("dataset")["heldOutMinimum"]:
        sides = HeldOut(case["share"], case["heldOutTokens"])
        keyed = [(deciding(text, case["rule"]), len(text.encode())) for text in case["texts"]]
        found = [sides.takes(key, tokens) for key, tokens in keyed]
        assert found == case["heldOut"]


def test_gaps() -> None:
    for case in vectors("dataset")["gaps"]:
        found = tokens_of(case["text"], None, case)
        assert [token for token, _ in found] == case["tokens"]
        assert all(counts for _, counts in found)


def test_shuffle() -> None:
    for case in vectors("dataset")["shuffle"]:
        documents: list[int | None] = []
        for number in range(case["documents"]):
            documents += [number, None] if number + 1 in case.get("releases", ()) else [number]
        found = shuffled(case["seed"], case["domain"], case["capacity"], documents)
        assert list(found) == case["released"]


def counted(id: str, tokens: list[int], counted: list[int] | None = None) -> list[Token]:
    runs = [len(tokens)] if counted is None else counted
    flags = [place % 2 == 0 for place, run in enumerate(runs) for _ in range(run)]
    return [*zip(tokens, flags + [False] * (len(tokens) - len(flags)), strict=True)]


def test_packing() -> None:
    concat = {"packing": "concat", "packingWindow": 1, "padDocumentsTo": 1}
    for case in vectors("dataset")["packing"]:
        spec = concat | case
        documents = [(each["id"], counted(**each)) for each in case["documents"]]
        found = [*packed(spec, documents, spec["packingWindow"])]
        for number, (block, expected) in enumerate(zip(found, case["blocks"], strict=True)):
            labels = case["sequenceLength"]
            assert expected == {
                "lane": number % case["lanes"],
                "ordinal": number // case["lanes"],
                "tokens": block.tokens.hex(),
                "documentLengths": block.lengths,
                "documentIds": block.ids,
                "trainedTokens": labels if block.mask is None else sum(block.mask[::2]),
                "lossMask": block.mask,
            }


def test_lineage() -> None:
    for case in vectors("dataset")["idHashes"]:
        assert id_hash(case["domain"], case["id"]) == case["hash"]
    for case in vectors("dataset")["lineage"]:
        documents = [(each["id"], counted(**each)) for each in case["documents"]]
        found = packed(case, documents, case["packingWindow"])
        for block, expected in zip(found, case["blocks"], strict=True):
            ids = [each and id_hash(case["domain"], each) for each in block.ids]
            assert ids == expected["documentIds"]
            said = expected["lineage"]
            names = said["names"], said["starts"], said["tokens"]
            contents = [said["contents"][at : at + 16] for at in range(0, 16 * len(names[0]), 16)]
            assert block.parts == [Part(*each) for each in zip(*names, contents, strict=True)]
            hashes = [each for each in ids if each]
            raw = b"".join(base64.urlsafe_b64decode(each + "=") for each in hashes)
            assert raw.hex() == said["hashes"]


def test_forgotten_documents() -> None:
    bytes_ = {"seed": 7, "heldOutRule": 2, "documentIds": "names", "fimRate": 0}
    bytes_ |= {"lanes": 1, "tokenWidth": 2, "endOfDocument": 256, "padding": 257}
    for case in vectors("dataset")["forgotten"]:
        forgotten = [
            (each["steps"], b"".join(sorted(document_hash("java", name) for name in each["ids"])))
            for each in case["forgotten"]
        ]
        preparing = Preparing(bytes_ | case, "java", set(case["releases"]), forgotten)
        documents = (Text(each["id"], each["text"], None) for each in case["documents"])
        preparing.take(documents, ended=True)
        for packs, window, expected in (
            (preparing.blocks, case["packingWindow"], case["blocks"]),
            (preparing.apart, 1, case["heldOutBlocks"]),
        ):
            tokens = (each if isinstance(each, Cut) else each.to_pack(bytes_) for each in packs)
            assert expected == [
                {
                    "tokens": block.tokens.hex(),
                    "documentLengths": block.lengths,
                    "documentIds": block.ids,
                    "lossMask": block.mask,
                }
                for block in packed(bytes_ | case, tokens, window)
            ]


@cases("control-log")
def test_acceptance(case: dict[str, Any]) -> None:
    at = {"timeline": 0, "serial": -1, "offset": -1, "granted": 0}
    for record in case["records"]:
        reading = "ignored"
        if record["runId"] == case["runId"] and follows(at, record):
            granted = continues(at, record)
            reading = "breaks" if granted is None else "applies"
            if granted is not None:
                kept = {key: record[key] for key in ("timeline", "serial", "offset")}
                at = {**kept, "granted": granted}
                if record.get("basedOnDigest") is not None:
                    at["digest"] = record["digest"]
        assert record["reading"] == reading, record
    assert at == case["position"]


def test_weights() -> None:
    for case in vectors("weights")["masked"]:
        assert without(case["weights"], case["masked"]) == case["effective"]
    for case in vectors("weights")["shares"]:
        assert of_shares(case["shares"]) == case["weights"]


@cases("plan")
def test_plan(case: dict[str, Any]) -> None:
    for version in case["versions"]:
        error = list(case["error"])
        for batch in case["batches"]:
            counts = plan(error, batch["weights"], batch["seats"], batch.get("most"), version)
            assert (counts, error) == (batch["counts"], batch["error"])


@cases("order")
def test_order(case: dict[str, Any]) -> None:
    lanes, domains = case["lanes"], len(case["counts"])
    given = lane_share(case["counts"], case["firstIndex"], case["used"])
    assert [given[at * domains : (at + 1) * domains] for at in range(lanes)] == case["laneCounts"]
    orders = lane_orders(case["seed"], case["timeline"], case["batch"], given, lanes)
    assert orders == case["laneOrders"]
    assert merged(orders, case["firstIndex"]) == case["order"]


@cases("epochs")
def test_epochs(case: dict[str, Any]) -> None:
    seed, domain, lane, size = (case[name] for name in ("seed", "domain", "lane", "size"))
    ordinals = range(case["firstOrdinal"], case["firstOrdinal"] + len(case["blocks"]))
    in_place = case.get("inPlace", False)
    found = [block_of(ordinal, seed, domain, lane, size, in_place) for ordinal in ordinals]
    assert found == case["blocks"]


def test_stream_records() -> None:
    for case in vectors("stream-header"):
        fields = [case[name] for name in FIELDS]
        assert HEADER.pack(1, *fields, int(case["chain"], 16)).hex() == case["bytes"]
    given = vectors("chain-hash")
    for start in given["starts"]:
        assert chain_start(start["planVersion"], start["runId"]) == int(start["chain"], 16)
    fingerprint, chain = int(given["fingerprint"], 16), 0
    for domain, found in given["domains"].items():
        assert domain_hash(fingerprint, domain) == int(found, 16)
    for step in given["steps"]:
        domain = domain_hash(fingerprint, step["domain"])
        chain = next_chain(chain, step["index"], domain, step["lane"], step["ordinal"])
        assert chain == int(step["chain"], 16)


@cases("timelines")
def test_timelines(case: dict[str, Any]) -> None:
    origin = case["origin"]
    start = (0, origin["batch"], origin["nextSequence"]) if origin else (0, 0, 0)
    opened, governing = [start], [(start, case["batchSizes"])]
    for revision in case["revisions"]:
        at = (revision["timeline"], revision["batch"], revision["nextSequence"])
        opened += [at] if at[0] > opened[-1][0] else []
        governing = [one for one in governing if one[0][1] < at[1]]
        governing.append((at, revision["batchSizes"]))
    timelines = Timelines(opened)

    def first_index(batch: int) -> int:
        sizes = governing[0][1]
        index, counted = start[2], start[1] + 1
        while counted < batch:
            for at, later in governing:
                sizes = later if at[1] < counted else sizes
            index += [s["sequences"] for s in sizes if s["fromBatch"] <= counted][-1]
            counted += 1
        return index

    for batch in case["batches"]:
        number = batch["batch"]
        assert (timelines.owner(number), first_index(number)) == (
            batch["timeline"],
            batch["firstIndex"],
        )
    for end in case["ends"]:
        last = ENDLESS if end["lastBatch"] is None else end["lastBatch"]
        assert timelines.end(end["timeline"]) == last
    for state in case["states"]:
        found = resumed(case, timelines, start, first_index, state)
        expected = {k: state[k] for k in ("resumes", "rewoundTo", "refused") if k in state}
        assert found == expected, state


@cases("consumer")
def test_reading(case: dict[str, Any]) -> None:
    reader = Reader(case)
    for record in case["records"]:
        given = ("partition", "header", "block")
        expected = {key: value for key, value in record.items() if key not in given}
        assert reader.take(record) == expected, record


def test_ranks() -> None:
    for case in vectors("share"):
        rank, world, total = case["rank"], case["worldSize"], case["streamPartitions"]
        rows, sizes = [], case["batchSizes"]
        first, found = 0, set()
        for batch in range(1, (case["batches"] or sizes[-1]["fromBatch"] + total) + 1):
            size = [s["sequences"] for s in sizes if s["fromBatch"] <= batch][-1]
            each = size // world
            own = range(first + rank * each, first + (rank + 1) * each)
            found |= {g % total for g in own}
            if any(s["fromBatch"] == batch for s in sizes):
                rows.append({"batch": batch, "firstRow": own.start, "rows": each})
            first += size
        assert (rows, sorted(found)) == (case["rowsOfBatch"], case["partitions"])


@cases("reports")
def test_reports(case: dict[str, Any]) -> None:
    step = Step()
    for report in case["reports"]:
        assert report["reading"] == step.take(report), report
    metrics, won = step.metrics, step.won
    for metric, expected in case["won"].items():
        if expected is None:
            assert metric not in won
            continue
        merged_ranks = [report for _, report in sorted(metrics[metric][won[metric]].items())]
        sums = [0.0] * len(expected["counts"])
        for report in merged_ranks:
            sums = [a + b for a, b in zip(sums, report["sums"], strict=True)]
        counts = [sum(column) for column in zip(*(r["counts"] for r in merged_ranks), strict=True)]
        means = [s / c if c else None for s, c in zip(sums, counts, strict=True)]
        assert {"attempt": won[metric], "means": means, "counts": counts} == expected
