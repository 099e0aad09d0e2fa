"""A small stream for the tests of ``sluice.torch``, and ranks in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from records import started
from sluice.run.rank import TrainerRank
from sluice.stream.assembler import WHOLE
from sluice.stream.loader import Loader
from writers import MemorySource, TestingStream, reader_over

SIZES = [4, 4, 6, 4]
STREAM = TestingStream(2, SIZES, batches=4)
VOCABULARY = 11


def loader(micro_batch: int | None = 2, rank: TrainerRank = WHOLE) -> Loader:
    source = MemorySource(2, waits=True)
    source.write(STREAM.sequences)
    reader = reader_over(source, STREAM.run, [started(STREAM.run)], rank)
    return Loader.over(reader, micro_batch=micro_batch)


def ranks_of(program: str, folder: Path) -> list[str]:
    """What two ranks print, in processes of their own."""
    file = Path(__file__).parent / program
    ranks = [
        subprocess.Popen(
            [sys.executable, str(file), str(folder), str(rank), "2"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    return [rank.communicate()[0] for rank in ranks]
