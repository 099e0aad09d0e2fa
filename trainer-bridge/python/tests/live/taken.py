"""A trainer without a model that writes down what it takes: a line for each sequence.

A line is the timeline, the batch, the index, the domain and the SHA-256 of the sequence's tokens.
It begins at a trainer's state, or at the run's first batch, and leaves its own state behind.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import sluice

PACE = {"code": 0.001, "notes": 0.01, "prose": 0.02}


def report(steps: sluice.Loader, feedback: sluice.FeedbackReporter, step: int) -> None:
    """Held-out losses that fall at a pace of each domain's own."""
    domains = steps.run_at(step + 1).domains
    totals = {name: (1000 * (4 - step * PACE.get(name, 0.01)), 1000) for name in domains}
    feedback.eval_loss(step, totals, attempt=f"step-{step}")


def write_down(step: sluice.Step) -> None:
    whole = step.whole
    for index, domain, tokens in zip(whole.index, whole.domains, whole.tokens, strict=True):
        name = step.info.domain_names[domain]
        digest = hashlib.sha256(tokens.tobytes()).hexdigest()
        print(step.info.timeline, step.batch, index, name, digest, sep=",", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--last", type=int, required=True)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    given = parser.parse_args()
    with (
        sluice.Loader(
            given.run, bootstrap=given.bootstrap, metrics=["eval_loss"], cache=given.cache
        ) as steps,
        sluice.FeedbackReporter(steps) as feedback,
    ):
        if given.state.exists():
            steps.load_state_dict(json.loads(given.state.read_text()))
        else:
            report(steps, feedback, steps.batch)
        while steps.batch < given.last:
            step = steps.next()
            write_down(step)
            if step.info.closes_round:
                report(steps, feedback, step.batch)
            feedback.progress(step.batch)
        feedback.flush()
        given.state.write_text(json.dumps(steps.state_dict()) + "\n")


if __name__ == "__main__":
    main()
