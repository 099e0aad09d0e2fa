"""``python first_step.py SLUICE PROJECT HOME``: from nothing to the first trained step."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import sluice

DATASET = """
dataset: small
tokenizer: bytes
sequence-length: 128 tokens
domains: [pages, code]
"""
RUN = """
run: first
dataset: small
batch: 8 sequences
initial-weights: uniform
policy: static
"""


def main(command: str, project: Path, home: Path) -> None:
    home.mkdir(parents=True)
    (home / "dataset.yaml").write_text(DATASET)
    (home / "run.yaml").write_text(RUN)
    with sluice.up(home=home) as service:

        def types(*words: object) -> None:
            subprocess.run(
                [command, *map(str, words)],
                env={**os.environ, "SLUICE_HOME": str(home)},
                check=True,
            )

        types("dataset", "apply", "-f", home / "dataset.yaml")
        types("ingest", "--domain", "pages", "--end", project / "docs")
        types("ingest", "--domain", "code", "--end", project / "schemas" / "src" / "main")
        types("run", "apply", "-f", home / "run.yaml")
        with (
            sluice.Loader("first", bootstrap=service.kafka, timeout=600) as steps,
            sluice.FeedbackReporter(steps) as feedback,
        ):
            step = next(iter(steps))
            assert step.whole.tokens.shape == (8, 129)
            sluice.ProgressReporter(feedback, every=1).trained(step.batch)
            feedback.flush()
    print(f"trained step {step.batch} of run first")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
