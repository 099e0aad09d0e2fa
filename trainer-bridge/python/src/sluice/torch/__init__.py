"""Sluice for PyTorch: tensors, a dataset, evaluation, alignment. Needs the extra ``torch``."""

from sluice.torch.tensors import tensors

__all__ = ["tensors"]
