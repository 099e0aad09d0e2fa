"""A trainer that holds a rank until another process takes it."""

from __future__ import annotations

import argparse
import threading

import sluice

parser = argparse.ArgumentParser()
parser.add_argument("--bootstrap", required=True)
parser.add_argument("--run", required=True)
given = parser.parse_args()

with sluice.Loader(given.run, bootstrap=given.bootstrap) as steps:
    steps.next(60)
    claim, never = steps._claim, threading.Event()
    assert claim is not None
    while not claim.published:
        never.wait(0.05)
    print("holds the rank", flush=True)
    try:
        while not never.wait(0.05):
            steps.require_held()
    except sluice.RankTaken as taken:
        print(taken, flush=True)
