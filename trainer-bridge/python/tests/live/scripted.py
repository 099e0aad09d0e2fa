"""A trainer without a model: takes every step of a run and reports losses that a formula gives.

Prints, as JSON, the sequences of each domain in every batch, and the weights.
"""

from __future__ import annotations

import argparse
import json

import sluice

ROUND = "step-{}"


def losses(run: sluice.RunInfo, step: int) -> dict[str, tuple[float, int]]:
    """Domain ``medium`` learns slowest."""
    return {
        name: (1000 * (4 - step * (0.001 if name == "medium" else 0.02)), 1000)
        for name in run.domains
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--kafka-config")
    given = parser.parse_args()
    config = sluice.kafka_config(given.kafka_config) if given.kafka_config else {}
    batches = []
    with (
        sluice.Loader(
            given.run, bootstrap=given.bootstrap, config=config, metrics=["eval_loss"]
        ) as steps,
        sluice.FeedbackReporter(steps) as feedback,
    ):
        feedback.eval_loss(0, losses(steps.run, 0), attempt=ROUND.format(0))
        for step in steps:
            info = step.info
            names = [info.domain_names[domain] for domain in step.whole.domains]
            weights = None if info.weights is None else info.weights.tolist()
            batches.append({"domains": names, "weights": weights})
            if info.closes_round:
                attempt = ROUND.format(step.batch)
                feedback.eval_loss(step.batch, losses(steps.run, step.batch), attempt=attempt)
            feedback.progress(step.batch)
        feedback.flush()
    print(json.dumps(batches))


if __name__ == "__main__":
    main()
