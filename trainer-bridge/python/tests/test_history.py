"""The rows of a run: a pure function of its control log and of what its trainers said."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from records import entry, snapshot, started
from sluice.errors import InvalidState, StreamCorrupt
from sluice.history.reading import RunReading
from sluice.history.row import Mark, Row, flat
from sluice.run.info import RunInfo
from steered import LOSSES, ONE, Service, Topic, decision, report
from told import TOLD, plain, progress, reading, told, trained
from writers import DOMAINS, LENGTH


@pytest.mark.parametrize("seed", range(8))
def test_rows_are_what_the_logs_say(seed: int) -> None:
    made = trained(seed, rewinds=seed % 3)
    rows = told(made.service, made.topic)
    assert [row.mark for row in rows] == made.stands
    for row in rows:
        assert [weight * ONE for weight in row.weights.tolist()] == made.weights[row.mark]
        assert row.shares.tolist() == [0.5, 0.25, 0.25]
        assert row.tokens_seen == 8 * row.batch * LENGTH
        assert row.domains == tuple(DOMAINS)
        expected = made.losses.get(row.mark)
        found = row.losses.get("eval_loss")
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert found.tolist() == [10 * mean / 10 for mean in expected]


@pytest.mark.parametrize("seed", range(4))
def test_a_reader_that_was_started_again_gives_what_one_that_was_not_does(seed: int) -> None:
    made = trained(seed, rewinds=seed % 2)
    whole = [plain(row) for row in told(made.service, made.topic)]
    for place, mark in enumerate(made.stands):
        after = told(made.service, made.topic, mark)
        assert [plain(row) for row in after] == whole[place + 1 :]


@pytest.mark.parametrize("seed", range(4))
def test_a_reader_that_reads_as_things_happen_gives_the_same(seed: int) -> None:
    made = trained(seed)
    whole = [plain(row) for row in told(made.service, made.topic)]
    service, topic, rows = Service(TOLD), Topic(), list[Row]()
    follower = reading(service, topic)
    follower.catch_up(rows.append)
    said, records = list(made.topic.values), made.service.records[1:]
    for number, one in enumerate(records, start=1):
        service.add(one)
        topic.values += said[3 * (number - 1) : 3 * number]
        follower.catch_up(rows.append)
    assert [plain(row) for row in rows] == whole


def test_a_rewind_is_followed_by_the_batches_that_took_the_place_of_others() -> None:
    service, topic, rows = Service(TOLD), Topic(), list[Row]()
    follower = reading(service, topic)
    service.grant(2)
    service.grant(4, decision(1, [ONE, 0, 0]))
    topic.values += [report(2), report(4), progress(4)]
    follower.catch_up(rows.append)
    service.rewind(1, 0)
    follower.catch_up(rows.append)
    assert [row.mark for row in rows] == [(0, 1), (0, 2), (0, 3), (0, 4)]
    service.grant(3)
    topic.values += [report(2, timeline=1, attempt="b"), progress(3, timeline=1)]
    follower.catch_up(rows.append)
    assert [row.mark for row in rows[4:]] == [(1, 2), (1, 3)]
    assert [row.mark for row in told(service, topic, Mark(0, 4))] == [(1, 2), (1, 3)]
    assert [row.mark for row in told(service, topic, Mark(1, 2))] == [(1, 3)]
    assert [row.mark for row in told(service, topic)] == [(0, 1), (1, 2), (1, 3)]


def test_a_row_waits_for_all_that_is_expected_of_its_batch() -> None:
    service, topic, rows = Service(TOLD), Topic(), list[Row]()
    service.grant(2)
    follower = reading(service, topic)

    def after(*said: bytes) -> list[int]:
        topic.values += said
        rows.clear()
        follower.catch_up(rows.append)
        return [row.batch for row in rows]

    assert after() == []
    assert after(progress(2, worldSize=2, rank=0)) == []
    assert after(progress(1, worldSize=2, rank=1)) == [1]
    assert after(progress(2, worldSize=2, rank=1)) == []  # its losses are still measured
    assert after(report(2)) == [2]
    assert after(progress(9, worldSize=2, rank=0), progress(9, worldSize=2, rank=1)) == []
    service.grant(4, decision(1, [ONE, 0, 0], kept=True))
    assert after() == [3]
    service.grant(5, decision(2, [ONE, 0, 0], kept=True))  # decided without the losses of step 4
    assert after() == [4, 5]
    assert [row.kept for row in rows] == [None, True]


def test_reports_alone_say_that_what_was_before_them_is_complete() -> None:
    service, topic = Service(TOLD), Topic()
    service.grant(2)
    service.grant(4, decision(1, [ONE, 0, 0]))
    topic.values += [report(2), report(4, worldSize=2)]
    assert [row.batch for row in told(service, topic)] == [1]
    topic.values.append(report(4, worldSize=2, rank=1))
    assert [row.batch for row in told(service, topic)] == [1, 2, 3]


def test_who_goes_on_from_a_batch_in_a_later_timeline_is_done_with_it() -> None:
    service, topic = Service(TOLD), Topic()
    service.grant(1)
    service.rewind(1, 0)
    topic.values.append(progress(1, timeline=1))
    assert [row.mark for row in told(service, topic)] == [(0, 1)]
    topic.values[:] = [progress(1, timeline=2)]  # which nobody has opened
    assert told(service, topic) == []


def test_what_was_measured_before_the_first_batch_is_a_row() -> None:
    service, topic = Service(TOLD), Topic()
    service.grant(2)
    topic.values += [report(0), progress(0)]
    (row,) = told(service, topic)
    assert row.mark == Mark(0, 0)
    assert row.losses["eval_loss"].tolist() == list(LOSSES.values())
    assert flat(row, None) == {
        "sluice/batch": 0,
        "sluice/tokens_seen": 0,
        "sluice/weights_version": 1,
        "sluice/round": 0,
        "sluice/weight/java": 0.5,
        "sluice/weight/prose": 0.25,
        "sluice/weight/config": 0.25,
        "sluice/target_loss/java": 1.25,
        "sluice/eval_loss/java": 2.0,
        "sluice/eval_loss/prose": 3.0,
        "sluice/eval_loss/config": 4.0,
        "sluice/timeline": 0,
    }


def test_lead_is_how_far_the_stream_was_ahead_when_a_trainer_said_where_it_is() -> None:
    service, topic = Service(TOLD), Topic()
    for to, when in ((2, 500), (6, 1500), (9, 2500)):
        service.grant(to)
        service.records[-1]["timeMillis"] = when
    topic.values += [report(2), report(4), report(6)]
    topic.values += [progress(batch) for batch in (1, 2, 3)] + [progress(5, timeMillis=-7)]
    topic.values.append(progress(1, timeMillis=9999))  # said again
    rows = told(service, topic)
    assert {row.batch: row.lead for row in rows} == {1: 1, 2: 4, 3: 6, 4: None, 5: 0}
    assert [row.seconds for row in rows] == [1, 2, 3, 1.5, 0]


def test_what_is_granted_is_given_when_it_is_asked_for() -> None:
    service, topic, rows = Service(TOLD), Topic(), list[Row]()
    service.grant(2)
    service.grant(3)
    topic.values += [progress(1), report(2)]
    one = reading(service, topic)
    one.catch_up(rows.append)
    assert [row.batch for row in rows] == [1]
    assert one.rows.left == 2
    one.give_granted(rows.append)
    assert [row.batch for row in rows] == [1, 2, 3]
    assert rows[1].losses["eval_loss"].tolist() == list(LOSSES.values())
    assert one.rows.left == 0


def test_a_fork_begins_after_the_batch_that_it_continues() -> None:
    service, topic, rows = Service(TOLD), Topic(), list[Row]()
    origin = {"runId": "q-1", "timeline": 3, "snapshot": snapshot(4, 32, 1, [9, 9, 9])}
    service.records[0]["body"][1]["origin"] = ("io.sluice.schema.RunOrigin", origin)
    service.granted = 4
    service.grant(6)
    topic.values += [report(4), report(6, timeline=0), progress(6)]
    one = reading(service, topic)
    one.catch_up(rows.append)
    assert [row.batch for row in rows] == [5, 6]
    assert [row.tokens_seen for row in rows] == [40 * LENGTH, 48 * LENGTH]


class Clock:
    """Time that passes when somebody looks at it."""

    def __init__(self, step: float) -> None:
        self.now = 0.0
        self._step = step

    def __call__(self) -> float:
        self.now += self._step
        return self.now


@pytest.mark.parametrize("state", ["completed", "stopped", "failed"])
def test_a_run_is_followed_until_it_is_over(state: str, caplog: pytest.LogCaptureFixture) -> None:
    service, rows, looks = Service(TOLD), list[int](), list[int]()

    def go() -> None:
        service.away = True

    def come() -> None:
        service.away = False

    topic = Topic(
        lambda: service.grant(2),
        go,
        go,
        come,
        lambda: service.become(state),
        lambda: topic.values.extend([report(2), progress(2)]),
    )
    one = reading(service, topic, clock=Clock(1))
    one.follow(lambda row: rows.append(row.batch), lambda: looks.append(len(rows)))
    assert rows == ([] if state == "failed" else [1, 2])
    assert len(looks) == (5 if state == "failed" else 6)
    assert caplog.messages == ["nothing is heard of run r-1: no answer"]


def test_reports_that_never_come_are_not_waited_for_beyond_a_run_s_end() -> None:
    service, rows = Service(TOLD), list[Row]()
    service.grant(2)
    service.become("completed")
    clock = Clock(1)
    one = reading(service, Topic(), clock=clock)
    one.follow(rows.append)
    assert rows == []
    assert 600 < clock.now < 610
    assert one.rows.left == 2


def test_few_reports_are_kept_however_many_there_are() -> None:
    run = RunInfo("r-1", TOLD.spec | {"updateEvery": 0, "metrics": []})
    service, topic, rows = Service(run), Topic(), list[Row]()
    service.grant(3000)
    for batch in range(1, 3001):
        topic.values += [report(batch, "train_loss", timeline=0), progress(batch)]
    reading(service, topic).catch_up(rows.append)
    assert [row.batch for row in rows] == list(range(1, 3001))
    assert all(row.losses["train_loss"].tolist() == list(LOSSES.values()) for row in rows)


@pytest.mark.parametrize(
    "value",
    [
        b"",
        progress(2)[:-1],
        progress(2, runId="r-2"),
        progress(2, rank=1),
        progress(2, rank=-1),
        progress(2, timeline=-1),
        progress(-2),
        progress(2, worldSize=1 << 20),
        progress(2, timeline=7),
    ],
)
def test_what_nobody_can_use_is_passed_over(value: bytes) -> None:
    service, topic = Service(TOLD), Topic()
    service.grant(2)
    topic.values.append(value)
    assert told(service, topic) == []
    topic.values += [report(2), progress(2)]
    assert [row.batch for row in told(service, topic)] == [1, 2]


def test_a_mark_must_be_of_the_run() -> None:
    service = Service(TOLD)
    service.grant(2)
    message = "the last row must be of a timeline that run r-1 has, from 0 to 0: 3"
    with pytest.raises(InvalidState, match=message):
        told(service, Topic(), Mark(3, 1))


def test_a_grant_of_other_domains_than_the_run_s_is_refused() -> None:
    service, topic = Service(TOLD), Topic()
    service.grant(1)
    body = service.records[-1]["body"][1]
    body["effectiveWeights"], body["counts"] = [ONE, 0], [8, 0]
    topic.values.append(progress(1))
    with pytest.raises(StreamCorrupt, match=r"batch 1 must have 3 weights.*: 2"):
        told(service, topic)


def test_nothing_is_told_of_a_run_that_has_not_started() -> None:
    service, topic = Service(TOLD), Topic()
    service.records.clear()
    topic.values.append(progress(1))
    assert told(service, topic) == []


def row(weights: list[float], **changes: object) -> Row:
    size = len(weights)
    known: dict[str, object] = {
        "timeline": 1,
        "batch": 7,
        "seconds": 1.0,
        "tokens_seen": 10,
        "weights_version": 2,
        "round": 3,
        "domains": tuple(f"d{place}" for place in range(size)),
        "weights": np.array(weights),
        "shares": np.array(weights[::-1]),
        "losses": {"eval_loss": np.array([1.0, *[math.nan] * (size - 1)])},
        "targets": np.full(size, math.nan),
    }
    return Row(**(known | changes))  # type: ignore[arg-type]


def test_the_numbers_of_a_row_are_of_the_domains_with_the_greatest_weights() -> None:
    made = row([0.125, 0.5, 0.25, 0.125], kept=True, lead=4)
    assert flat(made, 2) == {
        "sluice/batch": 7,
        "sluice/tokens_seen": 10,
        "sluice/weights_version": 2,
        "sluice/round": 3,
        "sluice/lead": 4,
        "sluice/round_kept": 1,
        "sluice/weight/d1": 0.5,
        "sluice/weight/d2": 0.25,
        "sluice/share/d1": 0.25,
        "sluice/share/d2": 0.5,
        "sluice/others/domains": 2,
        "sluice/others/weight": 0.25,
        "sluice/others/share": 0.25,
        "sluice/timeline": 1,
    }
    assert flat(made, None)["sluice/eval_loss/d0"] == 1.0
    assert list(flat(made, None))[-1] == "sluice/timeline"
    with pytest.raises(ValueError, match="top must be a whole number from 0"):
        flat(made, -1)


@pytest.mark.parametrize("read", [RunReading.catch_up, RunReading.give_granted])
def test_a_log_that_says_the_run_s_state_alone_has_no_rows(
    read: Callable[[RunReading, Callable[[Row], None]], None],
) -> None:
    service = Service(TOLD)
    service.records[:] = [started(TOLD), entry(1, 0, "RunStateChanged", {"state": "paused"})]
    rows: list[Row] = []
    one = reading(service, Topic())
    read(one, rows.append)
    assert rows == []
