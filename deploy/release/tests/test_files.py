"""Wheels and archives that are made by hand are ones that installers take, and always the same."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import sluice

from release.client import without_traces
from release.project import Project
from release.wheel import Wheel

PROJECT = Project(Path(__file__).parents[3])
WHEEL = Wheel(
    "made-up",
    "1.0.dev0",
    "py3-none-any",
    [("Summary", "Made up.")],
    "A text.\n",
    "[console_scripts]\nmade-up = made_up:main\n",
)


def test_a_wheel_is_installed_and_its_command_runs(tmp_path: Path) -> None:
    wheel = wheel_in(tmp_path / "one", tmp_path)
    assert wheel.name == "made_up-1.0.dev0-py3-none-any.whl"
    home = tmp_path / "home"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*install, "--target", str(home), str(wheel)], check=True)
    environment = {**os.environ, "PYTHONPATH": str(home)}
    assert subprocess.check_output([home / "bin/made-up"], env=environment, text=True) == "ran\n"
    information = home / "made_up-1.0.dev0.dist-info"
    assert (information / "licenses/LICENSE").read_text() == "all rights\n"
    assert "License-File: LICENSE\n" in (information / "METADATA").read_text()


def test_a_wheel_does_not_tell_when_it_was_made(tmp_path: Path) -> None:
    wheel = wheel_in(tmp_path / "one", tmp_path)
    for file in tmp_path.glob("*.*"):
        os.utime(file, (0, 0))
        file.chmod(0o600)
    assert wheel_in(tmp_path / "two", tmp_path).read_bytes() == wheel.read_bytes()


def wheel_in(folder: Path, sources: Path) -> Path:
    folder.mkdir()
    files = {"made_up/__init__.py": "def main():\n    print('ran')\n", "made_up/lib/a.jar": "zip"}
    placed = {}
    for number, (name, text) in enumerate(files.items()):
        placed[name] = sources / f"{number}.txt"
        placed[name].write_text(text)
    licence = sources / "LICENSE"
    licence.write_text("all rights\n")
    return WHEEL.write(folder, placed, [licence], PROJECT.epoch)


def test_an_archive_does_not_tell_who_made_it(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("b")
    (tmp_path / "a.txt").write_text("a")
    first = archive(tmp_path, ["b.txt", "a.txt"], "one")
    (tmp_path / "a.txt").chmod(0o755)
    second = archive(tmp_path, ["a.txt", "b.txt"], "two")
    assert first != second
    clean = without_traces(first, PROJECT.epoch)
    assert without_traces(second, PROJECT.epoch) == clean
    with tarfile.open(fileobj=io.BytesIO(clean)) as read:
        assert [(entry.name, entry.uname, entry.mtime) for entry in read] == [
            ("a.txt", "", PROJECT.epoch),
            ("b.txt", "", PROJECT.epoch),
        ]


def archive(folder: Path, names: list[str], owner: str) -> bytes:
    def owned(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uname = owner
        return entry

    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as written:
        for name in names:
            written.add(folder / name, name, filter=owned)
    return packed.getvalue()


def test_the_project_says_what_its_files_are_called() -> None:
    assert PROJECT.python_version == sluice.__version__
    assert PROJECT.tarball.name == f"sluice-{PROJECT.version}.tar.gz"
    assert PROJECT.epoch == 1_767_225_600


def test_a_project_without_a_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pom.xml").write_text("<project/>")
    with pytest.raises(ValueError, match=r"pom\.xml has no "):
        _ = Project(tmp_path).version
