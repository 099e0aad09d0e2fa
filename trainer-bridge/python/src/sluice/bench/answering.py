"""How a reader in a process of its own is asked and answers, for ``sluice bench end-to-end``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable


def answer(read: Callable[[str], Iterable[int]]) -> None:
    """Reads what each line of standard input asks for, until nobody can ask any more.

    ``read`` gives the tokens of each batch as it is there. The answer is a line of JSON: all
    tokens, and how many a second from the first batch to the last.
    """
    for asked in sys.stdin:
        tokens = of_first = 0
        start = 0.0
        for count in read(asked.strip()):
            tokens += count
            if not start:
                start, of_first = time.perf_counter(), count
        rate = (tokens - of_first) / (time.perf_counter() - start)
        print(json.dumps({"tokens": tokens, "perSecond": rate}), flush=True)
