"""Files that settings name, which librdkafka speaks of by errors of its TLS library alone."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

_FILES = (
    "ssl.ca.location",
    "ssl.certificate.location",
    "ssl.crl.location",
    "ssl.key.location",
    "ssl.keystore.location",
)
_SOUGHT = "probe"  # librdkafka looks for the machine's own authorities


def require_files(config: Mapping[str, Any]) -> None:
    """Checks that this process can read each file that settings of librdkafka name."""
    for key in _FILES:
        if config.get(key) not in (None, "", _SOUGHT):
            require_file(key, str(config[key]))


def require_file(key: str, path: str) -> None:
    """Checks that this process can read the file, or folder, of a setting."""
    if not os.path.exists(path):
        raise ValueError(f"{key} must name a file that is there: '{path}'")
    if not os.access(path, os.R_OK):
        raise ValueError(f"{key} must name a file that this process may read: '{path}'")
