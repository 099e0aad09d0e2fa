"""Sluice for PyTorch: tensors, a dataset, evaluation, alignment. Needs the extra ``torch``."""

try:
    import torch  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "sluice.torch needs PyTorch: install this package with its extra 'torch'", name="torch"
    ) from error

from sluice.torch.alignment import Alignment, GradientAlignment
from sluice.torch.dataset import StreamDataset
from sluice.torch.evaluation import DomainEvaluator, merge_over_ranks
from sluice.torch.labels import global_labels
from sluice.torch.moments import GradientMoments, Moments
from sluice.torch.products import GradientProducts
from sluice.torch.reporting import StepFeedback
from sluice.torch.tensors import tensors

__all__ = [
    "Alignment",
    "DomainEvaluator",
    "GradientAlignment",
    "GradientMoments",
    "GradientProducts",
    "Moments",
    "StepFeedback",
    "StreamDataset",
    "global_labels",
    "merge_over_ranks",
    "tensors",
]
