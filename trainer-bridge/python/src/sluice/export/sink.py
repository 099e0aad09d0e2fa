"""Where rows of a run are written."""

from __future__ import annotations

import fcntl
import importlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from sluice.errors import ExportFailed
from sluice.history.row import Mark, Row
from sluice.run.info import RunInfo
from sluice.run.mixture import ONE

_RUN_ID = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}")


class Sink(Protocol):
    """A tracker of experiments, or files that one reads."""

    @property
    def where(self) -> str:
        """Where a person finds what was written."""

    def last(self) -> Mark | None:
        """The last row that is there; None if there is none."""

    def write(self, row: Row, numbers: Mapping[str, float]) -> None:
        """Takes the next row, and its numbers by their keys."""

    def flush(self) -> None:
        """Has what was taken written."""

    def end(self, state: str) -> None:
        """Takes note that the run is over, and what it became, such as ``completed``."""

    def close(self) -> None:
        """Has what was taken written, and gives back what is held."""


def required(module: str, extra: str) -> Any:
    """A module of a library that an extra of this package has.

    Raises:
        ExportFailed: where it is not installed, with the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ExportFailed(
            f"{extra} is not installed, or not all of it ({error}): "
            f"pip install 'sluice-loader[{extra}]'"
        ) from error


def folder_of(run: RunInfo) -> str:
    """The run's id, as the name of a file or a folder.

    Raises:
        ExportFailed: if it cannot be one.
    """
    if not _RUN_ID.fullmatch(run.run_id):
        raise ExportFailed(
            "runId must be 1 to 255 letters, digits, '.', '_' or '-', of which the first is no "
            f"'.': {run.run_id[:80]!r}"
        )
    return run.run_id


class Lock:
    """That one process at a time writes somewhere; ends with it."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file.open("w")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise ExportFailed(
                f"{file.parent} is written to by another process, which has {file.name} locked"
            ) from error

    def close(self) -> None:
        """Lets others write."""
        self._file.close()


def facts(run: RunInfo) -> dict[str, Any]:
    """What a run is, in a few words: the dataset by its fingerprint, in 16 hexadecimal digits as
    ``sluice dataset show`` has it, and the policy."""
    return {
        "run": run.name,
        "run_id": run.run_id,
        "dataset": str(run.spec["dataset"]),
        "fingerprint": f"{run.fingerprint & (1 << 64) - 1:016x}",
        "tokenizer": run.tokenizer,
        "vocabulary": run.vocabulary,
        "sequence_length": run.sequence_length,
        "batches": run.batches,
        "domains": len(run.domains),
        "policy": str(run.spec["policy"]),
    }


def mixture(run: RunInfo) -> dict[str, Any]:
    """What is mixed, and who decides: each domain's initial weight, the policy, its settings."""
    initial = dict(zip(run.domains, run.spec["initialWeights"], strict=False))
    return {
        "initial_weights": {name: initial.get(name, 0) / ONE for name in run.domains},
        "removed": list(run.spec["removed"]),
        "policy": str(run.spec["policy"]),
        "policy_settings": dict(run.spec["policySettings"]),
        "update_every": run.update_every,
    }


def replace_file(file: Path, content: Mapping[str, Any]) -> None:
    """Writes JSON, so that whoever reads sees what was there before, or all of it."""
    beside = file.with_name(file.name + ".new")
    with beside.open("w", encoding="utf-8") as out:
        json.dump(content, out)
        out.flush()
        os.fsync(out.fileno())
    beside.replace(file)
