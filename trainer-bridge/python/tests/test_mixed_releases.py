"""A trainer of this release reads what jobs of other releases write into a run's log."""

from __future__ import annotations

import io
from typing import Any

import fastavro
import pytest

from records import entry, grant, revised, snapshot, started
from sluice import wire
from sluice.run.control import ControlLog
from test_directory import Kafka, run

RUN = run("r.a")


def written(version: wire.Written, record: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    out.write(version.prefix)
    whole = wire.decode(wire.encode("ControlRecord", record))[1]  # with the defaults
    fastavro.schemaless_writer(out, version.schema, whole)
    return out.getvalue()


def read(values: list[bytes]) -> ControlLog:
    kafka = Kafka()
    kafka.topics["sluice.control.r.a"] = [(time, value) for time, value in enumerate(values)]
    found = kafka.directory().latest("r")
    assert found is not None
    assert (found.run_id, found.spec["seed"]) == ("r.a", 1)
    log = ControlLog(RUN, lambda: kafka.log("r.a"))
    log.refresh()
    return log


@pytest.mark.parametrize("version", wire.schemas("ControlRecord"), ids=lambda one: one.prefix.hex())
def test_follows_a_log_of_each_release(version: wire.Written) -> None:
    log = read(
        [
            written(version, record)
            for record in (
                started(RUN),
                grant(1, 0, 0, 30, run="r.a", counts=[[2, 1, 1]] * 30),
                revised(2, 1, 1, RUN, snapshot(20, 80, 1, [40, 20, 20])) | {"runId": "r.a"},
                grant(3, 2, 20, 40, "r.a", [[2, 1, 1]] * 20, timeline=1, first=80),
                entry(4, 3, "RunStateChanged", {"state": "paused", "commandId": ""}, run="r.a")
                | {"timeline": 1},
            )
        ]
    )
    assert log.fold.granted == 40
    assert "paused" in log.fold.describe(41)


def test_passes_over_what_a_newer_job_has_written() -> None:
    newer = bytearray(wire.encode("ControlRecord", grant(1, 0, 0, 10, "r.a", [[2, 1, 1]] * 10)))
    newer[5] ^= 0x55
    first = wire.encode("ControlRecord", started(RUN))
    assert read([first, bytes(newer)]).fold.granted == 0
    after = wire.encode("ControlRecord", grant(1, 0, 0, 30, "r.a", [[2, 1, 1]] * 30))
    assert read([first, bytes(newer), after]).fold.granted == 30
