"""A run as a dataset for ``torch.utils.data.DataLoader`` and what is built on it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any

import torch
from torch.utils.data import IterableDataset, get_worker_info

from sluice.errors import UnsuitableDataLoader
from sluice.stream.batch import Batch
from sluice.stream.loader import Loader
from sluice.torch.labels import global_labels
from sluice.torch.tensors import tensors

_SHARDED = (
    "the Loader's rows are this rank's alone already (dp=(rank, world size)), and {name} of "
    "{package} would share them out over {processes} processes again: do not prepare this "
    "DataLoader (transformers.Trainer: return it from get_train_dataloader as it is)"
)
_SKIPPED = (
    "{name} of {package} would read and drop {skipped} batches to get to where the training was: "
    "give the Loader its state with load_state_dict instead, and set ignore_data_skip=True "
    "(transformers.Trainer) or leave out skip_first_batches (Accelerate)"
)
_WORKERS = (
    "a Loader cannot be used in worker {worker} of a DataLoader: set num_workers=0, the Loader "
    "fetches in a thread of its own"
)
_COLLATED = (
    "a StreamDataset yields micro-batches, which a DataLoader with a batch size would stack: set "
    "batch_size=None, and the rows of a micro-batch with Loader(micro_batch=...)"
)


class StreamDataset(IterableDataset[dict[str, Any]]):
    """The micro-batches of a loader, one after the other, as dictionaries of tensors.

    For ``DataLoader(dataset, batch_size=None)``. ``state_dict`` is the position after the last step
    of which all micro-batches were handed out; a step that was cut short is handed out again.
    ``device`` and ``pin`` are those of :func:`sluice.torch.tensors`, whose result ``form`` may turn
    into what a model takes. With ``labels``, each has ``step_labels``, the labels of its global
    batch (:func:`sluice.torch.global_labels`), to divide a summed loss by.
    """

    def __init__(
        self,
        loader: Loader,
        device: Any = None,
        pin: bool = False,
        form: Callable[[dict[str, Any]], dict[str, Any]] = dict,
        labels: bool = False,
    ) -> None:
        super().__init__()
        self._loader = loader
        self._device = device
        self._pin = pin
        self._form = form
        self._labels = labels
        self._state = loader.state_dict()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        _require_plain_use()
        for step in self._loader:
            more = {"step_labels": torch.tensor(global_labels(step))} if self._labels else {}
            for part in step[:-1]:
                yield self._formed(part, more)
            self._state = self._loader.state_dict()
            yield self._formed(step[-1], more)

    def _formed(self, part: Batch, more: Mapping[str, Any]) -> dict[str, Any]:
        return self._form({**tensors(part, self._device, self._pin), **more})

    def state_dict(self) -> dict[str, Any]:
        """Position after the last step that was handed out whole, the same on every rank."""
        return dict(self._state)

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on after the step that the state was taken at, whatever the world size was."""
        self._loader.load_state_dict(state)
        self._state = self._loader.state_dict()


def _require_plain_use() -> None:
    """Fails if what iterates over the dataset would not hand on every batch once."""
    worker = get_worker_info()
    if worker is not None:
        raise UnsuitableDataLoader(_WORKERS.format(worker=worker.id))
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        caller = frame.f_locals.get("self")
        if caller is not None:
            _require_suitable(caller)
        frame = frame.f_back


def _require_suitable(caller: Any) -> None:
    """Accelerate and transformers tell nobody that they shard or skip; their classes do."""
    kind = type(caller)
    package = kind.__module__.partition(".")[0]
    if kind.__name__ == "_IterableDatasetFetcher" and getattr(caller, "auto_collation", False):
        raise UnsuitableDataLoader(_COLLATED)
    if package not in ("accelerate", "transformers"):
        return
    skipped = getattr(caller, "skip_batches", 0)
    if skipped:
        raise UnsuitableDataLoader(
            _SKIPPED.format(name=kind.__name__, package=package, skipped=skipped)
        )
    if kind.__name__ in ("IterableDatasetShard", "DataLoaderDispatcher"):
        state = getattr(caller, "state", None)
        processes = getattr(caller, "num_processes", getattr(state, "num_processes", 1))
        if processes > 1:
            raise UnsuitableDataLoader(
                _SHARDED.format(name=kind.__name__, package=package, processes=processes)
            )
