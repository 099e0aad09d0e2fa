"""Values of an encoded record, read where they lie: no length is trusted unchecked.

Each function takes the bytes and where a value starts, and gives the value and where the next one
starts. What ends too early is an IndexError.
"""

from __future__ import annotations

from sluice.errors import WireFormatError


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


def items(data: bytes, at: int) -> tuple[int, int]:
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


def texts(data: bytes, at: int) -> list[bytes]:
    """An array of texts, as UTF-8."""
    found: list[bytes] = []
    count, at = items(data, at)
    while count:
        for _ in range(count):
            at, end = span(data, at)
            found.append(data[at:end])
            at = end
        count, at = items(data, at)
    return found


def integers(data: bytes, at: int) -> tuple[list[int], int]:
    """An array of integers."""
    found: list[int] = []
    count, at = items(data, at)
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
        count, at = items(data, at) if data[at] else (0, at + 1)
    return found, at
