"""What is exported of a run, and how the command speaks, whichever tracker is installed."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from broker import Broker
from sinks import MemorySink
from sluice import wire
from sluice.errors import ExportFailed
from sluice.export import __main__ as command
from sluice.export.exporter import Exporter, export
from sluice.export.sink import Lock, facts, folder_of, mixture, required
from sluice.history.row import Mark
from sluice.kafka.access import KafkaAccess
from sluice.run.info import RunInfo
from steered import ONE, TOPIC, Service, Topic, report
from told import TOLD, progress, reading, trained
from writers import FINGERPRINT


def exported(sink: MemorySink, made: Any, **how: Any) -> Exporter:
    top = how.pop("top", None)
    one = Exporter(reading(made.service, made.topic, sink.last()), sink, top)
    one.export(**how)
    return one


def test_every_batch_is_written_once_however_often_it_is_exported() -> None:
    made, sink = trained(3, rewinds=1), MemorySink()
    assert exported(sink, made).written == len(made.stands)
    assert [mark for mark, _ in sink.kept] == made.stands
    assert exported(sink, made).written == 0
    assert [mark for mark, _ in sink.kept] == made.stands
    for mark, numbers in sink.kept:
        found = [numbers[f"sluice/weight/{name}"] * ONE for name in TOLD.domains]
        assert found == made.weights[mark]


@pytest.mark.parametrize("fails_at", range(5))
def test_what_failed_goes_on_where_it_was(fails_at: int) -> None:
    made, sink = trained(4), MemorySink(fails_at)
    with pytest.raises(ExportFailed, match="no room"):
        exported(sink, made)
    assert [mark for mark, _ in sink.kept] == made.stands[:fails_at]
    assert sink.ended == []
    exported(sink, made)
    assert [mark for mark, _ in sink.kept] == made.stands
    assert sink.ended == ["completed"]


def test_follows_a_run_to_its_end(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "sluice")
    service, sink = Service(TOLD), MemorySink()
    topic = Topic(
        lambda: service.grant(2),
        lambda: topic.values.extend([report(2), progress(2)]),
        lambda: service.become("stopped"),
    )
    one = Exporter(reading(service, topic), sink)
    one.export(follow=True)
    assert [mark.batch for mark, _ in sink.kept] == [1, 2]
    assert sink.ended == ["stopped"]
    assert caplog.messages == [
        "run r-1: 0 rows written, and those that come are, until it is over: memory"
    ]


def test_what_is_granted_is_written_on_demand() -> None:
    service, topic, sink = Service(TOLD), Topic(), MemorySink()
    service.grant(2)
    made = Exporter(reading(service, topic), sink)
    made.export()
    assert (made.written, made.rows.left) == (0, 2)
    made.export(granted=True)
    assert [mark for mark, _ in sink.kept] == [Mark(0, 1), Mark(0, 2)]
    assert sink.ended == []


def test_names_as_many_domains_as_it_is_told() -> None:
    made, sink = trained(5), MemorySink()
    exported(sink, made, top=1)
    for _, numbers in sink.kept:
        assert sum(key.startswith("sluice/weight/") for key in numbers) == 1
        assert numbers["sluice/others/domains"] == 2
    with pytest.raises(ValueError, match="top must be a whole number from 0"):
        exported(sink, made, top=-1)


def test_a_run_is_told_by_its_fingerprint_and_its_mixture() -> None:
    known, mixed = facts(TOLD), mixture(TOLD)
    assert known["fingerprint"] == f"{FINGERPRINT + (1 << 64):016x}" == "ffffffffffffffd6"
    assert (known["run"], known["run_id"], known["dataset"]) == ("r", "r-1", "d")
    assert mixed["initial_weights"] == {"java": 0.5, "prose": 0.25, "config": 0.25}
    assert mixed["policy_settings"]["targets.java"] == "1.25"


@pytest.mark.parametrize("run_id", ["", "..", "a/b", "a\nb", ".a", "a" * 256])
def test_a_run_whose_id_is_no_name_of_a_file_is_refused(run_id: str) -> None:
    with pytest.raises(ExportFailed, match="runId must be 1 to 255 letters"):
        folder_of(RunInfo(run_id, TOLD.spec))


def test_two_do_not_write_to_one_place(tmp_path: Path) -> None:
    first = Lock(tmp_path / "a" / "lock")
    with pytest.raises(ExportFailed, match="is written to by another process"):
        Lock(tmp_path / "a" / "lock")
    first.close()
    Lock(tmp_path / "a" / "lock").close()


def test_what_is_not_installed_is_said_with_the_command_that_installs_it() -> None:
    message = r"wandb is not installed.*: pip install 'sluice-loader\[wandb\]'"
    with pytest.raises(ExportFailed, match=message):
        required("sluice.nowhere", "wandb")


def broker_of(service: Service, said: list[bytes]) -> Broker:
    broker = Broker()
    for one in service.records:
        broker.write("sluice.control", "ControlRecord", one)
    for value in said:
        broker.write(TOPIC, *wire.decode(value))
    return broker


def test_exports_a_run_by_a_broker_s_address() -> None:
    made, sink = trained(6), MemorySink()
    broker = broker_of(made.service, made.topic.values)
    access = KafkaAccess(broker.bootstrap)
    said = export("r", lambda run: sink, access, follow=True)
    assert said == "run r-1: 12 rows written, up to batch 12: memory"
    assert [mark for mark, _ in sink.kept] == made.stands
    assert export("r", lambda run: sink, access) == (
        "run r-1: 0 rows written, up to batch 12: memory"
    )
    assert sink.closed == 2


def test_says_what_trainers_have_not_reported() -> None:
    service = Service(TOLD)
    service.grant(3)
    broker = broker_of(service, [progress(1)])
    said = export("r", lambda run: MemorySink(), KafkaAccess(broker.bootstrap))
    assert said == (
        "run r-1: 1 rows written, up to batch 1: memory; of 2 more batches that are granted, "
        "trainers have not reported all: --follow waits for them, --granted takes what is known"
    )


def test_the_command_says_what_is_wrong(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    events = ["r", "--tensorboard", str(tmp_path)]
    assert command.main([*events, "--kafka", "nowhere"]) == 1
    assert "sluice.export: bootstrap must be HOST:PORT" in capsys.readouterr().err
    for wrong, message in {
        ("r",): "one of the arguments --tensorboard --wandb --mlflow is required",
        ("r", "--wandb", "p", "--mlflow", "u"): "not allowed with argument --wandb",
        ("r", "--wandb", ""): "--tensorboard, --wandb and --mlflow must not be ''",
        (*events, "--top", "-1"): "must be a whole number from 0, or all: '-1'",
        (*events, "--top", "many"): "must be a whole number from 0, or all: 'many'",
    }.items():
        with pytest.raises(SystemExit) as ended:
            command.main(wrong)
        assert ended.value.code == 2
        assert message in capsys.readouterr().err


def test_the_command_takes_brokers_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("SLUICE_KAFKA", "elsewhere:0")
    assert command.main(["r", "--tensorboard", str(tmp_path)]) == 1
    assert "'elsewhere:0'" in capsys.readouterr().err
    monkeypatch.setenv("SLUICE_KAFKA_CONFIG", str(tmp_path / "none.properties"))
    assert command.main(["r", "--tensorboard", str(tmp_path)]) == 1
    assert "none.properties" in capsys.readouterr().err


def test_an_interrupted_command_says_that_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*given: Any, **how: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "export_run", interrupted)
    assert command.main(["r", "--mlflow", "u"]) == 130
    assert "interrupted; the same command goes on" in capsys.readouterr().err


@pytest.mark.parametrize("extra", ["tensorboard", "wandb", "mlflow"])
def test_the_command_names_the_extra_that_is_missing(extra: str, tmp_path: Path) -> None:
    broker = broker_of(trained(7).service, [])
    code = (
        f"import sys; sys.modules['{extra}'] = None; from sluice.export.__main__ import main; "
        f"sys.exit(main(['r', '--{extra}', 'x', '--kafka', '{broker.bootstrap}']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=os.environ, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert f"{extra} is not installed" in done.stderr
    assert f"pip install 'sluice-loader[{extra}]'" in done.stderr


def test_a_command_that_is_told_to_end_keeps_what_it_has(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason="needs sluice-loader[tensorboard]")
    service = Service(TOLD)
    service.grant(2)
    broker = broker_of(service, [report(2), progress(2)])
    given = ["r", "--tensorboard", str(tmp_path), "--kafka", broker.bootstrap]
    with subprocess.Popen(
        [sys.executable, "-m", "sluice.export", *given, "--follow"],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert "run r-1: 2 rows written" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 130
        assert "interrupted; the same command goes on" in process.stderr.read()
    again = [sys.executable, "-m", "sluice.export", *given]
    said = subprocess.run(again, capture_output=True, text=True, check=True).stdout
    assert said == f"run r-1: 0 rows written, up to batch 2: {tmp_path}/r-1\n"
