"""The clients on a broker that librdkafka plays in this process."""

from __future__ import annotations

import os
import socket
from contextlib import closing, suppress

import numpy as np
import pytest

from broker import PARTITIONS, Broker
from records import grant, run_status, started, supplied
from sluice.errors import KafkaUnreachable, RankTaken, StreamMissing, StreamStalled, UnknownRun
from sluice.feedback.reporter import FeedbackReporter
from sluice.kafka.access import KafkaAccess
from sluice.run.directory import find_run, list_runs
from sluice.run.status import KafkaStatus, Standing
from sluice.stream.loader import Loader
from writers import DOMAINS, TestingStream, run_info

STREAM = TestingStream(PARTITIONS, [8, 8, 4], batches=3)


@pytest.fixture(scope="module")
def broker() -> Broker:
    running = Broker()
    running.write("sluice.control", "ControlRecord", started(STREAM.run))
    running.create("sluice.stream.r")
    return running


def test_a_run_is_found_read_to_its_end_and_answered(broker: Broker) -> None:
    ranks = [
        Loader("r", dp=(rank, 2), micro_batch=2, bootstrap=broker.bootstrap) for rank in range(2)
    ]
    for loader in ranks:
        loader.seek_to_batch(1)
    broker.write(
        "sluice.control", "ControlRecord", grant(1, 0, 0, 3, counts=[*[[4, 2, 2]] * 2, [2, 1, 1]])
    )
    broker.write("sluice.supply.d", "Supply", supplied("java", 8, ended=True))
    threads = [iter(loader) for loader in ranks]
    broker.write_stream(STREAM)
    steps = [list(thread) for thread in threads]
    assert [[step.batch for step in seen] for seen in steps] == [[1, 2, 3]] * 2
    indices = [seen[0].whole.index.tolist() + seen[2].whole.index.tolist() for seen in steps]
    assert indices == [[0, 1, 2, 3, 16, 17], [4, 5, 6, 7, 18, 19]]
    last = steps[0][2].info
    assert last.weights is not None
    assert last.weights.tolist() == [0.5, 0.25, 0.25]
    assert ranks[0].state_dict() == ranks[1].state_dict()
    for loader in ranks:
        loader.close()
    with FeedbackReporter(STREAM.run, bootstrap=broker.bootstrap) as feedback:
        feedback.eval_loss(3, {"java": (3.0, 2)})
        feedback.progress(3)
        feedback.flush(10)
    assert broker.read("sluice.feedback.r", 4) == ["TrainerAttached"] * 2 + [
        "TrainerFeedback",
        "TrainerProgress",
    ]


def test_the_newest_holder_has_the_rank_and_the_older_one_is_told(broker: Broker) -> None:
    with Loader("r", bootstrap=broker.bootstrap, dp=(1, 2), replica=3, timeout=0.1) as old:
        other = Loader("r", bootstrap=broker.bootstrap, dp=(0, 2), replica=3, timeout=0.1)
        peer = Loader("r", bootstrap=broker.bootstrap, dp=(1, 2), replica=2, timeout=0.1)
        new = Loader("r", bootstrap=broker.bootstrap, dp=(1, 2), replica=3, timeout=0.1)
        feedback = FeedbackReporter(old)
        for one in (old, other, peer):
            wait_for_claim(one)
        with new:
            wait_for_claim(new)
            with pytest.raises(RankTaken) as taken:
                while True:
                    poll(old)
            assert str(taken.value).startswith(
                f"rank 1 of 2, replica 3 of run r-1 was taken by process {os.getpid()} on host "
            )
            assert str(taken.value).endswith("or give each a rank, replica or run of its own")
            with pytest.raises(RankTaken):
                feedback.progress(1)
            for one in (other, peer, new):
                poll(one)
                one.close()


def poll(loader: Loader) -> None:
    with suppress(StreamStalled):
        loader.next()


def wait_for_claim(loader: Loader) -> None:
    poll(loader)
    claim = loader._claim
    assert claim is not None
    while not claim.published:
        poll(loader)


def test_a_run_that_is_not_there_is_named_with_those_that_are(broker: Broker) -> None:
    with pytest.raises(UnknownRun, match="no run 's' was started within 0 s; known runs: r"):
        find_run("s", bootstrap=broker.bootstrap, timeout=0)


def test_a_stream_with_other_partitions_is_refused(broker: Broker) -> None:
    with pytest.raises(StreamMissing, match="has 4 partitions instead of the run's 2"):
        Loader(run_info(2, [4]), bootstrap=broker.bootstrap)


def test_a_broker_that_is_not_there_is_named() -> None:
    access = KafkaAccess("127.0.0.1:1")
    consumer = access.consumer()
    with pytest.raises(KafkaUnreachable, match="Kafka at 127.0.0.1:1 did not answer within 0.3 s"):
        access.partitions(consumer, "sluice.control", 0.3)
    consumer.close()


@pytest.mark.parametrize(
    ("bootstrap", "wrong"),
    [
        ("localhost", "localhost"),
        ("a:9092, b", "b"),
        ("a:0", "a:0"),
        ("a:65536", "a:65536"),
        ("a:9092,", ""),
        ("http://a:9092", "http://a:9092"),
        ("", ""),
    ],
)
def test_servers_that_are_not_hosts_with_ports_are_refused_at_once(
    bootstrap: str, wrong: str
) -> None:
    with pytest.raises(ValueError) as failed:
        Loader("r", bootstrap=bootstrap)
    assert str(failed.value) == (
        "bootstrap must be HOST:PORT, or several with commas between, with ports from 1 to 65535: "
        f"'{wrong}' of '{bootstrap}'"
    )
    KafkaAccess("a:9092, b.c:1,[::1]:65535")


def test_brokers_that_were_never_there_are_soon_said_with_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sluice.kafka.access._FIRST_SECONDS", 0.1)
    with pytest.raises(KafkaUnreachable) as failed:
        Loader("r", bootstrap="127.0.0.1:1,no.invalid:9092")
    said = str(failed.value)
    assert said.startswith("Kafka is unreachable, tried for ")
    assert "127.0.0.1:1: Connection refused; no.invalid:9092: " in said
    assert said.endswith("let this machine through, or name another as bootstrap")


def test_a_server_that_takes_a_connection_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sluice.kafka.access._FIRST_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        access = KafkaAccess(f"127.0.0.1:{silent.getsockname()[1]}")
        with (
            closing(access.consumer()) as consumer,
            pytest.raises(KafkaUnreachable, match="did not answer within 0.5 s"),
        ):
            access.topic_names(consumer, 0.5)


def test_a_broker_that_goes_away_later_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    short = Broker()
    access = KafkaAccess(short.bootstrap)
    with closing(access.consumer()) as consumer:
        access.topic_names(consumer, 10)
        monkeypatch.setattr("sluice.kafka.access._FIRST_SECONDS", 0.1)
        del short
        with pytest.raises(KafkaUnreachable, match="did not answer within 0.5 s"):
            access.topic_names(consumer, 0.5)


def test_a_topic_that_a_starting_broker_did_not_know_is_soon_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = "topic.metadata.refresh.interval.ms"
    for client in "Consumer", "Producer":
        monkeypatch.setattr(f"sluice.kafka.access.{client}", lambda settings: settings)
    own, given = KafkaAccess(), KafkaAccess(config={key: 60_000})
    assert [int(each[key]) for each in (own.consumer(), own.producer())] == [5_000] * 2
    assert [int(each[key]) for each in (given.consumer(), given.producer())] == [60_000] * 2


def test_a_run_and_what_the_service_says_of_it_are_found_by_a_brokers_address() -> None:
    broker = Broker()
    broker.write("sluice.control", "ControlRecord", started(STREAM.run))
    run = find_run("r", bootstrap=broker.bootstrap)
    assert run.run_id == "r-1"
    assert [one.run_id for one in list_runs(bootstrap=broker.bootstrap)] == ["r-1"]
    status = KafkaStatus(KafkaAccess(broker.bootstrap), "r-1")
    assert status.read() is None
    broker.write("sluice.status", "RunStatus", run_status(waiting="", progress=1), key="r-1")
    broker.write("sluice.status", "RunStatus", run_status(), key="r-1")
    for number in range(1_200):  # more than are looked at first
        other = run_status(runId=f"o-{number}", waiting="another run's")
        broker.put("sluice.status", "RunStatus", other, key=f"o-{number}")
    waits = {"runId": "r-1", "lane": 0, "waiting": "a block of java", "sinceMillis": 1}
    broker.write("sluice.status", "EmissionWait", waits, key="r-1/0")
    found = Standing(7, ("round 2: waits for eval_loss of step 8", "a block of java"))
    assert status.read() == found


def test_epochs_are_known_at_the_first_batch_however_much_was_said_of_supply() -> None:
    broker = Broker()
    broker.write("sluice.control", "ControlRecord", started(STREAM.run))
    control = grant(1, 0, 0, 3, counts=[*[[4, 2, 2]] * 2, [2, 1, 1]])
    broker.write("sluice.control", "ControlRecord", control)
    broker.create("sluice.stream.r")
    for blocks in range(600):  # more than one fetch gives
        broker.put("sluice.supply.d", "Supply", supplied("java", blocks, ended=False))
    for domain in DOMAINS[:2]:
        broker.put("sluice.supply.d", "Supply", supplied(domain, 8, ended=True))
    broker.write("sluice.supply.d", "Supply", supplied(DOMAINS[2], 8, ended=False))
    with Loader("r", bootstrap=broker.bootstrap, attach=False) as steps:
        steps.seek_to_batch(1)
        broker.write_stream(STREAM)
        epochs = steps.next(30).info.epochs
    assert epochs is not None
    assert epochs[:2].tolist() == [0.5, 0.25]
    assert np.isnan(epochs[2])  # it is still prepared
