"""Which part of the package knows which."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sluice

ROOT = Path(sluice.__file__).parent
KNOWS = {
    "errors": set(),
    "closing": set(),
    "wire": {"errors"},
    "kafka": {"errors", "wire"},
    "run": {"errors", "kafka", "wire"},
    "block": {"errors", "run", "wire"},
    "cache": {"errors"},
    "segment": {"cache", "dataset", "errors", "kafka", "run", "wire"},
    "derive": {"errors", "run", "wire"},
    "claim": {"errors", "kafka", "run", "wire"},
    "stream": {
        "block",
        "cache",
        "claim",
        "closing",
        "derive",
        "errors",
        "kafka",
        "run",
        "segment",
        "wire",
    },
    "dataset": {"errors", "kafka", "run", "wire"},
    "evaluation": {"block", "errors", "kafka", "run", "wire"},
    "feedback": {"closing", "errors", "kafka", "run", "stream", "wire"},
    "steering": {"closing", "errors", "feedback", "kafka", "run", "wire"},
    "history": {"errors", "kafka", "run", "steering", "wire"},
    "drawing": {"history", "kafka", "run", "wire"},
    "export": {"errors", "history", "kafka", "run"},
    "service": {"closing", "errors"},
    "torch": {"block", "errors", "evaluation", "feedback", "run", "stream", "wire"},
    "bench": {"claim", "errors", "feedback", "kafka", "run", "stream", "torch", "wire"},
}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT or path.stem in KNOWS)


def part(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def known(path: Path) -> set[str]:
    """The parts that a module imports from."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "sluice":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sluice."):
            found.add(str(node.module).split(".")[1])
    return found - {part(path)}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_part_knows_only_those_below_it(path: Path) -> None:
    assert known(path) <= KNOWS[part(path)]


def test_every_part_has_its_place() -> None:
    parts = {path.stem for path in ROOT.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert parts - {"__init__", "__pycache__"} == set(KNOWS)


def test_the_package_is_imported_without_torch() -> None:
    code = "import sys; sys.modules['torch'] = None; import sluice, sluice.bench"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_types_are_published() -> None:
    assert (ROOT / "py.typed").exists()
