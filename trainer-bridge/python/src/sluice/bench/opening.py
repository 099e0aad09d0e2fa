"""Times how long a trainer of a run takes to open, imports left out, for ``sluice bench age``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence

from sluice.stream.loader import Loader


def main(arguments: Sequence[str] | None = None) -> int:
    """Opens a run at a state again and again; prints the seconds of each time but the first."""
    parser = argparse.ArgumentParser("python -m sluice.bench.opening", description=__doc__)
    parser.add_argument("--bootstrap", required=True, help="HOST:PORT of the broker")
    parser.add_argument("--run", required=True)
    parser.add_argument("--state", required=True, help="JSON that the trainer's checkpoint keeps")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args(arguments)
    state = json.loads(given.state)
    wall, processor = [], []
    for turn in range(given.repeats + 1):
        used, start = time.process_time(), time.perf_counter()
        with Loader(given.run, bootstrap=given.bootstrap, attach=False) as loader:
            loader.load_state_dict(state)
            taken = time.perf_counter() - start, time.process_time() - used
        if turn > 0:
            wall.append(taken[0])
            processor.append(taken[1])
    print(json.dumps({"wall": wall, "processor": processor}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
