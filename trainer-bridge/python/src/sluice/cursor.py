"""Reads an encoded TokenBlock where it lies: no copy of its tokens, no length trusted unchecked.

A rank reads hundreds of blocks for each step, so this walks the fields of TokenBlock.avsc by itself
instead of building a record of all of them. Fields are in the schema's order.
"""

from __future__ import annotations

from typing import NamedTuple

from sluice import wire
from sluice.errors import WireFormatError

_PREFIX = wire.prefix("TokenBlock")


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


def read_start(data: bytes) -> BlockStart:
    """The identity; nothing after it is looked at."""
    if data[:10] != _PREFIX:
        raise WireFormatError("its bytes are not an encoded TokenBlock")
    try:
        fingerprint, at = _integer(data, 10)
        at, end = _span(data, at)
        domain = data[at:end].decode()
        lane, at = _integer(data, end)
        ordinal, at = _integer(data, at)
    except (IndexError, UnicodeDecodeError) as error:
        raise WireFormatError(f"truncated or corrupt record: {error!r}") from error
    return BlockStart(fingerprint, domain, lane, ordinal, at)


def read_body(data: bytes, at: int) -> BlockBody:
    """The rest, from where the identity ended; checked to the last field."""
    try:
        width, at = _integer(data, at)
        tokens, end = _span(data, at)
        lengths, at = _integers(data, end)
        at = _skip_texts(data, at)
        _, at = _integer(data, at)
        masked, at = _integer(data, at)
        runs, at = _integers(data, at) if masked else (None, at)
        _, at = _span(data, at)
        payload, at = _integer(data, at)
        if payload:
            _span(data, at)
    except IndexError as error:
        raise WireFormatError(f"truncated or corrupt record: {error!r}") from error
    return BlockBody(width, tokens, end - tokens, lengths, runs)


def _integer(data: bytes, at: int) -> tuple[int, int]:
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
        if byte < 0x80:
            return (bits >> 1) ^ -(bits & 1), at + 1
        shift += 7
        if shift >= 70:
            raise WireFormatError(
                f"truncated or corrupt record: an integer of more than 10 bytes at byte {at}"
            )


def _span(data: bytes, at: int) -> tuple[int, int]:
    """Where a text or bytes start and end."""
    length, at = _integer(data, at)
    if not 0 <= length <= len(data) - at:
        raise WireFormatError(
            f"truncated or corrupt record: {length} bytes at byte {at} of {len(data)}"
        )
    return at, at + length


def _items(data: bytes, at: int) -> tuple[int, int]:
    """Number of items in the next part of an array, 0 after the last."""
    count, at = _integer(data, at)
    if count < 0:
        count = -count
        _, at = _integer(data, at)
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
            value, at = _integer(data, at)
            found.append(value)
        count, at = _items(data, at)
    return found, at


def _skip_texts(data: bytes, at: int) -> int:
    count, at = _items(data, at)
    while count:
        for _ in range(count):
            _, at = _span(data, at)
        count, at = _items(data, at)
    return at
