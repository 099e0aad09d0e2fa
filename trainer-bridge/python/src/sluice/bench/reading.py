"""Reads runs as a training loop does: whole batches as arrays, then progress."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Sequence

from sluice.bench.answering import answer
from sluice.feedback.reporter import FeedbackReporter
from sluice.stream.loader import Loader

_PATIENCE = 120.0


def main(arguments: Sequence[str]) -> int:
    """Reads every run that is asked for, as one rank of some."""
    bootstrap, rank, ranks = arguments
    logging.getLogger("sluice").setLevel(logging.ERROR)  # a run is begun again on purpose

    def read(run: str) -> Iterator[int]:
        with (
            Loader(
                run, dp=(int(rank), int(ranks)), bootstrap=bootstrap, timeout=_PATIENCE
            ) as steps,
            FeedbackReporter(steps) as feedback,
        ):
            for step in steps:
                yield step.whole.labels.size
                feedback.progress(step.batch)
            feedback.flush()

    answer(read)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
