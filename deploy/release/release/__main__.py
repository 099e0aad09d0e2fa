"""``python -m release ROOT OUT``: all files of a release, of a checkout that Maven has built."""

from __future__ import annotations

import argparse
import hashlib
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from release.client import distributions
from release.project import Project
from release.service import natives_wheel, service_wheel

SUMS = "SHA256SUMS"


def make(project: Project, out: Path, say: Callable[[str], None]) -> list[Path]:
    """Writes the files to an empty folder; gives them, the sums last."""
    out.mkdir(parents=True, exist_ok=True)
    licences = [project.root / "LICENSE", project.root / "NOTICE"]
    for built in (
        project.tarball,
        project.flink_jar,
        project.bill_of_materials,
        project.natives,
    ):
        say(built.name)
        shutil.copyfile(built, out / built.name)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        say("the client's wheel and sources")
        for built in distributions(project.python, licences, work, project.epoch):
            shutil.copyfile(built, out / built.name)
        say("the service's wheel")
        service_wheel(project, work, out)
    say("the wheel of PyTorch's libraries")
    natives_wheel(project, out)
    files = sorted(out.iterdir())
    sums = out / SUMS
    sums.write_text("".join(f"{_sum(file)}  {file.name}\n" for file in files), encoding="utf-8")
    return [*files, sums]


def _sum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _main() -> None:
    parser = argparse.ArgumentParser(prog="release", description=__doc__)
    parser.add_argument("root", type=Path, help="of the checkout")
    parser.add_argument("out", type=Path, help="an empty folder, or one that is not there yet")
    arguments = parser.parse_args()
    if arguments.out.exists() and any(arguments.out.iterdir()):
        parser.error(
            f"--out must be an empty folder, or one that is not there yet: {arguments.out}"
        )
    start = time.monotonic()

    def say(what: str) -> None:
        print(f"sluice: [{time.monotonic() - start:5.1f} s] {what}", flush=True)

    files = make(Project(arguments.root), arguments.out, say)
    for file in files:
        print(f"{file.stat().st_size / 1e6:8.1f} MB  {file}")


if __name__ == "__main__":
    _main()
