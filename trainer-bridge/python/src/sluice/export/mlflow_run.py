"""Rows as metrics of a run in MLflow."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any

from sluice.errors import ExportFailed
from sluice.export.sink import facts, folder_of, mixture, required
from sluice.history.row import Mark, Row
from sluice.run.info import RunInfo

_EXTRA = "mlflow"
_TAG = "sluice.run_id"
_TIMELINE = "sluice/timeline"
_AT_ONCE = 1000  # metrics in a request, as MLflow takes them
_UNSUITABLE = re.compile(r"[^A-Za-z0-9_\-./ ]")
_STATES = {"completed": "FINISHED", "stopped": "FINISHED", "failed": "FAILED", "deleted": "KILLED"}


class MlflowRun:
    """A run in MLflow, found again by its tag ``sluice.run_id``, in the experiment that
    ``$MLFLOW_EXPERIMENT_NAME`` names, by default ``sluice``.

    Its input is the dataset, with the fingerprint as its digest and the mixture as its profile. A
    row's metrics have the batch as their step, the timeline is the last of them, and their times
    are the row's: so MLflow itself says which row is the last. Characters of a domain's name that
    MLflow does not take are written as ``_``.
    """

    def __init__(self, uri: str, run: RunInfo) -> None:
        tracking = required("mlflow.tracking", _EXTRA)
        self._entities = required("mlflow.entities", _EXTRA)
        self._failures: tuple[type[Exception], ...] = (
            required("mlflow.exceptions", _EXTRA).MlflowException,
            ImportError,  # of what a database needs
            OSError,
        )
        self._uri = uri
        self._metrics: list[Any] = []
        try:
            self._client = tracking.MlflowClient(tracking_uri=uri)
            self._id = self._find(run)
        except self._failures as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> ExportFailed:
        return ExportFailed(f"MLflow at {self._uri}: {error}")

    def _find(self, run: RunInfo) -> str:
        name = os.environ.get("MLFLOW_EXPERIMENT_NAME") or "sluice"
        experiment = self._client.get_experiment_by_name(name)
        of = experiment.experiment_id if experiment else self._client.create_experiment(name)
        same = self._client.search_runs([of], f"tags.`{_TAG}` = '{folder_of(run)}'")
        found = same[0] if same else self._client.create_run(of, tags=self._tags(run))
        if not found.inputs.dataset_inputs:
            self._client.log_inputs(found.info.run_id, datasets=[self._dataset(run)])
        self._client.update_run(found.info.run_id, status="RUNNING")
        return str(found.info.run_id)

    def _tags(self, run: RunInfo) -> dict[str, str]:
        known = {f"sluice.{key}": str(value) for key, value in facts(run).items()}
        return {"mlflow.runName": run.name, **known}

    def _dataset(self, run: RunInfo) -> Any:
        known = facts(run)
        dataset = self._entities.Dataset(
            name=known["dataset"],
            digest=known["fingerprint"],
            source_type="sluice",
            source=json.dumps(known),
            profile=json.dumps(mixture(run)),
        )
        context = self._entities.InputTag("mlflow.data.context", "training")
        return self._entities.DatasetInput(dataset=dataset, tags=[context])

    @property
    def where(self) -> str:
        """The tracking server or store, and the run there."""
        return f"run {self._id} of {self._uri}"

    def last(self) -> Mark | None:
        """The last row that MLflow has."""
        try:
            known = self._client.get_metric_history(self._id, _TIMELINE)
        except self._failures as error:
            raise self._failed(error) from error
        return max((Mark(int(one.value), int(one.step)) for one in known), default=None)

    def write(self, row: Row, numbers: Mapping[str, float]) -> None:
        """Takes a row; what it has is sent with that of others."""
        if len(self._metrics) + len(numbers) > _AT_ONCE:
            self.flush()
        at = int(row.seconds * 1000)
        self._metrics += [
            self._entities.Metric(_UNSUITABLE.sub("_", key), float(value), at, row.batch)
            for key, value in numbers.items()
        ]

    def flush(self) -> None:
        """Sends what was taken."""
        try:
            for start in range(0, len(self._metrics), _AT_ONCE):
                self._client.log_batch(self._id, self._metrics[start : start + _AT_ONCE])
        except self._failures as error:
            raise self._failed(error) from error
        self._metrics.clear()

    def end(self, state: str) -> None:
        """Ends the run in MLflow, too."""
        self.flush()
        if state in _STATES:
            self._client.set_terminated(self._id, _STATES[state])

    def close(self) -> None:
        """Sends what was taken."""
        self.flush()
