"""``python -m checker``: README.md says how, and what it checks."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from checker.check import Bounds, check
from checker.history import History
from checker.kafka import KafkaTopics

BROKEN = 3
"""The exit code if a rule is; Python itself ends with 1 or 2 if something is wrong here."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="checker", description="Check a service's topics.")
    parser.add_argument("--kafka", required=True, metavar="HOST:PORT")
    parser.add_argument("--prefix", default="sluice.", help="of the topics (default: sluice.)")
    parser.add_argument(
        "--history", nargs="+", type=Path, required=True, metavar="FILE", help="JSON lines"
    )
    parser.add_argument("--run", metavar="ID", help="check this run only (default: all)")
    parser.add_argument("--json", type=Path, metavar="OUT", help="also write the report here")
    parser.add_argument(
        "--flow-within",
        type=float,
        default=60,
        metavar="SECONDS",
        help="for a new batch of each run after the last fault (default: 60)",
    )
    parser.add_argument(
        "--clocks-differ",
        type=float,
        default=0,
        metavar="SECONDS",
        help="clocks of two processes may differ by as much (default: 0)",
    )
    given = parser.parse_args()
    history = History.read(given.history)
    bounds = Bounds(int(given.flow_within * 1000), int(given.clocks_differ * 1000))
    report = check(KafkaTopics(given.kafka, given.prefix), history, bounds, given.run)
    for finding in report.findings:
        print(finding)
    for key, count in report.more.items():
        print(f"{key}: {count} more")
    for run in report.gone:
        print(f"not checked: {run} has no log any more")
    counted = ", ".join(f"{count} {name}" for name, count in report.checked.items())
    found = len(report.findings) + sum(report.more.values())
    print(f"checked {counted}: {found} findings")
    if given.json:
        given.json.write_text(json.dumps(report.json(), indent=2) + "\n", encoding="utf-8")
    return 0 if report.holds() else BROKEN


if __name__ == "__main__":
    sys.exit(main())
