"""Rates of a loader and of a bare consumer over the same stream."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from confluent_kafka import TopicPartition

from sluice.bench.stream import Shape, written
from sluice.errors import KafkaUnreachable
from sluice.feedback.reporter import FeedbackReporter
from sluice.feedback.totals import DomainTotals
from sluice.kafka.access import BEGINNING, KafkaAccess
from sluice.run.info import RunInfo
from sluice.stream.loader import Loader

_CALLS = 500
_REPORTED_DOMAINS = (3, 64, 1024, 4096)
_PATIENCE = 60.0
_PACED_TOKENS = 2e6
_PACED_SECONDS = 10.0


@dataclass(frozen=True)
class Rate:
    """Tokens per second of wall time, and per second of this process's processor time."""

    tokens_per_second: float
    tokens_per_core_second: float


@dataclass(frozen=True)
class Waits:
    """A trainer of so many tokens per second, and the part of its time that it waited for data."""

    tokens_per_second: float
    waited: float


@dataclass(frozen=True)
class Calls:
    """What one report of so many domains costs the step that makes it, in microseconds.

    ``form`` is how they are given: ``arrays``, as the evaluation of a model has them, or
    ``mapping``. ``processor`` is the mean of the calling thread's processor time, which tells on
    a busy machine, too; ``median`` and ``p99`` are of wall time.
    """

    domains: int
    form: str
    processor: float
    median: float
    p99: float


@dataclass(frozen=True)
class Result:
    """What was measured; the ratios are the loader's rates over the bare consumer's."""

    shape: Shape
    bare: Rate
    loader: Rate
    ratio: float
    ratio_per_core: float
    paced: Waits
    report_microseconds: list[Calls]


def measure(access: KafkaAccess, shape: Shape, rounds: int = 3) -> Result:
    """Writes a stream and reads it ``rounds`` times each way, in turn; the best of each counts."""
    if rounds < 1:
        raise ValueError(f"rounds must be at least 1: {rounds}")
    with written(access, shape) as run:
        bare, loader = [], []
        for _ in range(rounds):
            bare.append(_bare(access, run, shape))
            loader.append(_loader(access, run, shape))
        paced = _paced(access, run, shape)
        calls = [
            _reports(access, run, domains, form)
            for domains in _REPORTED_DOMAINS
            for form in ("arrays", "mapping")
        ]
    fastest, own = max(bare, key=_per_second), max(loader, key=_per_second)
    return Result(
        shape=shape,
        bare=fastest,
        loader=own,
        ratio=own.tokens_per_second / fastest.tokens_per_second,
        ratio_per_core=own.tokens_per_core_second / fastest.tokens_per_core_second,
        paced=paced,
        report_microseconds=calls,
    )


def _per_second(rate: Rate) -> float:
    return rate.tokens_per_second


def _timed(tokens: int, read: Callable[[], None]) -> Rate:
    gc.collect()
    processor, start = time.process_time(), time.perf_counter()
    read()
    seconds, used = time.perf_counter() - start, time.process_time() - processor
    return Rate(tokens / seconds, tokens / used)


def _bare(access: KafkaAccess, run: RunInfo, shape: Shape) -> Rate:
    """Takes every record from librdkafka and looks at none of its bytes."""
    topic = access.topics.stream(run.name)
    with closing(access.consumer(queued_max_messages_kbytes=16 << 10)) as consumer:
        access.partitions(consumer, topic, _PATIENCE)

        def read() -> None:
            consumer.assign([TopicPartition(topic, p, BEGINNING) for p in range(shape.partitions)])
            left = shape.batches * shape.sequences
            while left > 0:
                messages = consumer.consume(min(500, left), _PATIENCE)
                if not messages:
                    raise KafkaUnreachable(f"{topic} gave no record for {_PATIENCE:g} s")
                left -= sum(message.error() is None for message in messages)

        return _timed(shape.tokens, read)


def _loader(access: KafkaAccess, run: RunInfo, shape: Shape) -> Rate:
    """Takes every step as numpy arrays."""
    with Loader(run, bootstrap=access.bootstrap, prefix=access.prefix) as steps:

        def read() -> None:
            rows = sum(len(step.whole) for step in steps)
            if rows != shape.batches * shape.sequences:
                raise ValueError(f"{rows} rows came instead of {shape.tokens // shape.length}")

        return _timed(shape.tokens, read)


def _paced(access: KafkaAccess, run: RunInfo, shape: Shape) -> Waits:
    """Trains for a while at a given rate; the first step fills the pipeline and does not count."""
    each = shape.sequences * shape.length / _PACED_TOKENS
    with Loader(run, bootstrap=access.bootstrap, prefix=access.prefix) as steps:
        steps.next(_PATIENCE)
        time.sleep(each)
        start, waited = time.perf_counter(), 0.0
        for step in steps:
            waited += step.info.wait_seconds
            time.sleep(each)
            if time.perf_counter() - start > _PACED_SECONDS:
                break
        return Waits(_PACED_TOKENS, waited / (time.perf_counter() - start))


def _reports(access: KafkaAccess, run: RunInfo, domains: int, form: str) -> Calls:
    names = [f"domain-{i}" for i in range(domains)]
    wide = replace(run, spec=run.spec | {"domains": names})
    sums, counts = np.full(domains, 1234.5), np.full(domains, 512)
    mapping = dict(zip(names, zip(sums.tolist(), counts.tolist(), strict=True), strict=True))

    def losses() -> Mapping[str, tuple[float, int]]:
        return mapping if form == "mapping" else DomainTotals(wide.domains, sums, counts)

    matrix = np.ones((128, 128), dtype=np.float32)
    product, taken, used = np.empty_like(matrix), [], 0.0
    with FeedbackReporter(wide, access.bootstrap, access.prefix) as feedback:
        for step in range(_CALLS):
            before, start = time.thread_time(), time.perf_counter()
            feedback.eval_loss(step, losses())
            taken.append(time.perf_counter() - start)
            used += time.thread_time() - before
            np.matmul(matrix, matrix, out=product)  # the step between two reports
        feedback.flush()
    micros = [seconds * 1e6 for seconds in taken]
    p99 = statistics.quantiles(micros, n=100)[98]
    return Calls(domains, form, used / _CALLS * 1e6, statistics.median(micros), p99)
