"""The ``Trainer`` of Lightning on one rank or several, with a checkpoint every few steps."""

from __future__ import annotations

from typing import Any

import lightning.pytorch as lightning
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from torch import distributed, nn
from trained import EVERY, MICRO_BATCH, Life

import sluice
from sluice.torch import StepFeedback, StreamDataset
from sluice.torch.lightning import StreamCallback
from sluice.torch.modes import label_losses

LIFE = Life(__doc__)


class Model(lightning.LightningModule):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Embedding(size, 8), nn.Linear(8, size))
        self.stepped = 0

    def forward(self, inputs: Any) -> Any:
        return self.layers(inputs)

    def on_train_start(self) -> None:
        self.stepped = self.trainer.global_step
        LIFE.begins(self.stepped)

    def training_step(self, batch: dict[str, Any], _: int) -> Any:
        LIFE.rows(self.trainer.global_step + 1, batch["inputs"])
        scale = self.trainer.accumulate_grad_batches * self.trainer.world_size
        return scale * label_losses(self(batch["inputs"]), batch).sum() / batch["step_labels"]

    def on_train_batch_end(self, *_: Any) -> None:
        if self.trainer.global_step > self.stepped:
            self.stepped = self.trainer.global_step
            LIFE.stepped(self.stepped)

    def configure_optimizers(self) -> Any:
        return torch.optim.AdamW(self.parameters(), lr=1e-2)


def main() -> None:
    given, world = LIFE.given, LIFE.dp[1]
    distributed.init_process_group("gloo")
    torch.manual_seed(1)
    with sluice.Loader(
        given.run, dp=LIFE.dp, micro_batch=MICRO_BATCH, bootstrap=given.bootstrap
    ) as steps:
        model = Model(steps.run.vocabulary)
        feedback = StepFeedback.evaluating(steps, model, blocks=4)
        kept = ModelCheckpoint(
            given.checkpoints,
            filename="checkpoint-{step}",
            auto_insert_metric_name=False,
            every_n_train_steps=EVERY,
            save_top_k=-1,
        )
        trainer = lightning.Trainer(
            max_steps=given.until,
            accumulate_grad_batches=LIFE.parts(steps.run),
            callbacks=[StreamCallback(steps, feedback), kept],
            accelerator="cpu",
            devices=world,
            strategy="ddp" if world > 1 else "auto",
            logger=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            default_root_dir=given.folder,
        )
        data = torch.utils.data.DataLoader(StreamDataset(steps, labels=True), batch_size=None)
        trainer.fit(model, data, ckpt_path=given.resume)
        feedback.close()


if __name__ == "__main__":
    main()
