"""A run's log loses entries that were read, and others come in their place."""

from __future__ import annotations

from typing import Any

from records import grant, started
from sluice import wire
from sluice.run.control import ControlLog
from sluice.run.entry import digest_of
from writers import MemoryLog, run_info

RUN = run_info(1, [8])
NOTHING = digest_of(b"")


def digest(record: dict[str, Any]) -> int:
    return digest_of(wire.encode("ControlRecord", record))


def chain(*after: int) -> list[dict[str, Any]]:
    """A start, and a grant for each number of batches, each naming the entry before."""
    records = [started(RUN, 2) | {"basedOnDigest": NOTHING}]
    for serial, (low, high) in enumerate(zip((0, *after), after, strict=False), start=1):
        base = digest(records[-1])
        records.append(grant(serial, serial - 1, low, high) | {"basedOnDigest": base})
    return records


def follow(records: list[dict[str, Any]]) -> tuple[MemoryLog, ControlLog]:
    log = MemoryLog(records)
    control = ControlLog(RUN, lambda: log)
    control.refresh()
    return log, control


def test_entries_that_name_each_other_apply() -> None:
    _, control = follow(chain(3, 5))
    assert control.fold.granted == 5


def test_an_entry_built_on_a_lost_one_does_not_apply() -> None:
    log, control = follow(chain(3))
    lost = grant(1, 0, 0, 4) | {"basedOnDigest": digest(chain(3)[0])}
    log.records.append(grant(2, 1, 3, 9) | {"basedOnDigest": digest(lost)})
    control.refresh()
    assert control.fold.granted == 3
    assert control.fold.state == "running"
    log.records.append(grant(2, 1, 3, 6) | {"basedOnDigest": digest(chain(3)[1])})
    control.refresh()
    assert control.fold.granted == 6


def test_a_reader_whose_entry_was_lost_stops() -> None:
    log, control = follow(chain(3, 5))
    log.records[1:] = chain(2, 4, 8)[1:]
    control.refresh()
    assert control.fold.state == "failed"
    assert control.fold.why == (
        "the control log has lost its tail: entry 2, which grants to batch 5, was read at offset "
        "2, where another entry is now"
    )
    assert control.fold.ended_before(1)


def test_a_shorter_log_stops_its_reader() -> None:
    log, control = follow(chain(3, 5))
    del log.records[2:]
    log.rewind()
    control.refresh()
    assert control.fold.why.endswith("where no entry is now")


def test_a_log_that_is_quiet_is_looked_at_again() -> None:
    log, control = follow(chain(3, 5))
    log.records[2] = chain(3, 7)[2]
    for _ in range(16):
        assert control.fold.state == "running"
        control.refresh()
    assert control.fold.why.endswith("where another entry is now")


def test_an_entry_without_a_digest_does_not_apply_among_others() -> None:
    log, control = follow(chain(3))
    log.records.append(grant(2, 1, 3, 9))
    control.refresh()
    assert control.fold.granted == 3
    assert control.fold.state == "running"
