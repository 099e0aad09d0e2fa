"""A training step with the loader, next to the same step with its data in memory."""

from __future__ import annotations

import argparse
import json
import logging
import statistics
import sys
import uuid
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING

from sluice.bench.stream import Shape, written
from sluice.errors import SluiceError
from sluice.feedback.reporter import FeedbackReporter
from sluice.kafka.access import KafkaAccess
from sluice.run.info import RunInfo
from sluice.stream.batch import Step
from sluice.stream.loader import Loader

if TYPE_CHECKING:
    from sluice.bench.training import Training

GOAL = 1.005
_PATIENCE = 120.0
_WARM_UPS = 1
_NO_GPU = "not run on a GPU: a tiny model on the CPU, whose figures say nothing about GPUs"
Open = Callable[[], Loader]


@dataclass(frozen=True)
class Ratio:
    """Milliseconds of a step of one run, medians of turns: with the loader, and in memory.

    ``digest`` is the sum of its batches' in hex: the same for runs with the same batches.
    """

    run: str
    digest: str
    loader: float
    memory: float
    ratio: float


@dataclass(frozen=True)
class Result:
    """What was measured, and on what: ``note`` is for people."""

    note: str
    device: str
    on_gpu: bool
    parameters: int
    goal: float
    runs: list[Ratio]


def measure(training: Training, run: str, open_run: Open, steps: int, repeats: int) -> Ratio:
    """Trains on the same first steps of a run in turns, there and back, with and without a loader.

    Each turn begins with the same weights. Fails if the loader gives anything else than before.
    """
    if steps < 2 or repeats < 1:
        raise ValueError(f"steps must be at least 2, repeats 1: {steps}, {repeats}")
    with open_run() as loader:
        kept = list(islice(loader, steps))
    if len(kept) < steps:
        raise ValueError(f"run {run} must have {steps} batches: {len(kept)}")
    expected = [step.whole.digest for step in kept]

    def with_loader() -> float:
        with ExitStack() as stack:
            loader = stack.enter_context(open_run())
            feedback = _feedback(stack, loader)
            timed = training.timed(islice(loader, steps), feedback)
        if timed.digests != expected:
            raise ValueError(f"run {run} gave other rows than before")
        return timed.seconds

    def in_memory() -> float:
        return training.timed(kept, lambda step: None).seconds

    loaded: list[float] = []
    remembered: list[float] = []
    for turn in range(_WARM_UPS + repeats):
        ways = [(with_loader, loaded), (in_memory, remembered)]
        for way, seconds in ways if turn % 2 else reversed(ways):
            seconds.append(way() * 1e3)
        print(
            f"{run}: {f'turn {turn} of {repeats}' if turn else 'warm-up'}, ms a step: "
            f"{remembered[-1]:.2f} in memory, {loaded[-1]:.2f} with the loader",
            file=sys.stderr,
        )
    loader_ms = statistics.median(loaded[_WARM_UPS:])
    memory_ms = statistics.median(remembered[_WARM_UPS:])
    digest = f"{sum(expected) % (1 << 64):016x}"
    return Ratio(run, digest, loader_ms, memory_ms, loader_ms / memory_ms)


def _feedback(stack: ExitStack, loader: Loader) -> Callable[[Step], None]:
    feedback = stack.enter_context(FeedbackReporter(loader))
    return lambda step: feedback.progress(step.batch)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m sluice.bench.step", description=__doc__)
    parser.add_argument("--bootstrap", default="localhost:9092", help="HOST:PORT of the broker")
    parser.add_argument(
        "--run", action="append", help="of a service, read from its beginning; default: one of mine"
    )
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sequences", type=int, default=32, help="of a batch of the run of mine")
    parser.add_argument("--length", type=int, help="tokens of its sequences; default: 2048 or 64")
    parser.add_argument("--micro-batch", type=int, default=8)
    parser.add_argument(
        "--json", metavar="FILE", help="writes the result there; - is standard output"
    )
    return parser


def note(device: str, on_gpu: bool, parameters: int) -> str:
    """What was trained, and where."""
    trained = f"{parameters / 1e6:.1f} M parameters on {device}"
    return trained if on_gpu else f"{trained}: {_NO_GPU}"


def _table(result: Result) -> str:
    return "\n".join(
        [
            result.note,
            f"{'run':<24}{'in memory, ms':>16}{'with loader, ms':>18}{'ratio':>8}{'goal':>8}",
            *(
                f"{each.run:<24}{each.memory:>16.2f}{each.loader:>18.2f}{each.ratio:>8.4f}"
                f"{result.goal:>8}"
                for each in result.runs
            ),
        ]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints; 1 when it could not."""
    given = _arguments().parse_args(arguments)
    logging.getLogger("sluice").setLevel(logging.ERROR)  # a run is begun again on purpose
    try:
        result = _measured(given)
    except (SluiceError, ValueError, TimeoutError) as error:
        print(f"sluice.bench.step: {str(error) or type(error).__name__}", file=sys.stderr)
        return 1
    except ImportError as absent:
        print(f"sluice.bench.step needs the extra 'torch': {absent}", file=sys.stderr)
        return 1
    text = json.dumps(asdict(result))
    if given.json == "-":
        print(text, flush=True)
        return 0
    print(_table(result))
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    return 0


def _measured(given: argparse.Namespace) -> Result:
    import torch  # comes with the extra 'torch'

    from sluice.bench.training import Training

    prefix = "sluice." if given.run else f"sluice.bench.{uuid.uuid4().hex[:8]}."
    access = KafkaAccess(given.bootstrap, prefix)
    length = given.length or (2048 if torch.cuda.is_available() else 64)
    with ExitStack() as stack:
        runs: list[str | RunInfo] = given.run or [
            stack.enter_context(written(access, Shape(given.steps, given.sequences, length)))
        ]
        ratios: list[Ratio] = []
        for run in runs:
            open_run = _opening(run, access, given.micro_batch)
            with open_run() as loader:
                training = Training(loader.run.vocabulary, loader.run.sequence_length)
            name = run if isinstance(run, str) else "tokens"
            ratios.append(measure(training, name, open_run, given.steps, given.repeats))
        trained = training.device, training.on_gpu, training.parameters
        return Result(note(*trained), *trained, GOAL, ratios)


def _opening(run: str | RunInfo, access: KafkaAccess, micro_batch: int) -> Open:
    return lambda: Loader(
        run,
        micro_batch=micro_batch,
        bootstrap=access.bootstrap,
        prefix=access.prefix,
        timeout=_PATIENCE,
    )


if __name__ == "__main__":
    sys.exit(main())
