"""TensorBoard, W&B and MLflow have what the log has, as their own readers tell."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from offline_history import offline_history, offline_records
from sluice.errors import ExportFailed
from sluice.export.exporter import Exporter
from sluice.export.sink import Sink, facts, mixture
from sluice.history.row import Mark, flat
from sluice.run.info import RunInfo
from steered import ONE, Service, Topic, decision, report
from told import TOLD, Trained, progress, reading, told, trained

EXTRAS = ["tensorboard", "wandb", "mlflow"]


def needs(extra: str) -> None:
    """Leaves a test out where an extra is not installed."""
    pytest.importorskip(extra, reason=f"needs sluice-loader[{extra}]")


@pytest.fixture
def opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Callable[[RunInfo], Sink]]:
    """Opens the sink of an extra in a folder of its own."""
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    monkeypatch.setenv("WANDB_DIR", str(tmp_path))
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")

    def of(extra: str) -> Callable[[RunInfo], Sink]:
        needs(extra)
        from sluice.export.mlflow_run import MlflowRun
        from sluice.export.tensorboard_events import TensorBoardEvents
        from sluice.export.wandb_run import WandbRun

        made: dict[str, Callable[[RunInfo], Sink]] = {
            "tensorboard": lambda run: TensorBoardEvents(tmp_path, run),
            "wandb": lambda run: WandbRun("mixtures", run),
            "mlflow": lambda run: MlflowRun((tmp_path / "mlruns").as_uri(), run),
        }
        return made[extra]

    return of


def export(open_sink: Callable[[RunInfo], Sink], service: Service, topic: Topic) -> int:
    """How many rows were written."""
    with closing(open_sink(TOLD)) as sink:
        one = Exporter(reading(service, topic, sink.last()), sink, None)
        one.export()
        return one.written


def accumulated(folder: Path) -> Any:
    """What TensorBoard's own reader finds."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    return EventAccumulator(str(folder), size_guidance={"scalars": 0}).Reload()


def scalars(folder: Path, tag: str) -> dict[int, float]:
    """By batch; each once."""
    found = accumulated(folder).Scalars(tag)
    assert len({one.step for one in found}) == len(found)
    return {one.step: one.value for one in found}


def metrics(folder: Path, key: str) -> dict[tuple[int, float], float]:
    """By batch and time, as MLflow's own client tells."""
    from mlflow.tracking import MlflowClient

    client = MlflowClient(tracking_uri=(folder / "mlruns").as_uri())
    known = client.get_metric_history(mlflow_run(folder).info.run_id, key)
    assert len({(one.step, one.timestamp) for one in known}) == len(known)
    return {(one.step, one.timestamp): one.value for one in known}


def mlflow_run(folder: Path) -> Any:
    from mlflow.tracking import MlflowClient

    client = MlflowClient(tracking_uri=(folder / "mlruns").as_uri())
    experiment = client.get_experiment_by_name("sluice")
    (found,) = client.search_runs([experiment.experiment_id])
    return found


def test_tensorboard_has_the_log_s_weights_as_float32(opens: Any, tmp_path: Path) -> None:
    made = trained(1)
    assert export(opens("tensorboard"), made.service, made.topic) == len(made.stands)
    for place, name in enumerate(TOLD.domains):
        found = scalars(tmp_path / "r-1", f"sluice/weight/{name}")
        assert found == {
            mark.batch: float(np.float32(made.weights[mark][place] / ONE)) for mark in made.stands
        }
        losses = scalars(tmp_path / "r-1", f"sluice/eval_loss/{name}")
        assert losses == {
            mark.batch: float(np.float32(10 * means[place] / 10))
            for mark, means in made.losses.items()
        }
    walls = {
        one.step: one.wall_time for one in accumulated(tmp_path / "r-1").Scalars("sluice/lead")
    }
    assert walls == {mark.batch: float(mark.batch) for mark in made.stands}


def test_tensorboard_forgets_what_a_rewind_took_back(opens: Any, tmp_path: Path) -> None:
    service, topic = Service(TOLD), Topic()
    service.grant(2)
    service.grant(4, decision(1, [ONE, 0, 0]))
    topic.values += [report(2), report(4), progress(4)]
    assert export(opens("tensorboard"), service, topic) == 4
    service.rewind(1, 0)
    service.grant(3)
    topic.values += [report(2, timeline=1, attempt="b"), progress(3, timeline=1)]
    assert export(opens("tensorboard"), service, topic) == 2
    found = scalars(tmp_path / "r-1", "sluice/timeline")
    assert found == {1: 0.0, 2: 1.0, 3: 1.0}


@pytest.mark.parametrize("cut", range(1, 30, 3))
def test_a_row_that_a_crash_cut_off_is_written_again(opens: Any, tmp_path: Path, cut: int) -> None:
    made = trained(2)
    export(opens("tensorboard"), made.service, made.topic)
    (file,) = (tmp_path / "r-1").glob("*tfevents*")
    whole = file.read_bytes()
    file.write_bytes(whole[:-cut])
    assert export(opens("tensorboard"), made.service, made.topic) == 1
    found = scalars(tmp_path / "r-1", "sluice/batch")
    assert found == {mark.batch: float(mark.batch) for mark in made.stands}


def test_wandb_has_the_log_s_weights(opens: Any, tmp_path: Path) -> None:
    made = trained(1)
    export(opens("wandb"), made.service, made.topic)
    rows = {row["sluice/batch"]: row for row in offline_history(tmp_path / "wandb")}
    assert sorted(rows) == [mark.batch for mark in made.stands]
    for row in told(made.service, made.topic):
        numbers = flat(row, None)
        assert {key: rows[row.batch][key] for key in numbers} == numbers


def test_wandb_s_artifact_names_the_dataset_s_fingerprint(opens: Any, tmp_path: Path) -> None:
    made = trained(1)
    assert export(opens("wandb"), made.service, made.topic) == len(made.stands)
    assert export(opens("wandb"), made.service, made.topic) == 0
    found = [
        one.request.log_artifact.artifact if one.HasField("request") else one.artifact
        for one in offline_records(tmp_path / "wandb")
        if one.HasField("artifact") or one.request.HasField("log_artifact")
    ]
    named = [one for one in found if one.type == "dataset"]
    assert len(named) == 1
    assert (named[0].name, json.loads(named[0].metadata)) == ("d", facts(TOLD))


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "[]",
        "{}",
        '{"version": 2, "rows": 1, "timeline": 0, "batch": 1}',
        '{"version": 1, "rows": -1, "timeline": 0, "batch": 1}',
        '{"version": 1, "rows": 1, "timeline": true, "batch": 1}',
    ],
)
def test_a_file_that_no_export_left_is_refused(opens: Any, tmp_path: Path, kept: str) -> None:
    made = trained(1)
    export(opens("wandb"), made.service, made.topic)
    (file,) = (tmp_path / "wandb").glob("sluice-*.json")
    file.write_text(kept)
    with pytest.raises(ExportFailed, match=r"must (be what an export left|have version 1)"):
        opens("wandb")(TOLD)


def test_mlflow_has_the_log_s_weights(opens: Any, tmp_path: Path) -> None:
    made = trained(1)
    export(opens("mlflow"), made.service, made.topic)
    for place, name in enumerate(TOLD.domains):
        found = metrics(tmp_path, f"sluice/weight/{name}")
        assert found == {
            (mark.batch, 1000 * mark.batch): made.weights[mark][place] / ONE for mark in made.stands
        }
    assert mlflow_run(tmp_path).info.status == "FINISHED"


def test_mlflow_s_database_has_them_too(tmp_path: Path) -> None:
    needs("mlflow")
    pytest.importorskip("sqlalchemy", reason="needs all of mlflow")
    from mlflow.tracking import MlflowClient

    from sluice.export.mlflow_run import MlflowRun

    made, uri = trained(1), f"sqlite:///{tmp_path}/mlflow.db"
    assert export(lambda run: MlflowRun(uri, run), made.service, made.topic) == len(made.stands)
    assert export(lambda run: MlflowRun(uri, run), made.service, made.topic) == 0
    client = MlflowClient(tracking_uri=uri)
    experiment = client.get_experiment_by_name("sluice")
    (run,) = client.search_runs([experiment.experiment_id])
    found = client.get_metric_history(run.info.run_id, "sluice/weight/java")
    weights = {one.step: one.value for one in found}
    assert weights == {mark.batch: made.weights[mark][0] / ONE for mark in made.stands}


def test_mlflow_s_input_names_the_dataset_s_fingerprint(opens: Any, tmp_path: Path) -> None:
    made = trained(1)
    for _ in range(2):
        export(opens("mlflow"), made.service, made.topic)
    (found,) = mlflow_run(tmp_path).inputs.dataset_inputs
    assert (found.dataset.name, found.dataset.digest) == ("d", facts(TOLD)["fingerprint"])
    assert json.loads(found.dataset.profile) == mixture(TOLD)
    assert json.loads(found.dataset.source) == facts(TOLD)


def test_names_that_mlflow_does_not_take_are_written_otherwise(opens: Any, tmp_path: Path) -> None:
    spec = TOLD.spec | {"domains": ["ja<va", "prose\n", "a:b"]}
    service, topic = Service(RunInfo("r-1", spec)), Topic()
    service.grant(1)
    topic.values.append(progress(1))
    assert export(opens("mlflow"), service, topic) == 1
    for key, weight in {"ja_va": 0.5, "prose_": 0.25, "a_b": 0.25}.items():
        assert list(metrics(tmp_path, f"sluice/weight/{key}").values()) == [weight]


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_export_goes_on_where_another_ended(opens: Any, tmp_path: Path, extra: str) -> None:
    made = trained(9)
    half, service = Topic(), Service(TOLD)
    service.records[:] = made.service.records[:4]
    half.values = made.topic.values[:9]
    first = export(opens(extra), service, half)
    second = export(opens(extra), made.service, made.topic)
    assert (first, first + second) == (6, len(made.stands))
    assert export(opens(extra), made.service, made.topic) == 0
    assert batches_in(extra, tmp_path) == [mark.batch for mark in made.stands]


def batches_in(extra: str, folder: Path) -> list[float]:
    if extra == "tensorboard":
        return list(scalars(folder / "r-1", "sluice/batch").values())
    if extra == "wandb":
        return [row["sluice/batch"] for row in offline_history(folder / "wandb")]
    return sorted(metrics(folder, "sluice/batch").values())


@pytest.mark.parametrize("extra", EXTRAS)
def test_both_timelines_of_a_rewind_go_on_where_they_ended(opens: Any, extra: str) -> None:
    made: Trained = trained(8, rewinds=1)
    rewound = next(i for i, one in enumerate(made.service.records) if one["timeline"] == 1)
    service, topic = Service(TOLD), Topic()
    service.records[:] = made.service.records[:rewound]
    topic.values = made.topic.values
    export(opens(extra), service, topic)
    left = [mark for mark in made.stands if mark.timeline == 1]
    assert export(opens(extra), made.service, topic) == len(left)
    with closing(opens(extra)(TOLD)) as sink:
        assert sink.last() == Mark(1, made.stands[-1].batch)


def test_one_process_writes_to_a_folder(opens: Any) -> None:
    open_sink = opens("tensorboard")
    with (
        closing(open_sink(TOLD)),
        pytest.raises(ExportFailed, match="is written to by another process"),
    ):
        open_sink(TOLD)


def test_a_place_that_cannot_be_written_to_is_named(opens: Any, tmp_path: Path) -> None:
    opens("tensorboard")
    from sluice.export.tensorboard_events import TensorBoardEvents

    (tmp_path / "file").write_text("")
    with pytest.raises(ExportFailed, match="--tensorboard must name a folder to write to"):
        TensorBoardEvents(tmp_path / "file", TOLD)
