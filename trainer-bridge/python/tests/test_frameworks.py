"""The callbacks for transformers and Lightning."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from records import (  # noqa: E402
    started,
)
from senders import MemorySender, sent  # noqa: E402
from sluice import wire  # noqa: E402
from sluice.errors import (  # noqa: E402
    InvalidState,
    UnsuitableDataLoader,
)
from sluice.run.rank import TrainerRank  # noqa: E402
from sluice.stream.loader import Loader  # noqa: E402
from sluice.stream.trained import TrainedRows  # noqa: E402
from sluice.torch import (  # noqa: E402
    StreamDataset,
    global_labels,
    tensors,
)
from sluice.torch.modes import label_losses  # noqa: E402
from training import STREAM, feedback, loader  # noqa: E402
from writers import (  # noqa: E402
    LENGTH,
    MemorySource,
    TestingStream,
    reader_over,
)


def huggingface(folder: Path, steps: Loader, max_steps: int, **settings: Any) -> Any:
    transformers = pytest.importorskip("transformers")
    from sluice.torch.huggingface import StreamTrainer

    torch.manual_seed(0)
    shape = {"n_embd": 8, "n_layer": 1, "n_head": 1, "n_positions": 8, "vocab_size": 1 << 16}
    shape |= dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), 0)
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**shape, bos_token_id=0))
    defaults: dict[str, Any] = {
        "output_dir": str(folder),
        "max_steps": max_steps,
        "gradient_accumulation_steps": 2,
        "ignore_data_skip": True,
        "save_steps": 3,
        "use_cpu": True,
        "report_to": "none",
        "disable_tqdm": True,
        "logging_steps": 100,
    }
    arguments = transformers.TrainingArguments(**defaults | settings)
    reporter, sender = feedback(steps, trained=TrainedRows(steps.run, lambda run: 2))
    trainer = StreamTrainer(model=model, args=arguments, steps=steps, feedback=reporter)
    return trainer, model, reporter, sender


def parameters(model: Any) -> list[list[float]]:
    return [one.detach().flatten().tolist() for one in model.parameters()]


@pytest.mark.filterwarnings("ignore")
def test_a_transformers_trainer_goes_on_where_its_checkpoint_was_written(tmp_path: Path) -> None:
    with loader(micro_batch=2) as steps:
        trainer, whole, reporter, _ = huggingface(tmp_path / "whole", steps, 6)
        trainer.train()
        sampled = reporter.state_dict()
        reporter.close()
    with loader(micro_batch=2) as steps:
        trainer, _, reporter, _ = huggingface(tmp_path / "cut", steps, 6)
        trainer.args.max_steps = 6
        trainer.train()
        reporter.close()
    with loader(micro_batch=2) as steps:
        trainer, resumed, reporter, sender = huggingface(tmp_path / "cut", steps, 6)
        trainer.train(resume_from_checkpoint=str(tmp_path / "cut" / "checkpoint-3"))
        reporter.close()
    assert parameters(resumed) == parameters(whole)
    assert reporter.state_dict() == sampled
    assert sampled["domains"]["java"]["seen"] > 2
    assert sent(sender) == [
        (None, 3),
        ("eval_loss", 4),
        (None, 4),
        (None, 5),
        ("eval_loss", 6),
        (None, 6),
    ]
    state = json.loads((tmp_path / "cut" / "checkpoint-3" / "sluice.json").read_text())
    assert (state["batch"], state["firstIndex"]) == (3, 12)


@pytest.mark.filterwarnings("ignore")
def test_a_run_that_is_stopped_ends_a_transformers_training(tmp_path: Path) -> None:
    with loader(micro_batch=2, stopped=True) as steps:
        trainer, _, reporter, sender = huggingface(tmp_path, steps, 100)
        trainer.train()
        reporter.close()
        assert trainer.state.global_step == 8
        assert steps.ended is not None
        assert steps.ended.state == "stopped"
    assert sent(sender)[-1] == (None, 8)


@pytest.mark.filterwarnings("ignore")
def test_a_transformers_trainer_that_would_train_on_something_else_is_refused(
    tmp_path: Path,
) -> None:
    with loader(micro_batch=2) as steps:
        trainer = huggingface(tmp_path, steps, 3, ignore_data_skip=False)[0]
        with pytest.raises(UnsuitableDataLoader, match="ignore_data_skip must be True"):
            trainer.train()
    with loader(micro_batch=2) as steps:
        trainer = huggingface(tmp_path / "x", steps, 3)[0]
        trainer.train()
        (tmp_path / "x" / "checkpoint-3" / "sluice.json").unlink()
        trainer = huggingface(tmp_path / "x", steps, 6)[0]
        with pytest.raises(InvalidState, match="was written without StreamCallback"):
            trainer.train(resume_from_checkpoint=str(tmp_path / "x" / "checkpoint-3"))


@pytest.mark.filterwarnings("ignore")
def test_a_transformers_trainer_whose_accumulation_does_not_add_up_is_refused(
    tmp_path: Path,
) -> None:
    with loader(micro_batch=1) as steps:
        trainer = huggingface(tmp_path, steps, 3)[0]
        with pytest.raises(UnsuitableDataLoader) as refused:
            trainer.train()
    assert str(refused.value) == (
        "gradient_accumulation_steps must be 4, the micro-batches of this rank in batch 1 of run "
        "r-1: 2 would train on something else"
    )
    growing = TestingStream(2, [4, 4, 8, 8], batches=4)
    with loader(micro_batch=2, stream=growing) as steps:
        huggingface(tmp_path, steps, 2)[0].train()
    with loader(micro_batch=2, stream=growing) as steps:
        trainer = huggingface(tmp_path, steps, 3)[0]
        with pytest.raises(UnsuitableDataLoader) as refused:
            trainer.train()
    assert str(refused.value) == (
        "gradient_accumulation_steps must be the micro-batches of every batch, of which run r-1 "
        "has 2 from batch 1 on, 4 from batch 3 on: open the Loader without micro_batch, and set "
        "gradient_accumulation_steps to 1"
    )


@pytest.mark.filterwarnings("ignore")
def test_ranks_that_would_each_divide_by_their_own_labels_are_refused(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    from sluice.torch.huggingface import StreamCallback

    arguments = transformers.TrainingArguments(
        output_dir=str(tmp_path),
        max_steps=3,
        ignore_data_skip=True,
        average_tokens_across_devices=False,
        use_cpu=True,
    )
    source = MemorySource(2, waits=True)
    reader = reader_over(source, STREAM.run, [started(STREAM.run)], TrainerRank(0, 2))
    with Loader.over(reader) as steps, pytest.raises(UnsuitableDataLoader) as refused:
        StreamCallback(steps).on_train_begin(arguments, transformers.TrainerState(), None)
    assert str(refused.value) == (
        "average_tokens_across_devices must be True: the loss of a step is divided by the labels "
        "of all 2 ranks"
    )


def masked(stream: TestingStream) -> TestingStream:
    """The same with fewer labels in each row than in the one before."""
    for i, one in enumerate(stream.sequences):
        record = wire.decode_as("TokenBlock", one.value)
        trained = LENGTH - i % LENGTH
        runs = {"lossMask": [trained, LENGTH - trained], "trainedTokens": trained}
        stream.sequences[i] = replace(one, value=wire.encode("TokenBlock", record | runs))
    return stream


@pytest.mark.filterwarnings("ignore")
def test_a_transformers_trainer_divides_by_the_labels_of_the_global_batch(tmp_path: Path) -> None:
    stream = masked(TestingStream(2, [4] * 3, batches=3))
    plain: dict[str, Any] = {
        "optim": "sgd",
        "learning_rate": 1.0,
        "lr_scheduler_type": "constant",
        "max_grad_norm": 0.0,
    }
    with loader(micro_batch=2, stream=stream) as steps:
        trainer, trained, reporter, _ = huggingface(tmp_path, steps, 1, **plain)
        before = copy.deepcopy(trained)
        trainer.train()
        assert steps.metrics()["sluice/batch"] == 1
        reporter.close()
    with loader(stream=stream) as steps:
        step = steps.next(20)
        batch = tensors(step.whole)
        losses = label_losses(
            before(batch["inputs"], position_ids=batch["position_ids"]).logits, batch
        )
        (losses.sum() / global_labels(step)).backward()
    for one, found in zip(before.parameters(), trained.parameters(), strict=True):
        assert one.grad is not None
        assert torch.allclose(one.detach() - one.grad, found.detach(), atol=1e-6)


def lightning(
    folder: Path,
    max_steps: int,
    checkpoint: str | None,
    rows: int = 2,
    accumulated: int = 2,
    epoch: float = 1.0,
    stopped: bool = False,
) -> tuple[Any, MemorySender]:
    """Trains in micro-batches of so many rows, ``epoch`` of them an epoch, or all; its checkpoint
    is named after its last step."""
    pytorch = pytest.importorskip("lightning.pytorch")
    from sluice.torch.lightning import StreamCallback

    class Subject(pytorch.LightningModule):  # type: ignore[name-defined]
        def __init__(self, steps: Loader) -> None:
            super().__init__()
            torch.manual_seed(0)
            self.embedding = torch.nn.Embedding(1 << 16, 4)
            self.steps = steps
            self.seen: list[tuple[int, int]] = []
            self.ahead: set[int] = set()
            self.sampled: dict[str, Any] = {}

        def training_step(self, batch: dict[str, Any], _: int) -> Any:
            step = self.trainer.global_step + 1
            self.seen += [(step, index) for index in batch["index"].tolist()]
            self.ahead.add(self.steps.batch - step)
            assert int(batch["step_labels"]) == 4 * LENGTH
            return self.embedding(batch["inputs"]).square().sum()

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), lr=0.1)

    with loader(micro_batch=rows, stopped=stopped) as steps:
        reporter, sender = feedback(steps, trained=TrainedRows(steps.run, lambda run: 2))
        subject = Subject(steps)
        trainer = pytorch.Trainer(
            max_steps=max_steps,
            accumulate_grad_batches=accumulated,
            limit_train_batches=epoch,
            callbacks=[StreamCallback(steps, reporter)],
            accelerator="cpu",
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            default_root_dir=folder,
        )
        data = torch.utils.data.DataLoader(StreamDataset(steps, labels=True), batch_size=None)
        trainer.fit(subject, data, ckpt_path=checkpoint)
        assert steps.metrics()["sluice/batch"] == trainer.global_step
        trainer.save_checkpoint(folder / f"{trainer.global_step}.ckpt")
        subject.sampled = reporter.state_dict()
        reporter.close()
        return subject, sender


@pytest.mark.filterwarnings("ignore")
def test_a_run_that_is_stopped_ends_a_lightning_training(tmp_path: Path) -> None:
    subject, sender = lightning(tmp_path, 100, None, stopped=True)
    assert subject.seen[-1][0] == 8
    assert sent(sender)[-1] == (None, 8)


@pytest.mark.filterwarnings("ignore")
def test_a_lightning_trainer_goes_on_where_its_checkpoint_was_written(tmp_path: Path) -> None:
    whole, _ = lightning(tmp_path, 6, None)
    lightning(tmp_path, 3, None)
    resumed, sender = lightning(tmp_path, 6, str(tmp_path / "3.ckpt"))
    assert resumed.seen == whole.seen[12:]
    assert resumed.sampled == whole.sampled != {}
    assert parameters(resumed) == parameters(whole)
    assert [step for metric, step in sent(sender) if metric is None] == [3, 4, 5, 6]
    with pytest.raises(UnsuitableDataLoader) as refused:
        lightning(tmp_path, 3, None, accumulated=3)
    assert str(refused.value) == (
        "accumulate_grad_batches must be 2, the micro-batches of this rank in batch 1 of run r-1: "
        "3 would train on something else"
    )


@pytest.mark.filterwarnings("ignore")
def test_a_lightning_trainer_takes_no_batch_before_it_has_trained_on_the_last(
    tmp_path: Path,
) -> None:
    trained, _ = lightning(tmp_path, 6, None)
    assert trained.ahead == {0}


@pytest.mark.filterwarnings("ignore")
def test_trainers_end_with_a_run_that_ends_before_them(tmp_path: Path) -> None:
    trained, _ = lightning(tmp_path, 100, None)
    assert trained.seen[-1] == (8, 31)
    with loader(micro_batch=2) as steps:
        trainer = huggingface(tmp_path, steps, 100)[0]
        trainer.train()
        assert trainer.state.global_step == 8


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("epoch", [1.0, 4, 8])
@pytest.mark.parametrize("rows", [1, 2, 4])
def test_a_lightning_trainer_steps_after_each_batch_however_it_was_cut_before(
    rows: int, epoch: float, tmp_path: Path
) -> None:
    lightning(tmp_path, 3, None, epoch=epoch)
    resumed, _ = lightning(tmp_path, 6, str(tmp_path / "3.ckpt"), rows, 4 // rows, epoch)
    assert resumed.seen == [(1 + index // 4, index) for index in range(12, 24)]
