"""``sluice.torch`` beside a stream: tensors, data loaders, labels; runs when torch is installed."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.utils.data import DataLoader, IterableDataset  # noqa: E402

from broker import PARTITIONS, Broker  # noqa: E402
from records import started  # noqa: E402
from sluice.block.reader import BlockReader  # noqa: E402
from sluice.errors import InvalidWorldSize, UnsuitableDataLoader  # noqa: E402
from sluice.feedback.losses import DomainSums  # noqa: E402
from sluice.run.rank import TrainerRank  # noqa: E402
from sluice.stream.rows import rows_of  # noqa: E402
from sluice.stream.source import KafkaSource  # noqa: E402
from sluice.torch import (  # noqa: E402
    StreamDataset,
    global_labels,
    merge_over_ranks,
    tensors,
)
from sluice.wire.codec import encode  # noqa: E402
from torch_stream import SIZES, STREAM, loader, ranks_of  # noqa: E402
from writers import (  # noqa: E402
    DOMAINS,
    LENGTH,
    TestingStream,
    block,
)


def test_tensors_are_the_arrays_widened() -> None:
    with loader(None) as steps:
        batch = steps.next(20).whole
    found = tensors(batch)
    assert {name: value.dtype for name, value in found.items()} == {
        "inputs": torch.int64,
        "labels": torch.int64,
        "loss_mask": torch.bool,
        "position_ids": torch.int64,
        "cu_seqlens": torch.int32,
        "domains": torch.int64,
        "index": torch.int64,
    }
    for name in found:
        assert np.array_equal(found[name].numpy(), getattr(batch, name)), name
    assert int(found["inputs"].max()) > 1 << 15  # beyond a signed token of 2 bytes
    wide = block("java", 0, tokenWidth=4, tokens=(1 << 20).to_bytes(4, "little") * 5)
    rows = rows_of([BlockReader(STREAM.run).read(encode("TokenBlock", wide))])
    assert tensors(rows)["labels"].tolist() == [[1 << 20] * 4]
    assert "domains" not in tensors(rows)


def test_a_data_loader_hands_on_every_micro_batch_once() -> None:
    with loader() as steps:
        batches = DataLoader(StreamDataset(steps), batch_size=None)
        indices = [batch["index"].tolist() for batch in batches]
    assert indices == [[at, at + 1] for at in range(0, sum(SIZES), 2)]


def test_state_is_that_of_the_last_whole_step() -> None:
    with loader() as steps:
        dataset = StreamDataset(steps)
        batches = iter(dataset)
        seen = []
        for _ in range(6):
            next(batches)
            seen.append(dataset.state_dict()["batch"])
        assert seen == [0, 1, 1, 2, 2, 2]
        state = dataset.state_dict()
    with loader() as steps:
        again = StreamDataset(steps)
        again.load_state_dict(state)
        assert again.state_dict() == state
        assert next(iter(again))["index"].tolist() == [8, 9]


def test_refuses_a_batch_size_and_worker_processes() -> None:
    with loader() as steps, pytest.raises(UnsuitableDataLoader, match="set batch_size=None"):
        next(iter(DataLoader(StreamDataset(steps), batch_size=2)))


def test_refuses_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    class Worker:
        id = 3

    monkeypatch.setattr("sluice.torch.dataset.get_worker_info", Worker)
    refused = pytest.raises(UnsuitableDataLoader, match="in worker 3 of a DataLoader: set num_wo")
    with loader() as steps, refused:
        next(iter(StreamDataset(steps)))


class IterableDatasetShard(IterableDataset):
    def __init__(self, dataset: Any, num_processes: int, skip_batches: int = 0) -> None:
        self.dataset = dataset
        self.num_processes = num_processes
        self.skip_batches = skip_batches

    def __iter__(self) -> Iterator[Any]:
        yield from self.dataset


IterableDatasetShard.__module__ = "accelerate.data_loader"


def test_refuses_what_would_shard_or_skip_again() -> None:
    with loader() as steps:
        dataset = StreamDataset(steps)
        with pytest.raises(UnsuitableDataLoader) as refused:
            next(iter(DataLoader(IterableDatasetShard(dataset, 4), batch_size=None)))
        assert "IterableDatasetShard of accelerate would share them out over 4 processes" in str(
            refused.value
        )
        with pytest.raises(UnsuitableDataLoader, match="read and drop 5 batches.*ignore_data_skip"):
            next(iter(DataLoader(IterableDatasetShard(dataset, 1, 5), batch_size=None)))
        alone = DataLoader(IterableDatasetShard(dataset, 1), batch_size=None)
        assert next(iter(alone))["index"].tolist() == [0, 1]


def test_ranks_of_a_process_group_merge_their_sums(tmp_path: Any) -> None:
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{tmp_path}/group", rank=0, world_size=1
    )
    try:
        sums = DomainSums(["java"])
        sums.add(0, 2.5, 3)
        assert merge_over_ranks(sums).totals() == {"java": (2.5, 3)}
        assert sums.totals() == {"java": (2.5, 3)}
    finally:
        torch.distributed.destroy_process_group()


def test_the_labels_of_a_step_are_those_of_its_global_batch() -> None:
    with loader() as steps:
        assert global_labels(steps.next(20)) == 4 * LENGTH
    with loader(rank=TrainerRank(1, 2)) as steps:
        step = steps.next(20)
        with pytest.raises(InvalidWorldSize) as refused:
            global_labels(step)
    assert str(refused.value) == (
        "this rank has 2 of the 4 rows of batch 1: call torch.distributed.init_process_group "
        "first, so that the ranks can add up their labels"
    )


def test_ranks_add_up_the_labels_of_a_step(tmp_path: Path) -> None:
    """In processes of their own, with as many labels in a row as the rank's number says."""
    for rank in range(2):
        with loader(rank=TrainerRank(rank, 2)) as steps:
            step = steps.next(20)
        step.whole.loss_mask[:, rank + 1 :] = False
        (tmp_path / f"{rank}.step").write_bytes(pickle.dumps(step))
    assert ranks_of("torch_labels.py", tmp_path) == ["6\n"] * 2


def test_ranks_that_have_other_rows_than_the_batch_add_up_nothing(tmp_path: Path) -> None:
    with loader(rank=TrainerRank(0, 2)) as steps:
        step = steps.next(20)
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{tmp_path}/group", rank=0, world_size=1
    )
    try:
        with pytest.raises(InvalidWorldSize) as refused:
            global_labels(step)
    finally:
        torch.distributed.destroy_process_group()
    assert str(refused.value) == (
        "the ranks that add up their labels must have the 4 rows of batch 1 between them: 2; give "
        "group= the data-parallel ranks"
    )


def test_the_readme_s_first_lines_train(monkeypatch: pytest.MonkeyPatch) -> None:
    package = Path(__file__).parents[1]
    readmes = [
        (folder / "README.md").read_text(encoding="utf-8")
        for folder in (package, package.parents[1])
    ]
    code, same = (re.search("```python\n(.*?)```", readme, re.DOTALL) for readme in readmes)
    assert code is not None
    assert same is not None
    assert code[1] == same[1]
    assert len([line for line in code[1].splitlines() if line]) == 11
    stream = TestingStream(PARTITIONS, [8, 8], batches=2)
    stream.run.spec["updateEvery"] = 2
    broker = Broker()
    broker.write("sluice.control", "ControlRecord", started(stream.run))
    broker.create("sluice.stream.r")
    for name in DOMAINS:
        topic = f"sluice.eval.d.{name}"
        broker.create(topic)
        broker.write(topic, "TokenBlock", block(name, 1))
        for partition in range(PARTITIONS):
            end = {"domain": name, "lane": partition, "size": 1}
            broker.write(topic, "EndOfDomain", end, partition)
    seek = KafkaSource.seek

    def seek_then_write(source: KafkaSource, batch: int, partitions: Any) -> None:
        seek(source, batch, partitions)  # this broker does not look up timestamps
        broker.write_stream(stream)

    monkeypatch.setattr(KafkaSource, "seek", seek_then_write)
    subject = nn.Sequential(nn.Embedding(1 << 16, 2), nn.Linear(2, 1 << 16))
    seen: list[int] = []

    def loss(of: nn.Module, batch: dict[str, Any]) -> Any:
        seen.extend(batch["index"].tolist())
        return of(batch["inputs"]).square().sum()

    names = {
        "run": "r",
        "dp": (0, 1),
        "bootstrap": broker.bootstrap,
        "model": subject,
        "loss": loss,
        "device": "cpu",
        "optimizer": torch.optim.SGD(subject.parameters(), lr=0.1),
    }
    exec(compile(code[1], "README.md", "exec"), names)
    assert seen == list(range(16))
    sent = broker.read("sluice.feedback.r", 6)
    sent.remove("TrainerAttached")
    assert sent == ["TrainerFeedback", "TrainerProgress", "TrainerProgress", *sent[:2]]
