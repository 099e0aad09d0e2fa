"""A run without a service behind it: a stream of random tokens, written once and then removed."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

from sluice import wire
from sluice.kafka.access import QUIET, KafkaAccess
from sluice.run.info import RunInfo
from sluice.wire import chain
from sluice.wire.header import KEY, StreamHeader

_DOMAINS = ["code", "prose", "web"]
_FINGERPRINT = 0x5EED
_DOCUMENT = 512  # tokens, about: what a web page or a source file has
_COMMITTED = 1_767_225_600_000  # milliseconds since the epoch
_WEIGHTS = [1 << 39, 1 << 38, 1 << 38]
_TIMEOUT = 60.0


@dataclass(frozen=True)
class Shape:
    """What is written: ``batches`` of ``sequences`` blocks of ``length`` tokens."""

    batches: int = 128
    sequences: int = 512
    length: int = 2048
    partitions: int = 4
    width: int = 2

    @property
    def tokens(self) -> int:
        """Tokens of the whole stream."""
        return self.batches * self.sequences * self.length


def _run_of(shape: Shape) -> RunInfo:
    spec: dict[str, Any] = {
        "run": "bench",
        "dataset": "bench",
        "fingerprint": _FINGERPRINT,
        "tokenizer": "bench",
        "vocabulary": 1 << (16 if shape.width == 2 else 17),
        "sequenceLength": shape.length,
        "domains": _DOMAINS,
        "lanes": 1,
        "streamPartitions": shape.partitions,
        "batchSizes": [{"fromBatch": 1, "sequences": shape.sequences}],
        "batches": shape.batches,
        "seed": 1,
        "initialWeights": _WEIGHTS,
        "policy": "static",
        "policySettings": {},
        "updateEvery": 0,
        "lag": 0,
        "onTimeout": "hold",
        "timeoutMillis": 600_000,
        "lead": 0,
        "smoothing": {},
        "whenBehind": "wait",
        "epochs": [1, 1, 1],
    }
    return RunInfo(f"bench-{uuid.uuid4().hex[:8]}", spec)


@contextmanager
def written(access: KafkaAccess, shape: Shape) -> Iterator[RunInfo]:
    """A completed run of this shape, while it is there."""
    run = _run_of(shape)
    with _topics(access, run, shape):
        _write(access, run, shape)
        yield run


@contextmanager
def _topics(access: KafkaAccess, run: RunInfo, shape: Shape) -> Iterator[None]:
    admin = AdminClient({**access.config, "bootstrap.servers": access.bootstrap})
    names = {
        access.topics.control_of(run.run_id): 1,
        access.topics.feedback(run.name): 2,
        access.topics.supply(run.spec["dataset"]): 1,
        access.topics.stream(run.name): shape.partitions,
    }
    made = admin.create_topics(
        [NewTopic(name, partitions, config=_keeps(name)) for name, partitions in names.items()]
    )
    for future in made.values():
        future.result(_TIMEOUT)
    try:
        yield
    finally:
        for future in admin.delete_topics(list(names)).values():
            future.result(_TIMEOUT)


def _keeps(topic: str) -> dict[str, str]:
    """Timestamps are batches, so no age limit may look at them."""
    return {"retention.ms": "-1"} if ".stream." in topic else {}


def _write(access: KafkaAccess, run: RunInfo, shape: Shape) -> None:
    producer = Producer(
        {
            **access.config,
            "bootstrap.servers": access.bootstrap,
            "enable.idempotence": True,  # or what is sent again could overtake what came after it
            "linger.ms": 20,
            "batch.size": 1 << 20,
            "queue.buffering.max.kbytes": 64 << 10,
            "log_level": QUIET,
        }
    )

    def send(topic: str, value: bytes, **how: Any) -> None:
        while True:
            try:
                producer.produce(topic, value, **how)
                return
            except BufferError:
                producer.poll(0.1)

    body = {"spec": run.spec, "planVersion": 2, "streamTopicId": "", "startOrdinals": [0, 0, 0]}
    log = access.topics.control_of(run.run_id)
    send(log, wire.encode("ControlRecord", _entry(run, 0, "RunStarted", body)))
    send(log, wire.encode("ControlRecord", _entry(run, 1, *_grant(shape))))
    stream = access.topics.stream(run.name)
    for partition, header, value in _sequences(run, shape):
        send(
            stream,
            value,
            partition=partition,
            timestamp=header.batch,
            headers=[(KEY, header.encode())],
        )
        producer.poll(0)
    if producer.flush(120):
        raise TimeoutError(f"the stream could not be written to {access.bootstrap} in 120 s")


def _entry(run: RunInfo, serial: int, kind: str, body: wire.Record) -> wire.Record:
    return {
        "runId": run.run_id,
        "timeline": 0,
        "serial": serial,
        "basedOn": serial - 1,
        "writer": "bench",
        "timeMillis": 0,
        "why": "",
        "body": (f"io.sluice.schema.{kind}", body),
    }


def _grant(shape: Shape) -> tuple[str, wire.Record]:
    counts = [sum(_domain(i) == d for i in range(shape.sequences)) for d in range(3)]
    return "MixtureGrant", {
        "after": 0,
        "to": shape.batches,
        "firstSequence": 0,
        "weightsVersion": 1,
        "batchSizes": [shape.sequences] * shape.batches,
        "counts": counts * shape.batches,
        "effectiveWeights": _WEIGHTS,
        "decision": None,
    }


def _domain(index: int) -> int:
    return (0, 1, 0, 2)[index % 4]


def _sequences(run: RunInfo, shape: Shape) -> Iterator[tuple[int, StreamHeader, bytes]]:
    rng = np.random.default_rng(1)
    width = np.dtype("<u2" if shape.width == 2 else "<u4")
    chains = [chain.start(2, run.run_id)] * shape.partitions
    hashes = [chain.domain_hash(_FINGERPRINT, name) for name in _DOMAINS]
    pool = rng.integers(0, 1 << 16, (64, shape.length + 1)).astype(width)
    for index in range(shape.batches * shape.sequences):
        partition, domain = index % shape.partitions, _domain(index)
        chains[partition] = chain.next_chain(chains[partition], index, hashes[domain], 0, index)
        batch, first = divmod(index, shape.sequences)
        header = StreamHeader(
            0, batch + 1, index - first, shape.sequences, index, 1, index, chains[partition]
        )
        lengths = _lengths(rng, shape.length + 1)
        block = {
            "fingerprint": _FINGERPRINT,
            "domain": _DOMAINS[domain],
            "lane": 0,
            "ordinal": index,
            "tokenWidth": shape.width,
            "tokens": pool[index % len(pool)].tobytes(),
            "documentLengths": lengths,
            "documentIds": [f"{_DOMAINS[domain]}-{index + i:08}" for i in range(len(lengths))],
            "trainedTokens": shape.length,
            "lossMask": None,
            "contentType": "tokens",
            "payload": None,
            "producedAtMillis": _COMMITTED,
        }
        yield partition, header, wire.encode("TokenBlock", block)


def _lengths(rng: np.random.Generator, tokens: int) -> list[int]:
    found: list[int] = []
    while tokens > 0:
        found.append(min(int(rng.integers(1, 2 * _DOCUMENT)), tokens))
        tokens -= found[-1]
    return found
