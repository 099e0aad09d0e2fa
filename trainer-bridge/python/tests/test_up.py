"""The service, started from Python by the project's launcher and a Java that only says so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sluice

PROJECT = Path(__file__).parents[3]
INSTALLATION = "SLUICE_INSTALLATION"

# Says what it is given, then what the service says, and goes on until its input ends.
READY = """
echo "$*" >'{home}/arguments'
echo "sluice: Kafka on 127.0.0.1:4711, state in x"
echo "sluice: mixing"
echo "sluice: ready; stop with Ctrl-C"
cat >/dev/null
echo "sluice: stopped" >'{home}/stopped'
"""


class Machine:
    """A folder with an installation of made-up jars, and a Java."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.home = folder / "home"
        self.launcher = folder / "sluice-1" / "bin" / "sluice"
        self.home.mkdir()
        self.launcher.parent.mkdir(parents=True)
        shutil.copyfile(PROJECT / "sluice", self.launcher)
        lib = folder / "sluice-1" / "lib"
        lib.mkdir()
        (lib / "sluice-lab-1.jar").touch()

    def java(self, script: str, version: str = "17.0.9") -> Path:
        """Its home; a rehearsal of commands comes to nothing."""
        java = self.folder / "java"
        (java / "bin").mkdir(parents=True)
        program = java / "bin" / "java"
        script = script.replace("{home}", str(self.home))
        program.write_text(
            f'#!/usr/bin/env bash\ncase "$*" in *Rehearsal) exit 1 ;; esac\n{script}'
        )
        program.chmod(0o755)
        (java / "release").write_text(f'JAVA_VERSION="{version}"\n')
        return java

    def said(self, name: str) -> str:
        return (self.home / name).read_text()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_service_is_up_until_it_is_closed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(machine.java(READY)))
    told: list[str] = []
    with sluice.up(
        port=4711,
        state_dir="state",
        home=machine.home,
        options=["--cluster"],
        launcher=machine.launcher,
        progress=told.append,
    ) as service:
        assert service.kafka == "127.0.0.1:4711"
        assert service.running
        assert repr(service) == "Service(kafka='127.0.0.1:4711', running=True)"
    assert not service.running
    assert machine.said("stopped") == "sluice: stopped\n"
    service.close()
    assert [line.removeprefix("sluice: ") for line in told][1:] == [
        "mixing",
        "ready; stop with Ctrl-C",
    ]
    arguments = machine.said("arguments")
    assert f"-Dsluice.home={machine.home} " in arguments
    assert arguments.endswith(
        "io.sluice.lab.Lab up --end-with-input --port 4711 --state-dir state --cluster\n"
    )


def test_what_a_service_says_is_printed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(machine.java(READY)))
    with sluice.up(home=machine.home, launcher=machine.launcher):
        assert "sluice: ready" in capfd.readouterr().out
    assert " --port 0\n" in machine.said("arguments")


def test_a_service_ends_with_the_process_that_started_it(machine: Machine) -> None:
    script = (
        "import os, sluice, sys\n"
        f"sluice.up(home={str(machine.home)!r}, launcher={str(machine.launcher)!r})\n"
        "if sys.argv[1] == 'killed': os.kill(os.getpid(), 9)\n"
    )
    environment = {**os.environ, "JAVA_HOME": str(machine.java(READY))}
    for how, code in (("ended", 0), ("killed", -9)):
        process = subprocess.run([sys.executable, "-c", script, how], env=environment, check=False)
        assert process.returncode == code
        deadline = time.monotonic() + 60
        while not (machine.home / "stopped").exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        (machine.home / "stopped").unlink()


def test_a_service_that_does_not_start_says_why(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = "echo 'sluice: port 4711 is taken'; exit 3"
    monkeypatch.setenv("JAVA_HOME", str(machine.java(failing)))
    with pytest.raises(sluice.ServiceUnavailable) as failed:
        sluice.up(home=machine.home, launcher=machine.launcher, progress=None)
    assert str(failed.value) == (
        "the service ended with exit code 3 before it was ready\nsluice: port 4711 is taken"
    )


def test_an_old_java_is_named(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(machine.java("exit 9", "11.0.2")))
    with pytest.raises(sluice.ServiceUnavailable, match=r"needs Java 17 .* is version 11"):
        sluice.up(home=machine.home, launcher=machine.launcher, progress=None)


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "sluice_service", None)
    with pytest.raises(sluice.ServiceUnavailable, match=r"pip install 'sluice-loader\[service\]'"):
        sluice.up()
    with pytest.raises(sluice.ServiceUnavailable, match="launcher must be the command 'sluice'"):
        sluice.up(launcher=tmp_path / "none")


def installed(folder: Path, launcher: Path, version: str) -> None:
    """A wheel of the service, as pip leaves it."""
    (folder / "sluice_service").mkdir()
    (folder / "sluice_service" / "__init__.py").write_text(
        f"def launcher():\n    return {str(launcher)!r}\n"
    )
    information = folder / f"sluice_loader_service-{version}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(
        f"Metadata-Version: 2.4\nName: sluice-loader-service\nVersion: {version}\n"
    )


@pytest.mark.parametrize("version", [sluice.__version__, "9.9"])
def test_an_installed_service_has_the_version_of_the_client(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(machine.java(READY)))
    installed(machine.folder, machine.launcher, version)
    monkeypatch.delitem(sys.modules, "sluice_service", raising=False)
    monkeypatch.syspath_prepend(machine.folder)
    if version == sluice.__version__:
        sluice.up(home=machine.home, progress=None).close()
        return
    with pytest.raises(sluice.ServiceUnavailable) as failed:
        sluice.up(home=machine.home, progress=None)
    assert str(failed.value) == (
        f"the service must have the version of the client, {sluice.__version__}: "
        "sluice-loader-service is 9.9; "
        f"pip install 'sluice-loader[service]=={sluice.__version__}' makes them equal"
    )
    assert not (machine.home / "arguments").exists()


def test_a_port_is_checked() -> None:
    with pytest.raises(ValueError, match="port must be from 0 to 65535: 65536"):
        sluice.up(port=65536)


@pytest.mark.skipif(INSTALLATION not in os.environ, reason=f"needs ${INSTALLATION}")
def test_a_real_service_has_a_kafka(tmp_path: Path) -> None:
    """With the folder of an unpacked tarball."""
    launcher = Path(os.environ[INSTALLATION]) / "bin" / "sluice"
    with sluice.up(home=tmp_path, launcher=launcher) as service:
        assert sluice.list_runs(service.kafka) == []
        assert (tmp_path / "up" / "endpoint").read_text().strip() == service.kafka
    assert not service.running
