"""What Maven's files say of the project, and where a build leaves what."""

from __future__ import annotations

import calendar
import re
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Project:
    """A checkout that has been built."""

    root: Path

    @property
    def version(self) -> str:
        """Maven's."""
        return self._said(r"<artifactId>sluice</artifactId>\s*<version>([^<]+)</version>")

    @property
    def python_version(self) -> str:
        """The same as Python writes it."""
        return re.sub(r"-SNAPSHOT$", ".dev0", self.version)

    @property
    def epoch(self) -> int:
        """The date of everything that is handed out, in seconds."""
        said = self._said(r"<project\.build\.outputTimestamp>([^<]+)<")
        return calendar.timegm(time.strptime(said, "%Y-%m-%dT%H:%M:%SZ"))

    @property
    def tarball(self) -> Path:
        """All but PyTorch's libraries, to be unpacked."""
        return self.root / f"deploy/lab/target/sluice-{self.version}.tar.gz"

    @property
    def bill_of_materials(self) -> Path:
        """What is in the tarball, as CycloneDX."""
        return self.root / f"deploy/lab/target/sluice-{self.version}-sbom.json"

    @property
    def flink_jar(self) -> Path:
        """The jobs for a Flink of one's own."""
        return self.root / f"flink-jobs/jobs/target/sluice-jobs-{self.version}-flink.jar"

    @property
    def natives(self) -> Path:
        """PyTorch's libraries, of the launcher's class path."""
        entries = (self.root / "deploy/lab/target/classpath").read_text(encoding="utf-8").split(":")
        (found,) = (Path(entry) for entry in entries if "pytorch-native-cpu" in entry)
        return found

    @property
    def python(self) -> Path:
        """Sources of the client."""
        return self.root / "trainer-bridge/python"

    @property
    def service(self) -> Path:
        """Sources of what finds the jars in a wheel."""
        return self.root / "deploy/release/sluice_service"

    def _said(self, pattern: str) -> str:
        found = re.search(pattern, (self.root / "pom.xml").read_text(encoding="utf-8"))
        if found is None:
            raise ValueError(f"pom.xml has no {pattern}")
        return found[1].strip()
