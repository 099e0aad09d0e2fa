"""Batches as tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from sluice.stream.batch import Batch
from sluice.stream.rows import Rows


def tensors(rows: Rows, device: Any = None, pin: bool = False) -> dict[str, Any]:
    """The arrays of a batch as tensors on a device.

    ``inputs`` and ``labels`` [n, L] int64, ``loss_mask`` [n, L] bool, ``position_ids`` [n, L]
    int64, ``cu_seqlens`` [documents + 1] int32; of a :class:`~sluice.Batch` also ``domains`` and
    ``index`` [n] int64. Label i follows input i: they are shifted already. Tokens travel in their
    2 or 4 bytes and are widened on the device. ``pin`` copies through page-locked memory, so that
    the transfer to a GPU runs beside the computation.
    """
    ids = _widened(rows.tokens, device, pin)
    found = {
        "inputs": ids[:, :-1],
        "labels": ids[:, 1:],
        "loss_mask": _moved(rows.loss_mask, device, pin),
        "position_ids": _moved(rows.position_ids, device, pin).long(),
        "cu_seqlens": _moved(rows.cu_seqlens, device, pin),
    }
    if isinstance(rows, Batch):
        found["domains"] = _moved(rows.domains, device, pin)
        found["index"] = _moved(rows.index, device, pin)
    return found


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
