"""One rank of several that gather their samples; a program of the tests."""

from __future__ import annotations

import sys

import torch

from sluice.run.rank import TrainerRank
from sluice.torch.samples import gather_samples

folder, rank, world = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.distributed.init_process_group(
    "gloo", init_method=f"file://{folder}/group", rank=rank, world_size=world
)
print(gather_samples(TrainerRank(rank, world), {"of": rank}))
