"""Values of an encoded record, read where they lie: no length is trusted unchecked.

Each function takes the bytes and where a value starts, and gives where the next one does. What ends
too early is an IndexError.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from sluice.errors import WireFormatError

Skip = Callable[[bytes, int], int]
_SIZES = {"null": 0, "boolean": 1, "float": 4, "double": 8}


def encoded_integer(value: int) -> bytes:
    """Avro's zig-zag variable-length integer."""
    bits = ((value << 1) ^ (value >> 63)) & ((1 << 64) - 1)
    out = bytearray()
    while bits > 0x7F:
        out.append(bits & 0x7F | 0x80)
        bits >>= 7
    out.append(bits)
    return bytes(out)


def encoded_text(value: str) -> bytes:
    """Length and UTF-8."""
    encoded = value.encode()
    return encoded_integer(len(encoded)) + encoded


def integer(data: bytes, at: int) -> tuple[int, int]:
    """Avro's zig-zag variable-length integer, and where the next field starts."""
    byte = data[at]
    if byte < 0x80:
        return (byte >> 1) ^ -(byte & 1), at + 1
    bits = byte & 0x7F
    shift = 7
    while True:
        at += 1
        byte = data[at]
        bits |= (byte & 0x7F) << shift
        if shift >= 63 and byte > 1:
            raise WireFormatError(
                f"truncated or corrupt record: an integer of more than 64 bits at byte {at}"
            )
        if byte < 0x80:
            return (bits >> 1) ^ -(bits & 1), at + 1
        shift += 7


def span(data: bytes, at: int) -> tuple[int, int]:
    """Where a text or bytes start and end."""
    length, at = integer(data, at)
    if not 0 <= length <= len(data) - at:
        raise WireFormatError(
            f"truncated or corrupt record: {length} bytes at byte {at} of {len(data)}"
        )
    return at, at + length


def _items(data: bytes, at: int) -> tuple[int, int]:
    """Number of items in the next part of an array, 0 after the last."""
    count = data[at]
    if count & 0x81:
        count, at = integer(data, at)
        if count < 0:
            count = -count
            _, at = integer(data, at)
    else:
        count >>= 1
        at += 1
    if count > len(data) - at:
        raise WireFormatError(
            f"truncated or corrupt record: {count} items at byte {at} of {len(data)}"
        )
    return count, at


def integers(data: bytes, at: int) -> tuple[list[int], int]:
    """An array of integers."""
    found: list[int] = []
    count, at = _items(data, at)
    while count:
        for _ in range(count):
            value = data[at]
            if value < 0x80:
                at += 1
            else:
                high = data[at + 1]
                if high < 0x80:
                    value = value & 0x7F | high << 7
                    at += 2
                else:
                    value, at = integer(data, at)
                    found.append(value)
                    continue
            found.append((value >> 1) ^ -(value & 1))
        count, at = _items(data, at) if data[at] else (0, at + 1)
    return found, at


def _skip_texts(data: bytes, at: int) -> int:
    count, at = _items(data, at)
    while count:
        for _ in range(count):
            length = data[at]
            if length & 0x81:
                _, at = span(data, at)
            else:
                at += 1 + (length >> 1)  # past the end, the next read fails
        count, at = _items(data, at) if data[at] else (0, at + 1)
    return at


def skip(schema: Any) -> Skip:
    """What passes over a value of this type."""
    kind = schema["type"] if isinstance(schema, dict) else schema
    if isinstance(kind, list):
        return _skip_branch([skip(branch) for branch in kind])
    if kind == "array":
        texts = schema["items"] in ("string", "bytes")
        return _skip_texts if texts else _skip_items(skip(schema["items"]))
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
        count, at = _items(data, at)
        while count:
            for _ in range(count):
                at = item(data, at)
            count, at = _items(data, at)
        return at

    return passed
