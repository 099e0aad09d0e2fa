"""The service's jars, and the command ``sluice`` that runs them with the Java of this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def launcher() -> Path:
    """The command, which finds the jars beside itself."""
    return Path(__file__).parent / "bin" / "sluice"


def main() -> None:
    """Becomes the command, which looks for Java and says what is needed where there is none."""
    try:
        os.execvp("bash", ["bash", str(launcher()), *sys.argv[1:]])
    except FileNotFoundError:
        sys.exit("sluice: needs bash")
