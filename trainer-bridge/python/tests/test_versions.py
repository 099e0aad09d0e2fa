"""What is released together has one version, and no version that is known to be vulnerable."""

from __future__ import annotations

import json
import re
from pathlib import Path

import sluice

PROJECT = Path(__file__).parents[3]
PYPROJECT = (PROJECT / "trainer-bridge/python/pyproject.toml").read_text(encoding="utf-8")


def test_python_has_the_version_of_maven() -> None:
    pom = (PROJECT / "pom.xml").read_text(encoding="utf-8")
    found = re.search(r"<artifactId>sluice</artifactId>\s*<version>([^<]+)</version>", pom)
    assert found
    assert sluice.__version__ == found[1].replace("-SNAPSHOT", ".dev0")


def test_the_service_that_is_asked_for_has_the_version_of_the_client() -> None:
    assert re.findall(r'"sluice-loader-service==([^"]+)"', PYPROJECT) == [sluice.__version__]


def test_no_version_that_is_pinned_is_listed_as_vulnerable() -> None:
    listed = json.loads((PROJECT / "deploy/release/advisories.json").read_text(encoding="utf-8"))
    named = re.findall(r'"([\w-]+)[=>]=([\d.]+)', PYPROJECT)
    assert "setuptools" in dict(named)
    assert [
        f"{row['package']} {version} {row['advisory']}"
        for row in listed["pip"]
        for name, version in named
        if name == row["package"] and numbers(row["from"]) <= numbers(version)
        if numbers(version) < numbers(row["fixed"])
    ] == []


def numbers(version: str) -> tuple[int, ...]:
    """Of a version, so that they compare."""
    return tuple(int(part) for part in version.split("."))
