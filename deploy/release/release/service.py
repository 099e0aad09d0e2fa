"""The service as wheels: its jars, and PyTorch's libraries apart."""

from __future__ import annotations

import tarfile
from pathlib import Path

from release.project import Project
from release.wheel import Wheel

_PACKAGE = "sluice_service"
_NATIVES = "sluice-loader-natives"
_LICENCES = ("LICENSE", "NOTICE", "THIRD-PARTY.txt")
_COMMON = [
    ("Author", "The Sluice maintainers"),
    ("Keywords", "data loader,pre-training,kafka,flink"),
    ("Classifier", "Development Status :: 4 - Beta"),
    ("Classifier", "Programming Language :: Java"),
    ("Classifier", "Programming Language :: Python :: 3"),
    ("Requires-Python", ">=3.10"),
]


def service_wheel(project: Project, work: Path, out: Path) -> Path:
    """The wheel that ``sluice.up`` and the command ``sluice`` come with."""
    with tarfile.open(project.tarball) as archive:
        archive.extractall(work, filter="data")
    unpacked = work / f"sluice-{project.version}"
    files = {f"{_PACKAGE}/{file.name}": file for file in project.service.glob("*.py")}
    for folder in ("bin", "lib", "plugins", "share"):
        for file in (unpacked / folder).rglob("*"):
            if file.is_file():
                files[f"{_PACKAGE}/{file.relative_to(unpacked)}"] = file
    version = project.python_version
    needed = "sys_platform == 'linux' and platform_machine == 'x86_64'"
    return Wheel(
        "sluice-loader-service",
        version,
        "py3-none-any",
        [
            ("Summary", "Sluice's service and its command 'sluice'; needs Java 17 or later."),
            *_COMMON,
            ("Requires-Dist", f"{_NATIVES}=={version}; {needed}"),
        ],
        "Installed by `pip install 'sluice-loader[service]'`. Needs Java 17 or later (a runtime"
        " is enough) and bash. State lies in `~/.sluice`, or where `SLUICE_HOME` says.\n",
        f"[console_scripts]\nsluice = {_PACKAGE}:main\n",
    ).write(out, files, [unpacked / name for name in _LICENCES], project.epoch)


def natives_wheel(project: Project, out: Path) -> Path:
    """PyTorch's libraries, which go to the service's jars."""
    jar = project.natives
    return Wheel(
        _NATIVES,
        project.python_version,
        "py3-none-manylinux_2_28_x86_64",
        [
            ("Summary", "PyTorch's libraries for Sluice's reference trainer, on Linux."),
            *_COMMON,
        ],
        f"{jar.name} as it is on Maven Central, for `sluice demo`, `trainer` and `reproduce`.\n",
    ).write(
        out,
        {f"{_PACKAGE}/lib/{jar.name}": jar},
        [project.root / name for name in ("LICENSE", "NOTICE")],
        project.epoch,
    )
