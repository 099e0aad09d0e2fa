"""Batches as tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from sluice.batch import Batch


def tensors(batch: Batch, device: Any = None, pin: bool = False) -> dict[str, Any]:
    """The arrays of a batch as tensors on a device.

    ``inputs`` and ``labels`` [n, L] int64, ``loss_mask`` [n, L] bool, ``position_ids`` [n, L]
    int64, ``domains`` and ``index`` [n] int64, ``cu_seqlens`` [documents + 1] int32. Label i
    follows input i: they are shifted already. Tokens travel in their 2 or 4 bytes and are widened
    on the device. ``pin`` copies through page-locked memory, so that the transfer to a GPU runs
    beside the computation.
    """
    ids = _widened(batch.tokens, device, pin)
    return {
        "inputs": ids[:, :-1],
        "labels": ids[:, 1:],
        "loss_mask": _moved(batch.loss_mask, device, pin),
        "position_ids": _moved(batch.position_ids, device, pin).long(),
        "domains": _moved(batch.domains, device, pin),
        "index": _moved(batch.index, device, pin),
        "cu_seqlens": _moved(batch.cu_seqlens, device, pin),
    }


def _widened(ids: Any, device: Any, pin: bool) -> Any:
    """Unsigned tokens as int64: torch computes with signed integers only."""
    signed = ids.view(np.int16 if ids.itemsize == 2 else np.int32)
    wide = _moved(signed, device, pin).long()
    return wide & 0xFFFF if ids.itemsize == 2 else wide


def _moved(array: Any, device: Any, pin: bool) -> Any:
    tensor = torch.from_numpy(np.ascontiguousarray(array))
    if pin:
        tensor = tensor.pin_memory()
    return tensor.to(device, non_blocking=pin)
