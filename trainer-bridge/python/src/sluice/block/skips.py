"""Values of an encoded record, passed over by their type.

What ends too early is an IndexError.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from sluice.block.avro import integer, items, span
from sluice.errors import WireFormatError

Skip = Callable[[bytes, int], int]
"""Takes the bytes and where a value starts, and gives where the next one does."""

_SIZES = {"null": 0, "boolean": 1, "float": 4, "double": 8}


def skip(schema: Any) -> Skip:
    """What passes over a value of this type."""
    kind = schema["type"] if isinstance(schema, dict) else schema
    if isinstance(kind, list):
        return _skip_branch([skip(branch) for branch in kind])
    if kind == "array":
        texts = schema["items"] in ("string", "bytes")
        return skip_texts if texts else _skip_items(skip(schema["items"]))
    if kind == "map":
        return _skip_items(_skip_each([_skip_text, skip(schema["values"])]))
    if kind == "record":
        return _skip_each([skip(field["type"]) for field in schema["fields"]])
    if kind in _SIZES or kind == "fixed":
        size = schema["size"] if kind == "fixed" else _SIZES[kind]
        return lambda data, at: _within(data, at + size)
    if kind in ("string", "bytes"):
        return _skip_text
    if kind in ("int", "long", "enum"):
        return _skip_integer
    raise ValueError(f"a value of this type cannot be passed over: {schema}")


def _within(data: bytes, at: int) -> int:
    if at > len(data):
        raise IndexError(f"byte {at} of {len(data)}")
    return at


def _skip_integer(data: bytes, at: int) -> int:
    if data[at] < 0x80:
        return at + 1
    return at + 2 if data[at + 1] < 0x80 else integer(data, at)[1]


def _skip_text(data: bytes, at: int) -> int:
    return span(data, at)[1]


def _skip_each(skips: list[Skip]) -> Skip:
    return lambda data, at: reduce(lambda place, passed: passed(data, place), skips, at)


def _skip_branch(branches: list[Skip]) -> Skip:
    def passed(data: bytes, at: int) -> int:
        branch, at = integer(data, at)
        if not 0 <= branch < len(branches):
            raise WireFormatError(
                f"truncated or corrupt record: branch {branch} of {len(branches)} at byte {at}"
            )
        return branches[branch](data, at)

    return passed


def _skip_items(item: Skip) -> Skip:
    def passed(data: bytes, at: int) -> int:
        count, at = items(data, at)
        while count:
            for _ in range(count):
                at = item(data, at)
            count, at = items(data, at)
        return at

    return passed


def skip_texts(data: bytes, at: int) -> int:
    """Passes over an array of texts."""
    count, at = items(data, at)
    while count:
        for _ in range(count):
            length = data[at]
            if length & 0x81:
                _, at = span(data, at)
            else:
                at += 1 + (length >> 1)  # past the end, the next read fails
        count, at = items(data, at) if data[at] else (0, at + 1)
    return at
