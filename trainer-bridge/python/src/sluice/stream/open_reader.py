"""Readers of a run, by how it is delivered."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sluice.cache.folder import cache_folder
from sluice.kafka.access import KafkaAccess
from sluice.run.control import ControlLog
from sluice.run.info import RunInfo
from sluice.run.log import RunLog
from sluice.run.rank import TrainerRank
from sluice.run.sets import KafkaSets
from sluice.run.supply import KafkaSupply
from sluice.segment.topic import KafkaSegments, store_of
from sluice.stream.batch_reader import BatchReader
from sluice.stream.derived import DerivedReader
from sluice.stream.reader import StreamReader
from sluice.stream.source import KafkaSource

_STATUS_SECONDS = 5.0


def open_reader(
    access: KafkaAccess,
    run: RunInfo,
    rank: TrainerRank,
    buffer_bytes: int,
    gap_timeout: float,
    cache: Path | None,
) -> BatchReader[Any]:
    """A reader before the run's first batch; of a stream with so large a buffer of its own, of a
    run without one through this cache, or that of the environment."""
    derived = run.is_derived
    log = RunLog(access, run.run_id)
    control = ControlLog(run, lambda: log)
    about = rank, KafkaSupply(access, run), KafkaSets(access)
    if derived:
        return DerivedReader(
            run,
            control,
            KafkaSegments(access, run),
            store_of(access, run, cache_folder(cache, os.environ)),
            *about,
            gap_timeout=gap_timeout,
            status_interval=_STATUS_SECONDS,
        )
    return StreamReader(
        run,
        KafkaSource(access, run, buffer_bytes),
        control,
        *about,
        gap_timeout=gap_timeout,
        status_interval=_STATUS_SECONDS,
    )
