from __future__ import annotations

import random

import numpy as np
import pytest

from senders import MemorySender
from sluice import wire
from sluice.errors import InvalidFeedback
from sluice.feedback.encoder import FeedbackEncoder
from sluice.feedback.reporter import FeedbackReporter
from sluice.feedback.totals import DomainTotals
from writers import run_info

RUN = run_info(1, [4])
RECORD = {
    "runId": "r-1",
    "timeline": 1,
    "step": 1 << 40,
    "trainerStep": -1,
    "attempt": "nonce",
    "worldSize": 8,
    "rank": 3,
    "metric": "eval_loss",
    "timeMillis": 42,
}


@pytest.mark.parametrize("seed", range(20))
def test_columns_are_encoded_as_avro_says(seed: int) -> None:
    rng = random.Random(seed)
    names = ["é" * rng.randrange(1, 200) + str(i) for i in range(100)]
    encoder = FeedbackEncoder()
    for _ in range(5):
        some = rng.sample(names, rng.randrange(1, len(names)))
        sums = [rng.uniform(-1, 1) * 10.0 ** rng.randrange(-300, 300) for _ in some]
        counts = [rng.randrange(1, 1 << rng.randrange(1, 64)) for _ in some]
        entries = [
            {"domain": name, "sum": total, "count": count}
            for name, total, count in zip(some, sums, counts, strict=True)
        ]
        encoded = encoder.encode(RECORD, DomainTotals(some, sums, counts))
        assert encoded == wire.encode("TrainerFeedback", RECORD | {"entries": entries})


def test_totals_are_a_mapping_of_what_was_measured_then() -> None:
    sums, counts = np.array([1.5, 2.5]), np.array([3, 4])
    totals = DomainTotals(["java", "prose"], sums, counts)
    sums[:], counts[:] = 0, 0
    assert totals == {"java": (1.5, 3), "prose": (2.5, 4)}
    assert totals["prose"] == (2.5, 4)
    assert "sql" not in totals
    assert repr(totals) == "DomainTotals({'java': (1.5, 3), 'prose': (2.5, 4)})"
    with pytest.raises(ValueError, match="read-only"):
        totals.sums[0] = 7
    assert DomainTotals.of(totals) is totals


def test_what_is_sent_is_what_was_measured_at_the_call() -> None:
    sender = MemorySender()
    measured = {"java": (1.0, 2)}
    with FeedbackReporter(RUN, sender=sender) as feedback:
        feedback.eval_loss(1, measured)
        measured["java"] = (9.0, 9)
        feedback.eval_loss(2, DomainTotals(RUN.domains, [1, 2, 3], [4, 5, 6]))
    entries = [wire.decode(value)[1]["entries"] for _, _, value in sender.sent]
    assert entries[0] == [{"domain": "java", "sum": 1.0, "count": 2}]
    assert [entry["domain"] for entry in entries[1]] == list(RUN.domains)
    assert [entry["count"] for entry in entries[1]] == [4, 5, 6]


def test_refuses_another_number_of_values_than_domains() -> None:
    with pytest.raises(InvalidFeedback) as refused:
        DomainTotals(RUN.domains, [1.0], [1, 2, 3])
    assert str(refused.value) == (
        "sums and counts must have one value for each of the 3 domains: shapes (1,) and (3,)"
    )
    with pytest.raises(InvalidFeedback, match="counts must be integers: float64"):
        DomainTotals(RUN.domains, [1, 2, 3], [1.0, 2.0, 3.5])


@pytest.mark.parametrize("value", [(1.0,), 3.0, ("one", 1), (1.0, 1 << 63), (1.0, float("nan"))])
def test_refuses_what_is_not_a_sum_and_a_count(value: object) -> None:
    with pytest.raises(InvalidFeedback, match=r"domains must have a \(sum, count\) each"):
        DomainTotals.of({"java": value})  # type: ignore[dict-item]


def test_refuses_a_domain_that_is_named_twice() -> None:
    twice = DomainTotals(["java", "java"], [1.0, 2.0], [1, 1])
    with pytest.raises(InvalidFeedback, match="a measurement must name each domain once"):
        FeedbackReporter(RUN, sender=MemorySender()).eval_loss(1, twice)
