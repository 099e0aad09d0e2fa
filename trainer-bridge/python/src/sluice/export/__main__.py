"""The command that exports a run."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence

from sluice import export
from sluice.errors import SluiceError
from sluice.export.exporter import OpenSink
from sluice.export.exporter import export as export_run
from sluice.export.mlflow_run import MlflowRun
from sluice.export.tensorboard_events import TensorBoardEvents
from sluice.export.wandb_run import WandbRun
from sluice.kafka.access import KafkaAccess
from sluice.kafka.properties import kafka_config
from sluice.run.heaviest import TOP

_INTERRUPTED = 130


def _top(given: str) -> int | None:
    if given == "all":
        return None
    if not given.isdecimal():
        raise argparse.ArgumentTypeError(f"must be a whole number from 0, or all: '{given}'")
    return int(given)


def _variable(name: str, otherwise: str) -> str:
    return os.environ.get(name) or otherwise


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m sluice.export", description=export.__doc__)
    parser.add_argument("run", metavar="RUN", help="its name")
    sinks = parser.add_mutually_exclusive_group(required=True)
    sinks.add_argument("--tensorboard", metavar="DIR", help="event files in DIR/<run id>")
    sinks.add_argument("--wandb", metavar="PROJECT", help="or ENTITY/PROJECT; WANDB_MODE=offline")
    sinks.add_argument("--mlflow", metavar="URI", help="of a tracking server or store")
    parser.add_argument("--follow", action="store_true", help="go on until the run is over")
    parser.add_argument(
        "--granted",
        action="store_true",
        help="at the end, also batches that are granted and that trainers have not reported",
    )
    parser.add_argument(
        "--top",
        type=_top,
        default=TOP,
        metavar="N",
        help=f"domains of each batch with keys of their own, or all (default: {TOP})",
    )
    parser.add_argument(
        "--kafka",
        default=_variable("SLUICE_KAFKA", "localhost:9092"),
        metavar="HOST:PORT",
        help="default: $SLUICE_KAFKA, else localhost:9092",
    )
    parser.add_argument(
        "--kafka-config",
        default=_variable("SLUICE_KAFKA_CONFIG", ""),
        metavar="FILE",
        help="properties, as of sluice (default: $SLUICE_KAFKA_CONFIG)",
    )
    parser.add_argument(
        "--prefix",
        default=_variable("SLUICE_PREFIX", "sluice."),
        metavar="P",
        help="of the topics' names (default: $SLUICE_PREFIX, else sluice.)",
    )
    return parser


def _sink(given: argparse.Namespace) -> OpenSink:
    sinks: dict[str, Callable[..., OpenSink]] = {
        "tensorboard": lambda folder: lambda run: TensorBoardEvents(folder, run),
        "wandb": lambda project: lambda run: WandbRun(project, run),
        "mlflow": lambda uri: lambda run: MlflowRun(uri, run),
    }
    return next(made(vars(given)[key]) for key, made in sinks.items() if vars(given)[key])


def main(arguments: Sequence[str] | None = None) -> int:
    """Exports; 1 when it could not, 130 when it was interrupted, and goes on when it is called
    again."""
    parser = _arguments()
    given = parser.parse_args(arguments)
    if not (given.tensorboard or given.wandb or given.mlflow):
        parser.error("--tensorboard, --wandb and --mlflow must not be ''")
    logging.basicConfig(format="%(asctime)s %(message)s")
    logging.getLogger("sluice").setLevel(logging.INFO)
    try:
        config = kafka_config(given.kafka_config) if given.kafka_config else {}
        access = KafkaAccess(given.kafka, given.prefix, config)
        said = export_run(
            given.run,
            _sink(given),
            access,
            follow=given.follow,
            granted=given.granted,
            top=given.top,
        )
    except (SluiceError, ValueError, OSError) as error:
        print(f"sluice.export: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("sluice.export: interrupted; the same command goes on", file=sys.stderr)
        return _INTERRUPTED
    print(said)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that what was taken is written
    sys.exit(main())
