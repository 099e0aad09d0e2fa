"""The client's wheel and source distribution, by its own build back-end."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

_LEFT_BEHIND = shutil.ignore_patterns("*.egg-info", "__pycache__", "build", "dist", ".*")


def distributions(source: Path, licences: Sequence[Path], work: Path, epoch: int) -> list[Path]:
    """Builds both of a copy of the sources; gives the files.

    Raises:
        subprocess.CalledProcessError: if the back-end fails; it has said why.
    """
    copy = work / "client"
    shutil.copytree(source, copy, ignore=_LEFT_BEHIND)
    for licence in licences:
        shutil.copyfile(licence, copy / licence.name)
    for path in [copy, *copy.rglob("*")]:
        # The checkout's modes and dates are those of whoever made it.
        path.chmod(0o755 if path.is_dir() else 0o644)
        os.utime(path, (epoch, epoch))
    out = work / "distributions"
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(copy)],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)},
    )
    (packed,) = out.glob("*.tar.gz")
    packed.write_bytes(without_traces(packed.read_bytes(), epoch))
    return sorted(out.iterdir())


def without_traces(packed: bytes, epoch: int) -> bytes:
    """The same archive without names, dates and an order that are the machine's."""
    unpacked = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as given,
        tarfile.open(fileobj=unpacked, mode="w", format=tarfile.PAX_FORMAT) as kept,
    ):
        for entry in sorted(given.getmembers(), key=lambda member: member.name):
            clean = tarfile.TarInfo(entry.name)
            clean.type, clean.size, clean.mtime = entry.type, entry.size, epoch
            clean.mode = 0o755 if entry.isdir() else 0o644
            kept.addfile(clean, given.extractfile(entry) if entry.isreg() else None)
    return gzip.compress(unpacked.getvalue(), mtime=0)
