"""The ``sluice`` command that the service is started with."""

from __future__ import annotations

import importlib
import os
from importlib import metadata
from pathlib import Path

import sluice
from sluice.errors import ServiceUnavailable

_DISTRIBUTION = "sluice-loader-service"

MISSING = (
    "the service is not installed: pip install 'sluice-loader[service]', or give the command of an"
    " unpacked sluice-VERSION.tar.gz or of a checkout, launcher='sluice-VERSION/bin/sluice'"
)


def found(given: str | os.PathLike[str] | None) -> Path:
    """The given command, else the one that the extra ``service`` has installed."""
    if given is not None:
        launcher = Path(given).expanduser().absolute()
        if not launcher.is_file():
            raise ServiceUnavailable(f"launcher must be the command 'sluice': no file {launcher}")
        return launcher
    try:
        installed = importlib.import_module("sluice_service")
    except ModuleNotFoundError as missing:
        raise ServiceUnavailable(MISSING) from missing
    _require_own_version()
    return Path(installed.launcher())


def _require_own_version() -> None:
    """What is released together is tried together; a folder without metadata says no version."""
    try:
        service = metadata.version(_DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return
    own = sluice.__version__
    if service != own:
        raise ServiceUnavailable(
            f"the service must have the version of the client, {own}: {_DISTRIBUTION} is {service};"
            f" pip install 'sluice-loader[service]=={own}' makes them equal"
        )
