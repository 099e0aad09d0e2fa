"""Reads an encoded TokenBlock where it lies: no copy of its tokens, no length trusted unchecked.

A rank reads hundreds of blocks for each step, so this walks the fields of TokenBlock.avsc by itself
instead of building a record of all of them. Fields are in the schema's order.
"""

from __future__ import annotations

from typing import NamedTuple

from sluice import wire
from sluice.errors import WireFormatError

_PREFIX = wire.prefix("TokenBlock")
_PLAIN_END = b"\x00\x0ctokens\x00"  # no mask, content type "tokens", no payload


class BlockStart(NamedTuple):
    """The fields that identify a block, and where the next field starts."""

    fingerprint: int
    domain: str
    lane: int
    ordinal: int
    end: int


class BlockBody(NamedTuple):
    """What follows: the tokens are ``size`` bytes from ``at`` on."""

    width: int
    at: int
    size: int
    document_lengths: list[int]
    mask_runs: list[int] | None


def encoded_start(fingerprint: int, domain: str) -> bytes:
    """What every block of a domain starts with, up to its lane."""
    name = domain.encode()
    return _PREFIX + encoded_integer(fingerprint) + encoded_integer(len(name)) + name


def encoded_integer(value: int) -> bytes:
    """Avro's zig-zag variable-length integer."""
    bits = ((value << 1) ^ (value >> 63)) & ((1 << 64) - 1)
    out = bytearray()
    while bits > 0x7F:
        out.append(bits & 0x7F | 0x80)
        bits >>= 7
    out.append(bits)
    return bytes(out)


def read_start(data: bytes) -> BlockStart:
    """The identity; nothing after it is looked at."""
    if data[:10] != _PREFIX:
        raise WireFormatError("its bytes are not an encoded TokenBlock")
    try:
        fingerprint, at = integer(data, 10)
        at, end = _span(data, at)
        domain = data[at:end].decode()
        lane, at = integer(data, end)
        ordinal, at = integer(data, at)
    except (IndexError, UnicodeDecodeError) as error:
        raise WireFormatError(f"truncated or corrupt record: {error!r}") from error
    return BlockStart(fingerprint, domain, lane, ordinal, at)


def read_body(data: bytes, at: int) -> BlockBody:
    """The rest, from where the identity ended; checked to the last field."""
    try:
        width, at = integer(data, at)
        tokens, end = _span(data, at)
        lengths, runs = read_tail(data, end)
    except IndexError as error:
        raise WireFormatError(f"truncated or corrupt record: {error!r}") from error
    return BlockBody(width, tokens, end - tokens, lengths, runs)


def read_tail(data: bytes, at: int) -> tuple[list[int], list[int] | None]:
    """Document lengths and mask runs, from where the tokens end; an IndexError tells of an end
    that came too early."""
    lengths, at = _integers(data, at)
    at = _skip_texts(data, at)
    _, at = integer(data, at)
    if data.startswith(_PLAIN_END, at):
        return lengths, None
    masked, at = integer(data, at)
    runs, at = _integers(data, at) if masked else (None, at)
    _, at = _span(data, at)
    payload, at = integer(data, at)
    if payload:
        _span(data, at)
    return lengths, runs


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


def _span(data: bytes, at: int) -> tuple[int, int]:
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


def _integers(data: bytes, at: int) -> tuple[list[int], int]:
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
                _, at = _span(data, at)
            else:
                at += 1 + (length >> 1)  # past the end, the next read fails
        count, at = _items(data, at) if data[at] else (0, at + 1)
    return at
