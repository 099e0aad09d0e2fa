"""One rank of several that add up their labels; a program of the tests."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import torch

from sluice.torch import global_labels

folder, rank, world = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
step = pickle.loads((folder / f"{rank}.step").read_bytes())
torch.distributed.init_process_group(
    "gloo", init_method=f"file://{folder}/group", rank=rank, world_size=world
)
print(global_labels(step))
