"""Rows as history of a run in Weights & Biases."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from sluice.errors import ExportFailed
from sluice.export.sink import Lock, facts, folder_of, mixture, replace_file, required
from sluice.history.row import Mark, Row
from sluice.run.info import RunInfo

_EXTRA = "wandb"
_VERSION = 1
_LONGEST_ID = 64


class WandbRun:
    """A run in W&B, online or, with ``WANDB_MODE=offline``, in files below ``$WANDB_DIR/wandb``.

    Its id follows from the run's, so that another process goes on with it. Which row is the last is
    in a file beside W&B's own; a row's step in W&B is its place among all rows, so that one that is
    sent twice counts once there. An artifact names the dataset's fingerprint and has the mixture.
    """

    def __init__(self, project: str, run: RunInfo) -> None:
        self._wandb = required("wandb", _EXTRA)
        self._failures: tuple[type[Exception], ...] = (
            self._wandb.errors.Error,
            OSError,
            ValueError,
        )
        self._project = project
        self._of = run
        self._folder = Path(os.environ.get("WANDB_DIR") or ".")
        digest = sha256(project.encode()).hexdigest()[:8]
        self._file = self._folder / "wandb" / f"sluice-{folder_of(run)}-{digest}.json"
        self._step, self._last = self._saved()
        self._written = self._step
        self._lock = Lock(self._file.with_suffix(".lock"))
        self._run: Any = None

    def _begin(self) -> Any:
        """The run in W&B, which nobody needs before there is a row for it."""
        entity, _, plain = self._project.rpartition("/")
        try:
            made = self._wandb.init(
                project=plain,
                entity=entity or None,
                id=_id(self._of.run_id),
                name=self._of.name,
                job_type="sluice",
                dir=str(self._folder),
                config=facts(self._of),
                resume="allow",
                settings=self._wandb.Settings(console="off"),
            )
            made.define_metric("sluice/batch")
            made.define_metric("sluice/*", step_metric="sluice/batch")
            if self._step == 0:
                made.log_artifact(_artifact(self._wandb, self._of))
        except self._failures as error:
            raise ExportFailed(f"W&B, project {self._project}: {error}") from error
        return made

    def _saved(self) -> tuple[int, Mark | None]:
        if not self._file.exists():
            return 0, None
        try:
            said = json.loads(self._file.read_text(encoding="utf-8"))
            found = [said[key] for key in ("version", "rows", "timeline", "batch")]
        except (ValueError, TypeError, KeyError) as error:
            raise ExportFailed(f"{self._file} must be what an export left: {error!r}") from error
        if not all(type(one) is int and one >= 0 for one in found) or found[0] != _VERSION:
            raise ExportFailed(
                f"{self._file} must have version {_VERSION}, rows, timeline and batch, whole "
                f"numbers from 0: {found}"
            )
        return found[1], Mark(found[2], found[3])

    @property
    def where(self) -> str:
        """The run's page, or the folder of its files."""
        page = None if self._run is None else self._run.url
        return str(page or self._file.parent)

    def last(self) -> Mark | None:
        """The last row that was taken, as the file beside W&B's says."""
        return self._last

    def write(self, row: Row, numbers: Mapping[str, float]) -> None:
        """Hands a row to W&B."""
        if self._run is None:
            self._run = self._begin()
        self._run.log(dict(numbers), step=self._step)
        self._step += 1
        self._last = row.mark

    def flush(self) -> None:
        """Keeps which row is the last."""
        if self._last is not None and self._written != self._step:
            kept = {"version": _VERSION, "rows": self._step, **self._last._asdict()}
            replace_file(self._file, kept)
            self._written = self._step

    def end(self, state: str) -> None:
        """Says what became of the run, beside its last rows."""
        if self._run is not None:
            self._run.summary["sluice/state"] = state

    def close(self) -> None:
        """Waits until W&B has everything."""
        if self._run is not None:
            self._run.finish()
            self._run = None
        self.flush()
        self._lock.close()


def _id(name: str) -> str:
    """W&B's ids are shorter than those of runs may be."""
    return name if len(name) <= _LONGEST_ID else sha256(name.encode()).hexdigest()


def _artifact(wandb: Any, run: RunInfo) -> Any:
    known = facts(run)
    made = wandb.Artifact(known["dataset"], type="dataset", metadata=known)
    with made.new_file("mixture.json", encoding="utf-8") as file:
        json.dump(known | mixture(run), file, indent=2)
    return made
