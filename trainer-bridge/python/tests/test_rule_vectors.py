"""The package's log, timelines and reading rules, held to the vectors of docs/protocol.md."""

from __future__ import annotations

import json
from typing import Any

from sluice import wire
from sluice.block.reader import BlockReader
from sluice.errors import InvalidState, Rewound, StreamCorrupt
from sluice.run.entry import Entry
from sluice.run.info import RunInfo
from sluice.run.position import LogPosition
from sluice.run.run_timeline import Origin, RunTimeline
from sluice.run.state import StreamState
from sluice.run.timelines import Opened, Timelines
from sluice.stream.assembler import StreamAssembler
from sluice.wire import chain
from sluice.wire.header import StreamHeaders
from vectors import cases
from writers import block, run_info


@cases("control-log")
def test_which_entries_apply(case: dict[str, Any]) -> None:
    at = LogPosition(case["runId"])
    for record in case["records"]:
        kind, snapshot = record["body"], {"snapshot": {"batch": record.get("batch")}}
        origin = ("io.sluice.schema.RunOrigin", snapshot) if record.get("batch") else None
        body = ("io.sluice.schema." + kind, {**snapshot, **record, "origin": origin})
        digest = record.get("digest", 0)
        entry = Entry(0, record["offset"], {**record, "body": body}, digest)
        try:
            reading = "applies" if at.accepts(entry) else "ignored"
        except StreamCorrupt:
            reading = "breaks"
        assert reading == record["reading"], record
        at = at.after(entry) if reading == "applies" else at
    assert {name: getattr(at, name) for name in case["position"]} == case["position"]


def timeline_of(case: dict[str, Any]) -> RunTimeline:
    def specified(sizes: list[dict[str, int]]) -> RunInfo:
        return RunInfo(case["runId"], run_info(2, [1]).spec | {"batchSizes": sizes})

    def snapshot(at: dict[str, int]) -> dict[str, Any]:
        return {"snapshot": {"batch": at["batch"], "nextSequence": at["nextSequence"]}}

    at = case["origin"]
    origin = at and Origin(at["runId"], at["timeline"], at["batch"], at["nextSequence"])
    found = RunTimeline.of(specified(case["batchSizes"]), origin)
    for revision in case["revisions"]:
        body = {"spec": specified(revision["batchSizes"]).spec, **snapshot(revision)}
        found = found.revised(revision["timeline"], body)
    return found


@cases("timelines")
def test_where_batches_lie(case: dict[str, Any]) -> None:
    found = timeline_of(case)
    for batch in case["batches"]:
        number = batch["batch"]
        assert found.timelines.owner(number) == batch["timeline"]
        assert found.first_index(number) == batch["firstIndex"]
    for end in case["ends"]:
        last = found.timelines.end(end["timeline"])
        assert last == end["lastBatch"] or (end["lastBatch"] is None and last > 1 << 60)


@cases("timelines")
def test_which_states_are_resumed(case: dict[str, Any]) -> None:
    found = timeline_of(case)
    for given in case["states"]:
        names = ("timeline", "batch", "firstIndex")
        state = StreamState(given["runId"], *(given[name] for name in names))
        outcome: dict[str, Any] = {}
        try:
            resumed = found.resume(state).to_dict()
            outcome["resumes"] = {name: resumed[name] for name in names}
        except Rewound as error:
            outcome["rewoundTo"] = error.batch
        except InvalidState:
            outcome["refused"] = True
        assert outcome == {key: given[key] for key in given if key not in (*names, "runId")}


@cases("consumer")
def test_reading(case: dict[str, Any]) -> None:
    fingerprint = int(case["fingerprint"], 16) - (1 << 64)
    run = RunInfo("r.1", run_info(1, [1]).spec | {"fingerprint": fingerprint})
    names = ("timeline", "after", "firstIndex")
    opened = tuple(Opened(*(o[name] for name in names)) for o in case["timelines"])
    timelines = Timelines(opened, chain.start(case.get("planVersion", 1), "r.1"))
    start = StreamState("r.1", timelines.owner(case["batch"]), case["batch"], case["firstIndex"])
    reader = BlockReader(run)
    assembler = StreamAssembler(start, case["streamPartitions"], reader, timelines=timelines)
    for record in case["records"]:
        expected = {k: v for k, v in record.items() if k not in ("partition", "header", "block")}
        assert offered(assembler, record, fingerprint) == expected, json.dumps(record)


def offered(assembler: StreamAssembler, record: dict[str, Any], fingerprint: int) -> dict[str, Any]:
    partition, identity = record["partition"], record["block"]
    value = b"\x01\x02\x03"
    if identity is not None:
        value = wire.encode("TokenBlock", block("", 0, fingerprint=fingerprint) | identity)
    before = assembler.expected(partition)
    try:
        headers = StreamHeaders.decode([bytes.fromhex(record["header"])])
        assembler.offer(partition, headers, [value])
    except Rewound as error:
        return {"reading": "rewound", "rewoundTo": error.batch}
    except StreamCorrupt:
        return {"reading": "corrupt"}
    taken = assembler.take()
    reading = "accepted" if assembler.expected(partition) > before else "passed over"
    return {"reading": reading} | ({} if taken is None else {"completes": taken.shape.batch})
