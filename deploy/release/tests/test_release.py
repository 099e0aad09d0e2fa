"""Releases of two clones of the last commit: equal, and good for a machine that has nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FIRST_STEP = Path(__file__).parent / "first_step.py"
# Those of a Java that only runs programs; a JDK has the compiler and its kind as well.
RUNTIME = "java.se,jdk.crypto.ec,jdk.management,jdk.net,jdk.unsupported,jdk.zipfs"
TOOLS = ("bash", "dirname", "env", "find", "flock", "mkdir", "mv", "readlink", "rm", "sed")

pytestmark = pytest.mark.skipif(
    os.environ.get("SLUICE_RELEASE") != "true", reason="takes long: './sluice test --release'"
)


def ran(*command: object, **environment: str) -> str:
    """What a command prints; it fails with all of that."""
    process = subprocess.run(
        [str(word) for word in command],
        env=environment or None,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout
    return process.stdout


@pytest.fixture(scope="session")
def releases(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Of clones in folders of other names, by people with another umask and clock."""
    commit = ran("git", "-C", ROOT, "rev-parse", "HEAD").strip()
    made = []
    for name, mask, zone in (("one", "022", "UTC"), ("another", "077", "Asia/Tokyo")):
        folder = tmp_path_factory.mktemp(name)
        clone = folder / name
        release = folder / "release"
        cloned = f"umask {mask} && git clone --quiet --no-hardlinks '{ROOT}' '{clone}'"
        cloned += f" && git -C '{clone}' checkout --quiet --detach {commit}"
        typed = f"{cloned} && exec '{clone}/sluice' release --out '{release}'"
        ran("bash", "-c", typed, **{**os.environ, "TZ": zone})
        made.append(release)
        shutil.rmtree(clone)
    return made


def test_two_clones_of_a_commit_give_the_same_bytes(releases: list[Path]) -> None:
    one, another = releases
    assert [file.name for file in sorted(one.iterdir())] == [
        file.name for file in sorted(another.iterdir())
    ]
    assert (one / "SHA256SUMS").read_text() == (another / "SHA256SUMS").read_text()
    for release in releases:
        ran("bash", "-c", f"cd '{release}' && sha256sum --check --quiet SHA256SUMS")


def test_what_pip_installs_starts_a_service_and_trains_on_it(
    releases: list[Path], tmp_path: Path
) -> None:
    environment = tmp_path / "venv"
    ran(sys.executable, "-m", "venv", environment)
    python = environment / "bin" / "python"
    ran(
        *(python, "-m", "pip", "install", "--quiet"),
        *("--find-links", releases[0], "sluice-loader[service]"),
    )
    said = ran(python, FIRST_STEP, environment / "bin" / "sluice", ROOT, tmp_path / "home")
    assert said.endswith("trained step 1 of run first\n")


def test_the_tarball_runs_the_demo_with_a_java_that_only_runs_programs(
    releases: list[Path], tmp_path: Path
) -> None:
    java = tmp_path / "java"
    settings = ran("java", "-XshowSettings:properties", "-version")
    jdk = Path(settings.split("java.home = ")[1].splitlines()[0])
    ran(jdk / "bin" / "jlink", "--add-modules", RUNTIME, "--output", java)
    assert not (java / "bin" / "javac").exists()
    with tarfile.open(next(releases[0].glob("sluice-*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("sluice-*")
    shutil.copy(next(releases[0].glob("pytorch-native-cpu-*.jar")), unpacked / "lib")
    said = ran(
        *(unpacked / "bin" / "sluice", "demo", "--steps", "4", "--every", "2", "--no-ui"),
        **machine(tmp_path, java),
    )
    assert "4 steps, " in said
    assert " passed: " in said
    assert (tmp_path / "person" / ".sluice" / "demo").is_dir()


def machine(folder: Path, java: Path) -> Mapping[str, str]:
    """The environment of somebody who has a Java and no Maven."""
    tools = folder / "tools"
    tools.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found
        (tools / tool).symlink_to(found)
    person = folder / "person"
    person.mkdir()
    return {"PATH": str(tools), "HOME": str(person), "JAVA_HOME": str(java)}
