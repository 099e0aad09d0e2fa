"""Other loaders that mix the same rows out of files, for ``sluice bench end-to-end --peers``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sluice.bench.answering import answer

Array = NDArray[np.uint16]
Read = Callable[[], Iterable[Array]]


@dataclass(frozen=True)
class Rows:
    """Rows of ``length`` tokens and one more, in a flat file for each domain; all weigh alike.

    A reading is ``batches`` of ``batch`` rows.
    """

    directory: Path
    length: int
    batch: int
    batches: int

    def domains(self) -> list[Array]:
        """[rows, length + 1] of each domain, memory-mapped."""
        return [
            np.memmap(file, np.uint16, "r").reshape(-1, self.length + 1)
            for file in sorted(self.directory.glob("*.rows"))
        ]

    def place(self, domain: int) -> str:
        """A directory for what a loader makes of a domain's file first."""
        return str(self.directory / f"{os.getpid()}-{domain}")


def _equal(domains: Sequence[Any]) -> list[float]:
    return [1 / len(domains)] * len(domains)


def _stacked(taken: Sequence[Mapping[str, Array]]) -> Array:
    return np.stack([each["tokens"] for each in taken])


def _memory_map(rows: Rows) -> Read:
    def read() -> Iterator[Array]:
        domains = rows.domains()  # anew: who trains meets each page once
        random = np.random.default_rng(7)
        taken = [0] * len(domains)
        batch = np.empty((rows.batch, rows.length + 1), np.uint16)
        for _ in range(rows.batches):
            end = 0
            for i, count in enumerate(random.multinomial(rows.batch, _equal(domains))):
                start, end = end, end + count
                places = np.arange(taken[i], taken[i] + count)
                np.take(domains[i], places, axis=0, out=batch[start:end], mode="wrap")
                taken[i] += count
            yield batch

    return read


def _torchdata(rows: Rows) -> Read:
    from torchdata.nodes import (
        Batcher,
        IterableWrapper,
        Loader,
        Mapper,
        MultiNodeWeightedSampler,
        StopCriteria,
    )

    domains = rows.domains()

    def read() -> Iterator[Array]:
        sources = {str(i): IterableWrapper(domain) for i, domain in enumerate(domains)}
        mixed = MultiNodeWeightedSampler(
            sources,
            dict.fromkeys(sources, 1.0),
            StopCriteria.CYCLE_FOREVER,
            rank=0,
            world_size=1,
            seed=7,
        )
        return islice(Loader(Mapper(Batcher(mixed, rows.batch), np.stack)), rows.batches)

    return read


def _datasets(rows: Rows) -> Read:
    from datasets import Dataset, disable_progress_bars, interleave_datasets, load_from_disk

    disable_progress_bars()
    domains = rows.domains()
    for i, domain in enumerate(domains):
        Dataset.from_dict({"tokens": list(domain)}).save_to_disk(rows.place(i))
    mixed = interleave_datasets(
        [load_from_disk(rows.place(i)) for i in range(len(domains))],
        _equal(domains),
        seed=7,
        stopping_strategy="all_exhausted",
    ).with_format("numpy", dtype=np.uint16)

    def read() -> Iterator[Array]:
        for start in range(0, rows.batches * rows.batch, rows.batch):
            yield mixed[start : start + rows.batch]["tokens"]

    return read


def _grain(rows: Rows) -> Read:
    from grain import MapDataset

    sources = [MapDataset.source(domain).repeat() for domain in rows.domains()]
    mixed = MapDataset.mix(sources, _equal(sources)).batch(rows.batch, batch_fn=np.stack)
    return lambda: islice(mixed.to_iter_dataset(), rows.batches)


def _streaming(rows: Rows) -> Read:
    from streaming import MDSWriter, Stream, StreamingDataLoader, StreamingDataset

    domains = rows.domains()
    columns = {"tokens": f"ndarray:uint16:{rows.length + 1}"}
    for i, domain in enumerate(domains):
        with MDSWriter(out=rows.place(i), columns=columns) as out:
            for row in domain:
                out.write({"tokens": row})
    dataset = StreamingDataset(
        streams=[Stream(local=rows.place(i), proportion=1.0) for i in range(len(domains))],
        epoch_size=rows.batches * rows.batch,
        batch_size=rows.batch,
        shuffle_seed=7,
    )

    return lambda: iter(
        StreamingDataLoader(dataset, batch_size=rows.batch, collate_fn=_stacked, num_workers=0)
    )


def _litdata(rows: Rows) -> Read:
    from litdata import CombinedStreamingDataset, StreamingDataLoader, StreamingDataset
    from litdata.streaming.item_loader import TokensLoader
    from litdata.streaming.writer import BinaryWriter

    size, domains = rows.length + 1, rows.domains()
    for i, domain in enumerate(domains):
        out = BinaryWriter(rows.place(i), chunk_bytes="64MB", item_loader=TokensLoader(size))
        for at, row in enumerate(domain):
            out[at] = np.array(row)
        out.done()
        out.merge()
    mixed = CombinedStreamingDataset(
        [
            StreamingDataset(rows.place(i), item_loader=TokensLoader(size))
            for i in range(len(domains))
        ],
        seed=7,
        iterate_over_all=True,
    )
    loader = StreamingDataLoader(mixed, batch_size=rows.batch, collate_fn=np.stack)
    return lambda: islice(loader, rows.batches)


def _megatron(rows: Rows) -> Read:
    import torch
    from megatron.core.datasets.blended_dataset import BlendedDataset
    from megatron.core.datasets.indexed_dataset import IndexedDataset, IndexedDatasetBuilder
    from megatron.core.datasets.utils import Split

    class Domain(IndexedDataset):  # type: ignore[misc]
        index_split = Split.train

        @property
        def unique_identifiers(self) -> dict[str, str]:
            return {"path": self.path_prefix}

        def __getitem__(self, at: int) -> dict[str, Array]:
            return {"tokens": super().__getitem__(at % len(self))}

    domains = rows.domains()
    for i, domain in enumerate(domains):
        out = IndexedDatasetBuilder(rows.place(i) + ".bin", np.uint16)
        for row in domain:
            out.add_document(torch.from_numpy(np.array(row)), [len(row)])
        out.finalize(rows.place(i) + ".idx")
    each = [Domain(rows.place(i)) for i in range(len(domains))]
    size = rows.batches * rows.batch
    config = SimpleNamespace(defer_npy_index_mmap=False, path_to_cache=None)
    mixed = BlendedDataset(each, _equal(each), size, config)
    loader = torch.utils.data.DataLoader(mixed, rows.batch, collate_fn=_stacked)
    return lambda: iter(loader)


PEERS: dict[str, Callable[[Rows], Read]] = {
    "memory-map": _memory_map,
    "torchdata.nodes": _torchdata,
    "datasets": _datasets,
    "grain": _grain,
    "megatron-core": _megatron,
    "litdata": _litdata,
    "mosaicml-streaming": _streaming,
}


def main(arguments: Sequence[str]) -> int:
    """Says which loaders there are, or prepares one and reads with it as often as asked."""
    if not arguments:
        print(json.dumps(list(PEERS)))
        return 0
    name, directory, *shape = arguments
    try:
        read = PEERS[name](Rows(Path(directory), *map(int, shape)))
    except ImportError as error:
        print(json.dumps({"absent": str(error)}))
        return 0
    print(json.dumps({"ready": True}), flush=True)
    answer(lambda _: (array[:, 1:].size for array in read()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
