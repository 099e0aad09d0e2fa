"""What a person is told of a loader: what it waits for, and where a state would be expected."""

from __future__ import annotations

import itertools

import pytest

from claims import MemoryClaims
from records import entry, grant, run_status, snapshot, start_of, started
from sluice import wire
from sluice.claim.claim import RankClaim
from sluice.kafka.access import LogRecord
from sluice.run.rank import TrainerRank
from sluice.run.state import StreamState
from sluice.run.status import Notices, Standing
from sluice.stream.assembler import WHOLE
from sluice.stream.exposed import DECODE, GRANT, NETWORK, SUPPLY
from sluice.stream.loader import Loader
from writers import MemorySource, TestingStream, Written, reader_over

SIZES = [8, 8, 8]
STREAM = TestingStream(4, SIZES)


class Service:
    """What a service says of the run."""

    def __init__(self, standing: Standing | None) -> None:
        self.standing = standing
        self.asked = 0

    def read(self) -> Standing | None:
        self.asked += 1
        return self.standing


def status(**changes: object) -> bytes:
    return wire.encode("RunStatus", run_status(**changes))


def emission(lane: int, waiting: str, run: str = "r-1") -> bytes:
    fields = {"runId": run, "lane": lane, "waiting": waiting, "sinceMillis": 1}
    return wire.encode("EmissionWait", fields)


def read(*newest_first: tuple[str, bytes]) -> tuple[Notices, Standing | None]:
    notices = Notices("r-1")
    for key, value in newest_first:
        notices.take(LogRecord("sluice.status", 0, 0, 0, [], value, key.encode()))
    return notices, notices.standing()


def test_the_newest_words_of_the_service_on_one_run_count() -> None:
    notices, standing = read(
        ("r-1/1", emission(1, "a block of java")),
        ("r-10", status(runId="r-10", waiting="another run's")),
        ("r-1/0", b""),
        ("r-1/1", emission(1, "an older word")),
        ("r-10/0", emission(0, "another run's", "r-10")),
        ("r-1/0", emission(0, "what came since")),
        ("r-1", status()),
        ("r-1", status(waiting="an older word", progress=3)),
    )
    assert notices.found
    assert standing == Standing(7, ("round 2: waits for eval_loss of step 8", "a block of java"))


def test_what_nobody_can_read_says_nothing() -> None:
    newer = b"\xc3\x01" + b"\x11" * 8
    assert read(("r-1", newer), ("r-1/0", newer))[1] is None
    assert read(("r-1", newer), ("r-1", status(waiting="")))[1] == Standing(7, ())


def loader_at_rest(service: Service, seconds: float) -> tuple[Loader, MemorySource]:
    """A loader that has its first batch, of a run that is paused; each look at the clock takes
    some seconds, and the second batch is written at its twelfth."""
    source = MemorySource(4, waits=True)
    source.write(STREAM.sequences[:8])
    paused = {"state": "paused", "commandId": "c"}
    control = [
        started(STREAM.run),
        grant(1, 0, 0, 1),
        entry(2, 1, "RunStateChanged", paused, "lunch"),
    ]
    looks = itertools.count()
    to_come: list[list[Written]] = [STREAM.sequences[8:16]]

    def clock() -> float:
        look = next(looks)
        if look == 15 and to_come:
            control.append(entry(3, 2, "RunStateChanged", {"state": "running", "commandId": "d"}))
            control.append(grant(4, 3, 1, 2))
            source.write(to_come.pop())
        return look * seconds

    reader = reader_over(source, STREAM.run, control, status_interval=0.0625)
    return Loader.over(reader, clock=clock, status=service), source


def test_waits_for_as_long_as_it_takes_and_says_once_a_minute_what_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    service = Service(Standing(1, ("the run is paused", "lane 0 has no memory")))
    steps, _ = loader_at_rest(service, 25.0)
    with steps:
        assert steps.next().batch == 1
        assert not caplog.records
        step = steps.next()
    assert step.batch == 2
    assert step.info.wait_seconds > 200
    told = [record.getMessage() for record in caplog.records]
    minutes = [int(message.partition(" for ")[2].split()[0]) for message in told]
    assert minutes == sorted(set(minutes))
    assert 4 <= len(told) <= service.asked
    assert step.info.wait_causes.keys() <= {GRANT, NETWORK, DECODE}
    assert all(message.startswith("batch 2 of run r-1 has not come for ") for message in told)
    # The last may be told when the run has just been resumed.
    assert told[-2].endswith(
        " min: run r-1 is paused (lunch); batch 2 is not granted yet: the last grant ends at "
        "batch 1; the service: the run is paused; lane 0 has no memory; "
        "'sluice run show r' shows where the run stands"
    )


def test_a_wait_for_documents_is_told_from_others() -> None:
    service = Service(Standing(1, ("supply: domain a is behind",)))
    steps, _ = loader_at_rest(service, 1.0)
    with steps:
        steps.next()
        causes = steps.next().info.wait_causes
    assert SUPPLY in causes
    assert GRANT not in causes
    assert 2 <= service.asked <= 5  # after a second, two, four, eight …


def test_without_a_word_of_the_service_the_log_says_what_is_awaited(
    caplog: pytest.LogCaptureFixture,
) -> None:
    steps, _ = loader_at_rest(Service(None), 61.0)
    with steps:
        steps.next()
        steps.next()
    assert "is paused (lunch); batch 2 is not granted yet" in caplog.text
    assert "the service" not in caplog.text


def first_of(
    service: Service, rank: TrainerRank = WHOLE, resumes: bool = False, origin: bool = False
) -> None:
    """Takes a first batch, as a trainer does."""
    source = MemorySource(4, waits=True)
    start = started(STREAM.run)
    if origin:
        of = {"runId": "p-1", "timeline": 2, "snapshot": snapshot(2, 16, 1, [8, 4, 4])}
        start = entry(0, -1, "RunStarted", start_of(STREAM.run, of))
    source.write((TestingStream(4, SIZES, after=2) if origin else STREAM).sequences)
    reader = reader_over(source, STREAM.run, [start], rank)
    claim = RankClaim("r-1", MemoryClaims(), rank)
    with Loader.over(reader, claim=claim, status=service) as steps:
        if resumes:
            state = StreamState("p-1", 2, 2, 16) if origin else StreamState("r-1", 0, 1, 8)
            steps.load_state_dict(state.to_dict())
        steps.next(20)


def test_a_trainer_that_begins_anew_on_a_run_that_was_trained_on_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    service = Service(Standing(300, ()))
    first_of(service, TrainerRank(1, 2))
    first_of(service, resumes=True)
    first_of(Service(Standing(0, ())))
    first_of(Service(None))
    assert service.asked == 0
    assert not caplog.records
    first_of(service)
    assert [record.getMessage() for record in caplog.records] == [
        (
            "run r-1 was trained on up to batch 300, and this trainer begins at batch 1: give "
            "load_state_dict the state of its checkpoint; a fresh model would go through mixtures "
            "that another one's losses decided"
        )
    ]


def test_a_fork_without_the_state_that_it_goes_on_from_is_told_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    first_of(Service(None), origin=True, resumes=True)
    assert not caplog.records
    first_of(Service(None), origin=True)
    assert [record.getMessage() for record in caplog.records] == [
        (
            "run r-1 goes on from batch 2 of run p-1, and no state of it was loaded: a model that "
            "was not trained on those batches trains from batch 3 on; give load_state_dict that "
            "of its checkpoint"
        )
    ]
