"""The vectors that every client of this project is tested with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SCHEMAS = Path(__file__).parents[3] / "schemas" / "src"
RESOURCES = SCHEMAS / "test" / "resources"


def vectors(name: str) -> Any:
    """What one of the files holds."""
    return json.loads((RESOURCES / "vectors" / f"{name}.json").read_text(encoding="utf-8"))


def cases(name: str) -> pytest.MarkDecorator:
    """One test for each case of a file."""
    found = vectors(name)
    assert found
    ids = [str(each.get("case", n)) for n, each in enumerate(found)]
    return pytest.mark.parametrize("case", found, ids=ids)
