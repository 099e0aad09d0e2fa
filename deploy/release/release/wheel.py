"""Wheels of files that are there, with nothing in them that differs from build to build."""

from __future__ import annotations

import base64
import hashlib
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_REGULAR = 0o100644 << 16
_COMPRESSED = frozenset({".jar", ".gz", ".zip"})


@dataclass(frozen=True)
class Wheel:
    """What a wheel says of itself.

    Args:
        name: of the distribution.
        version: as Python writes it.
        tag: which machines it is for, such as ``py3-none-any``.
        headers: further ones of its METADATA, in order.
        description: in Markdown.
        entry_points: text of that file; empty for none.
    """

    name: str
    version: str
    tag: str
    headers: Sequence[tuple[str, str]]
    description: str
    entry_points: str = ""

    @property
    def file_name(self) -> str:
        """The only one that installers take it by."""
        return f"{self._stem}-{self.tag}.whl"

    @property
    def _stem(self) -> str:
        return f"{self.name.replace('-', '_')}-{self.version}"

    def write(
        self, folder: Path, files: Mapping[str, Path], licences: Sequence[Path], epoch: int
    ) -> Path:
        """Writes it with files by their names in it; gives the wheel."""
        wheel = folder / self.file_name
        information = f"{self._stem}.dist-info"
        records = []
        with zipfile.ZipFile(wheel, "w") as archive:
            for name, content in self._contents(files, licences, information):
                _put(archive, name, content, epoch)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
                records.append(f"{name},sha256={digest.decode()},{len(content)}\n")
            record = f"{information}/RECORD"
            _put(archive, record, "".join([*records, f"{record},,\n"]).encode(), epoch)
        return wheel

    def _contents(
        self, files: Mapping[str, Path], licences: Sequence[Path], information: str
    ) -> Iterator[tuple[str, bytes]]:
        for name in sorted(files):
            yield name, files[name].read_bytes()
        for licence in sorted(licences):
            yield f"{information}/licenses/{licence.name}", licence.read_bytes()
        yield f"{information}/METADATA", self._metadata(licences).encode()
        yield f"{information}/WHEEL", self._wheel().encode()
        if self.entry_points:
            yield f"{information}/entry_points.txt", self.entry_points.encode()

    def _metadata(self, licences: Sequence[Path]) -> str:
        headers = [
            ("Metadata-Version", "2.4"),
            ("Name", self.name),
            ("Version", self.version),
            *self.headers,
            *(("License-File", licence.name) for licence in sorted(licences)),
            ("Description-Content-Type", "text/markdown"),
        ]
        return "".join(f"{key}: {value}\n" for key, value in headers) + f"\n{self.description}"

    def _wheel(self) -> str:
        return (
            "Wheel-Version: 1.0\nGenerator: sluice\nRoot-Is-Purelib: "
            f"{str(self.tag.endswith('-any')).lower()}\nTag: {self.tag}\n"
        )


def _put(archive: zipfile.ZipFile, name: str, content: bytes, epoch: int) -> None:
    entry = zipfile.ZipInfo(name, time.gmtime(epoch)[:6])
    entry.external_attr = _REGULAR
    entry.create_system = 3  # A zip of another system than Unix has no modes.
    packed = Path(name).suffix in _COMPRESSED
    entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)
