"""The labels that a step's loss is divided by."""

from __future__ import annotations

from typing import Any

import torch

from sluice.errors import InvalidWorldSize
from sluice.stream.batch import Step


def global_labels(step: Step, group: Any = None) -> int:
    """Labels of a step's global batch that count in the loss, those of all ranks.

    A rank of several has only its own rows: the ranks of ``group``, by default all, add theirs up,
    so each of them calls this once a step. A loss that is summed over labels, divided by this, and
    summed over ranks is the mean over the labels of the global batch. DistributedDataParallel takes
    the mean of its ranks' gradients, so there the loss is multiplied by their number, too.
    """
    own, rows = int(step.whole.label_counts.sum()), len(step.whole)
    if rows == step.info.rows:
        return own
    if not torch.distributed.is_initialized():
        raise InvalidWorldSize(
            f"this rank has {rows} of the {step.info.rows} rows of batch {step.batch}: call "
            "torch.distributed.init_process_group first, so that the ranks can add up their labels"
        )
    on_gpu = "nccl" in torch.distributed.get_backend(group)
    sums = torch.tensor([own, rows], dtype=torch.int64, device="cuda" if on_gpu else "cpu")
    torch.distributed.all_reduce(sums, group=group)
    labels, found = sums.tolist()
    if found != step.info.rows:
        raise InvalidWorldSize(
            f"the ranks that add up their labels must have the {step.info.rows} rows of batch "
            f"{step.batch} between them: {found}; give group= the data-parallel ranks"
        )
    return int(labels)
