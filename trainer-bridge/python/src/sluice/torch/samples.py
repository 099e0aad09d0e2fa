"""Samples of trained rows in the checkpoints of frameworks: each rank has its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from sluice.run.rank import TrainerRank

_FILE = "sluice-rank-{rank}.pt"


def write_sample(folder: Path, own: TrainerRank, state: dict[str, Any]) -> None:
    """Keeps a rank's sample in a checkpoint's folder, if it has one; one replica does it."""
    if state and own.reports:
        folder.mkdir(parents=True, exist_ok=True)
        torch.save(state, folder / _FILE.format(rank=own.rank))


def read_sample(folder: Path, own: TrainerRank) -> dict[str, Any]:
    """What a rank kept; empty in a world that did not have the rank."""
    file = folder / _FILE.format(rank=own.rank)
    if not file.exists():
        return {}
    state: dict[str, Any] = torch.load(file, weights_only=True)
    return state


def gather_samples(own: TrainerRank, state: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """The samples of all ranks by rank, for the process that writes a checkpoint; others have their
    own alone. All ranks call it, or none has a sample."""
    if own.world_size == 1 or not state:
        return {own.rank: state}
    writes = torch.distributed.get_rank() == 0
    gathered: list[Any] = [None] * torch.distributed.get_world_size()
    torch.distributed.gather_object((own.rank, state), gathered if writes else None)
    return dict(gathered) if writes else {own.rank: state}
