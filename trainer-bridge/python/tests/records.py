"""Records of the control log and of supply, as the service writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sluice.run.info import RunInfo
from writers import FINGERPRINT, LENGTH


def entry(
    serial: int, based_on: int, kind: str, body: Any, why: str = "", run: str = "r-1"
) -> dict[str, Any]:
    """A control record."""
    if kind == "RunStateChanged":
        body = {"refused": False} | body
    return {
        "runId": run,
        "timeline": 0,
        "serial": serial,
        "basedOn": based_on,
        "writer": "w",
        "timeMillis": 0,
        "why": why,
        "body": (f"io.sluice.schema.{kind}", body),
    }


def started(run: RunInfo, plan_version: int = 1) -> dict[str, Any]:
    body = start_of(run) | {"planVersion": plan_version}
    return entry(0, -1, "RunStarted", body, run=run.run_id)


def start_of(run: RunInfo, origin: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "spec": run.spec,
        "planVersion": 1,
        "streamTopicId": "",
        "startOrdinals": [0, 0, 0],
        "origin": origin,
    }


def snapshot(batch: int, next_sequence: int, version: int, ordinals: list[int]) -> dict[str, Any]:
    domains = len(ordinals)
    return {
        "batch": batch,
        "nextSequence": next_sequence,
        "weightsVersion": version,
        "round": 0,
        "baseRound": 0,
        "weights": [1 << 40] + [0] * (domains - 1),
        "pinned": False,
        "drainTo": 0,
        "policyState": b"",
        "planError": [0] * domains,
        "ordinals": ordinals,
        "masked": [],
    }


def revised(
    serial: int, based_on: int, timeline: int, run: RunInfo, state: dict[str, Any]
) -> dict[str, Any]:
    body = {"commandId": "c", "spec": run.spec, "snapshot": state, "skippedTo": state["batch"]}
    return entry(serial, based_on, "RunRevised", body) | {"timeline": timeline}


def grant(
    serial: int,
    based_on: int,
    after: int,
    to: int,
    run: str = "r-1",
    counts: list[list[int]] | None = None,
    weights: Sequence[int] = (1 << 39, 1 << 38, 1 << 38),
    timeline: int = 0,
    version: int = 1,
    first: int | None = None,
) -> dict[str, Any]:
    """A MixtureGrant; of batches of 8 sequences, like all before it, unless told otherwise."""
    counts = counts or [[4, 2, 2]] * (to - after)
    body = {
        "after": after,
        "to": to,
        "firstSequence": 8 * after if first is None else first,
        "weightsVersion": version,
        "batchSizes": [sum(row) for row in counts],
        "counts": [count for row in counts for count in row],
        "effectiveWeights": list(weights),
        "decision": None,
    }
    return entry(serial, based_on, "MixtureGrant", body, run=run) | {"timeline": timeline}


def supplied(domain: str, blocks: int, ended: bool, lane: int = 0) -> dict[str, Any]:
    return {
        "dataset": "d",
        "fingerprint": FINGERPRINT,
        "domain": domain,
        "lane": lane,
        "blocks": blocks,
        "evalBlocks": 0,
        "trainedTokens": blocks * LENGTH,
        "documents": blocks,
        "ended": ended,
    }


def run_status(**changes: object) -> dict[str, Any]:
    """A RunStatus of the run r-1."""
    status: dict[str, Any] = {
        "runId": "r-1",
        "run": "r",
        "phase": "running",
        "timeline": 0,
        "granted": 9,
        "progress": 7,
        "weightsVersion": 1,
        "waiting": "round 2: waits for eval_loss of step 8",
        "timeMillis": 1,
    }
    return status | changes


def required(name: str, every: int = 2, **others: Any) -> dict[str, Any]:
    """A RequiredMetric of a specification."""
    rest = {"atStepZero": False, "of": [], "targets": [], "tokens": 0}
    return {"name": name, "every": every} | rest | others
