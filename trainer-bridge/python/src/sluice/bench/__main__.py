"""The command line of the benchmark."""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from collections.abc import Sequence
from dataclasses import asdict

from sluice import bench
from sluice.bench.measure import Calls, Rate, Result, measure
from sluice.bench.stream import Shape
from sluice.errors import SluiceError
from sluice.kafka.access import KafkaAccess


def _arguments() -> argparse.ArgumentParser:
    shape = Shape()
    parser = argparse.ArgumentParser("python -m sluice.bench", description=bench.__doc__)
    parser.add_argument("--bootstrap", default="localhost:9092", help="HOST:PORT of the broker")
    parser.add_argument("--batches", type=int, default=shape.batches)
    parser.add_argument("--sequences", type=int, default=shape.sequences, help="of one batch")
    parser.add_argument("--length", type=int, default=shape.length, help="tokens of a sequence")
    parser.add_argument("--partitions", type=int, default=shape.partitions)
    parser.add_argument("--width", type=int, choices=[2, 4], default=2, help="bytes of a token")
    parser.add_argument("--rounds", type=int, default=3, help="readings; the best one counts")
    parser.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="setting of librdkafka, such as security.protocol=SASL_SSL",
    )
    parser.add_argument(
        "--json", metavar="FILE", help="writes the result there; - is standard output"
    )
    return parser


def _table(result: Result) -> str:
    def row(name: str, rate: Rate) -> str:
        wall, core = rate.tokens_per_second / 1e6, rate.tokens_per_core_second / 1e6
        return f"{name:<16}{wall:>12.1f}{core:>12.1f}"

    def call(calls: Calls) -> str:
        name = f"{calls.domains} domains, {calls.form}"
        return f"{name:<24}{calls.median:>8.0f}{calls.p99:>8.0f}{calls.processor:>12.0f}"

    waits = result.paced
    return "\n".join(
        [
            f"{'M tokens/s':<16}{'wall':>12}{'per core':>12}",
            row("bare consumer", result.bare),
            row("loader", result.loader),
            f"{'ratio':<16}{result.ratio:>12.2f}{result.ratio_per_core:>12.2f}",
            (
                f"A trainer of {waits.tokens_per_second / 1e6:g} M tokens/s waits "
                f"{waits.waited:.3%} of its time for data."
            ),
            f"{'a report costs, in µs':<24}{'median':>8}{'p99':>8}{'processor':>12}",
            *map(call, result.report_microseconds),
        ]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints; 1 when it could not."""
    given = _arguments().parse_args(arguments)
    config = dict(setting.split("=", 1) for setting in given.config)
    access = KafkaAccess(given.bootstrap, f"sluice.bench.{uuid.uuid4().hex[:8]}.", config)
    shape = Shape(given.batches, given.sequences, given.length, given.partitions, given.width)
    try:
        result = measure(access, shape, given.rounds)
    except (SluiceError, ValueError, TimeoutError) as error:
        print(f"sluice.bench: {str(error) or type(error).__name__}", file=sys.stderr)
        return 1
    if given.json != "-":
        print(_table(result))
    if given.json:
        text = json.dumps(asdict(result), indent=2)
        if given.json == "-":
            print(text)
        else:
            with open(given.json, "w", encoding="utf-8") as file:
                file.write(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
