"""A tokenizer's file from its parts on the topic of tokenizers."""

from __future__ import annotations

import hashlib

from sluice import wire
from sluice.errors import TokenizerUnavailable, WireFormatError

PART_BYTES = 512 << 10
MOST_BYTES = 64 << 20


class TokenizerParts:
    """The parts of the file with a digest, as they come in any order; the last of each counts.

    What is no part of that file is passed over, so all together are never more than a file may be.
    """

    def __init__(self, sha256: str) -> None:
        self._sha256 = sha256
        self._parts: dict[int, wire.Record] = {}

    def take(self, record: bytes) -> None:
        """Takes a record of the topic."""
        try:
            part = wire.decode_as("TokenizerPart", record)
        except WireFormatError:
            return
        if part["sha256"] == self._sha256 and _fits(part):
            self._parts[part["part"]] = part

    def content(self) -> bytes | None:
        """The file's content; None if there is no part of it."""
        if not self._parts:
            return None
        size = self._parts[min(self._parts)]["size"]
        found = [self._parts.get(part) for part in range(-(-size // PART_BYTES))]
        for number, part in enumerate(found):
            if part is None or part["size"] != size:
                raise self._refused(f"part {number} of {size} bytes is not there")
        content = b"".join(part["content"] for part in found if part is not None)
        digest = hashlib.sha256(content).hexdigest()
        if digest != self._sha256:
            raise self._refused(f"its {size} bytes have the SHA-256 {digest}")
        return content

    def _refused(self, why: str) -> TokenizerUnavailable:
        return TokenizerUnavailable(
            f"what the topic of tokenizers has of SHA-256 {self._sha256} is not that file: {why}"
        )


def _fits(part: wire.Record) -> bool:
    size, number = int(part["size"]), int(part["part"])
    if not (0 < size <= MOST_BYTES and 0 <= number <= (size - 1) // PART_BYTES):
        return False
    return len(part["content"]) == min(PART_BYTES, size - number * PART_BYTES)
