"""The ``sluice`` command that the service is started with."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

from sluice.errors import ServiceUnavailable

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
    return Path(installed.launcher())
