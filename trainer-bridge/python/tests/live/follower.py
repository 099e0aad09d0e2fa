"""A trainer without a model that tells of each step, and goes on after whatever it can.

Prints a line for each step (``step``, batch, timeline), for the first time that a batch stays away
(``stalled``), for a rewind (``rewound``, batch, timeline), for batches that are gone (``gone``, the
oldest batch), and ``done`` after the last one.
"""

from __future__ import annotations

import argparse
import sys

from scripted import ROUND, losses

import sluice


def follow(steps: sluice.Loader, feedback: sluice.FeedbackReporter, last: int, rest: int) -> None:
    """Trains up to a batch, from the newest checkpoint that still stands after each rewind.

    After batch ``rest`` it waits for a line of standard input.
    """
    kept = {steps.batch: steps.state_dict()}
    told = False
    while steps.batch < last:
        try:
            step = steps.next()
        except sluice.StreamStalled as stalled:
            if not told:
                print("stalled", stalled, flush=True)
            told = True
            continue
        except sluice.Rewound as rewound:
            print("rewound", rewound.batch, rewound.timeline, flush=True)
            kept = {batch: state for batch, state in kept.items() if batch <= rewound.batch}
            steps.load_state_dict(kept[max(kept)])
            continue
        kept[step.batch] = steps.state_dict()
        if step.info.closes_round:
            report(steps, feedback, step.batch)
        feedback.progress(step.batch)
        print("step", step.batch, step.info.timeline, flush=True)
        if step.batch == rest:
            sys.stdin.readline()
            rest = 0


def report(steps: sluice.Loader, feedback: sluice.FeedbackReporter, step: int) -> None:
    feedback.eval_loss(step, losses(steps.run, step), attempt=ROUND.format(step))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--last", type=int, required=True)
    parser.add_argument("--from-batch", type=int)
    parser.add_argument("--rest-after", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=60.0)
    given = parser.parse_args()
    with (
        sluice.Loader(given.run, bootstrap=given.bootstrap, timeout=given.timeout) as steps,
        sluice.FeedbackReporter(steps) as feedback,
    ):
        try:
            if given.from_batch is None:
                report(steps, feedback, 0)
            else:
                steps.seek_to_batch(given.from_batch)
            follow(steps, feedback, given.last, given.rest_after)
        except sluice.BatchNoLongerRetained as gone:
            print("gone", gone.oldest, gone, flush=True)
            return
        feedback.flush()
        print("done", flush=True)


if __name__ == "__main__":
    main()
