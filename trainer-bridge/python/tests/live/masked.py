"""Prints the labels that count in the loss of each batch of a run up to one, as a list in JSON."""

from __future__ import annotations

import argparse
import json

import sluice


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--last", type=int, required=True)
    given = parser.parse_args()
    run = given.run
    with sluice.Loader(run, bootstrap=given.bootstrap, attach=False, timeout=60.0) as steps:
        labels = [int(steps.next().whole.label_counts.sum()) for _ in range(given.last)]
    print(json.dumps(labels))


if __name__ == "__main__":
    main()
