"""Which attempt wins: section 19 of docs/protocol.md."""

from __future__ import annotations

import math
from typing import Any

Report = dict[str, Any]
ATTEMPTS = 16
RANKS = 1 << 16


class Step:
    """Reports of one step in one timeline, in the order of the log."""

    def __init__(self) -> None:
        self.metrics: dict[str, dict[str, dict[int, Report]]] = {}
        self.won: dict[str, str] = {}

    def take(self, report: Report) -> str:
        metric, attempt, rank = report["metric"], report["attempt"], report["rank"]
        attempts = self.metrics.setdefault(metric, {})
        if metric in self.won:
            return "decided"
        if len(attempts) == ATTEMPTS and attempt not in attempts:
            alone = [name for name, ranks in attempts.items() if len(ranks) == 1]
            if not alone:
                return "too-many"
            del attempts[alone[0]]
        ranks = attempts.get(attempt, {})
        if any(other["worldSize"] != report["worldSize"] for other in ranks.values()):
            return "world-size-differs"
        if rank in ranks:
            return "duplicate"
        attempts.setdefault(attempt, {})[rank] = report
        if len(attempts[attempt]) == report["worldSize"]:
            self.won[metric] = attempt
        return "counted"


def stands(report: Report, every: int) -> bool:
    """Whether a report can be judged at all, whatever the run's timelines."""
    sums = [(each["sum"], each["count"]) for each in report["entries"]]
    named = [each["domain"] for each in report["entries"]]
    return (
        0 <= report["rank"] < report["worldSize"] <= RANKS
        and report["step"] >= 0
        and (every == 0 or report["step"] % every == 0)
        and len(set(named)) == len(named)
        and all(math.isfinite(total) and count >= 0 for total, count in sums)
    )
