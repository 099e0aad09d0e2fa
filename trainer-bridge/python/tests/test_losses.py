from __future__ import annotations

import random
from fractions import Fraction

import pytest

from sluice.errors import InvalidFeedback
from sluice.feedback.losses import DomainSums, train_loss

DOMAINS = ("java", "prose", "config")


@pytest.mark.parametrize("seed", range(50))
def test_ranks_merge_to_the_bits_that_one_rank_has(seed: int) -> None:
    rng = random.Random(seed)
    rows = 24
    losses = [rng.uniform(-1, 1) * 10.0 ** rng.randrange(-9, 9) for _ in range(rows)]
    ids = [rng.randrange(-1, 3) for _ in range(rows)]
    counts = [rng.randrange(0, 2048) for _ in range(rows)]
    whole = train_loss(losses, ids, counts, DOMAINS)
    world = rng.choice([2, 3, 4, 8])
    each = rows // world
    ranks = [
        train_loss(losses[at : at + each], ids[at : at + each], counts[at : at + each], DOMAINS)
        for at in range(0, rows, each)
    ]
    rng.shuffle(ranks)
    merged = DomainSums(DOMAINS).merge(ranks)
    assert merged.totals() == whole.totals()
    for domain, (total, count) in whole.totals().items():
        own = [i for i in range(rows) if ids[i] == DOMAINS.index(domain) and counts[i] > 0]
        assert total == float(sum((Fraction(losses[i]) for i in own), Fraction(0)))
        assert count == sum(counts[i] for i in own)


def test_sums_of_a_run_that_was_given_domains_go_on() -> None:
    sums = train_loss([6.0], [0], [2], DOMAINS[:1])
    wider = sums.widened(DOMAINS).merge([train_loss([1.0, 2.0], [0, 2], [1, 1], DOMAINS)])
    assert wider.totals() == {"java": (7.0, 3), "config": (2.0, 1)}
    assert sums.totals() == {"java": (6.0, 2)}
    with pytest.raises(ValueError, match="are not the first of"):
        wider.widened(["java"])


def test_means_are_per_label_and_rows_without_labels_do_not_count() -> None:
    sums = train_loss([6.0, 2.0, 9.0, 1.0], [0, 0, -1, 1], [2, 2, 0, 0], DOMAINS)
    assert sums.means() == {"java": 2.0}
    assert sums.totals() == {"java": (8.0, 4)}


def test_refuses_what_does_not_fit() -> None:
    with pytest.raises(InvalidFeedback, match=r"one for each row: shapes \(2,\), \(1,\), \(2,\)"):
        train_loss([1.0, 2.0], [0], [1, 1], DOMAINS)
    with pytest.raises(InvalidFeedback, match=r"domain id must be in \[-1, 2\]: 3"):
        train_loss([1.0], [3], [1], DOMAINS)
    with pytest.raises(InvalidFeedback, match="sum of domain 'prose' must be finite: nan"):
        train_loss([float("nan")], [1], [1], DOMAINS)
    with pytest.raises(ValueError, match="are not"):
        DomainSums(DOMAINS).merge([DomainSums(["java"])])
