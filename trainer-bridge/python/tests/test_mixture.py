from __future__ import annotations

import random

import numpy as np
import pytest

from records import grant, supplied
from sluice.run.mixture import Granted, MixtureLedger
from sluice.run.run_timeline import RunTimeline
from sluice.run.supply import Supply
from writers import LENGTH, run_info

RUN = run_info(1, [6])
NOTHING = np.full(3, np.nan)


@pytest.mark.parametrize("seed", range(30))
def test_counts_every_batch_once_however_it_was_granted_and_asked_for(seed: int) -> None:
    rng = random.Random(seed)
    counts = [[rng.randrange(5) for _ in range(3)] for _ in range(30)]
    start = rng.randrange(30)
    ledger = MixtureLedger(RUN, start)
    granted, asked = 0, start
    while asked < 30:
        if granted <= asked or (granted < 30 and rng.random() < 0.5):
            to = rng.randrange(granted + 1, 31)
            body = grant(1, 0, granted, to, counts=counts[granted:to])["body"][1]
            body |= {"effectiveWeights": [to << 35, (32 - to) << 35, 0]}
            ledger.extend([Granted.of(0, body)], RunTimeline.of(RUN))
            granted = to
            continue
        asked = rng.randrange(asked + 1, granted + 1)
        for _ in range(2):
            found = ledger.at(asked)
            assert found is not None
            sequences = np.sum(counts[:asked], axis=0)
            assert found.tokens.tolist() == (sequences * LENGTH).tolist()
            assert found.sequences.tolist() == sequences.tolist()
            assert found.weights.sum() == 1.0
            assert found.weights[0] * 32 >= asked
    assert ledger.at(31) is None


def test_a_domain_s_blocks_are_known_once_all_its_lanes_ended() -> None:
    run = run_info(1, [6])
    run.spec["lanes"] = 2
    supply = Supply(run)
    supply.take(supplied("java", 5, ended=True, lane=0))
    supply.take(supplied("java", 4, ended=False, lane=1))
    supply.take(supplied("sql", 4, ended=True))
    supply.take(supplied("prose", 9, ended=True) | {"fingerprint": 1})
    supply.take(supplied("prose", 9, ended=True, lane=2))
    assert np.isnan(supply.blocks(run.domains)).all()
    supply.take(supplied("java", 4, ended=True, lane=1))
    assert supply.blocks([*run.domains, "new"])[0] == 9
    assert np.isnan(supply.blocks(run.domains)[1:]).all()
