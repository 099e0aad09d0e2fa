"""How the fields of a TokenBlock lie in its bytes.

A rank reads hundreds of blocks for each step, so they are not decoded: what a block is made of is
found in its bytes, by a layout that is compiled once from the schema that it was written with.
Fields that are not needed, or not known, are passed over by their type; those that are missing have
their defaults.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from sluice import wire
from sluice.block import avro
from sluice.block.skips import Skip, skip, skip_texts
from sluice.errors import WireFormatError

_NEEDED: dict[str, Any] = {
    "fingerprint": "long",
    "domain": "string",
    "lane": "int",
    "ordinal": "long",
    "tokenWidth": "int",
    "tokens": "bytes",
    "documentLengths": {"type": "array", "items": "int"},
    "documentIds": {"type": "array", "items": "string"},
    "lossMask": ["null", {"type": "array", "items": "int"}],
    "producedAtMillis": "long",
}
_HEAD = list(_NEEDED)[:6]
_MAY_MISS = {"lane", "documentIds", "lossMask", "producedAtMillis"}
_USUAL = ["lossMask", "contentType", "payload"]
_USUAL_BYTES = b"\x00\x0ctokens\x00"  # no mask, content type "tokens", no payload


class BlockStart(NamedTuple):
    """The fields that identify a block, and where the next field starts."""

    fingerprint: int
    domain: str
    lane: int
    ordinal: int
    end: int


class BlockBody(NamedTuple):
    """What follows the start: the tokens are ``size`` bytes from ``at`` on, the ids of documents
    from ``ids_at`` on, -1 without any.

    ``produced_at`` is in milliseconds since the epoch, 0 if unknown.
    """

    width: int
    at: int
    size: int
    document_lengths: list[int]
    ids_at: int
    mask_runs: list[int] | None
    produced_at: int


class BlockLayout:
    """The layout of one schema; what is needed has the order that it has today.

    ``is_plain`` tells that the fields up to the tokens are those of today and nothing else.
    """

    __slots__ = (
        "_after_mask",
        "_after_usual",
        "_before_ids",
        "_before_lengths",
        "_before_mask",
        "_dated",
        "_end",
        "_gaps",
        "_masked",
        "is_plain",
        "prefix",
    )

    def __init__(self, written: wire.Written) -> None:
        self.prefix = written.prefix
        fields: list[dict[str, Any]] = written.schema["fields"]
        names = [field["name"] for field in fields]
        self._gaps: dict[str, tuple[Skip, ...]] = {}
        start = 0
        for name, kind in _NEEDED.items():
            at = names.index(name) if name in names else -1
            if (at < start and (at >= 0 or name not in _MAY_MISS)) or not _is(fields, at, kind):
                raise ValueError(f"a block must have its field '{name}' as today: {names}")
            if at >= 0:
                self._gaps[name] = _skips(fields[start:at])
                start = at + 1
        self.is_plain = names[: len(_HEAD)] == _HEAD
        self._before_lengths = self._gaps["documentLengths"]
        self._before_ids = self._gaps.get("documentIds")
        self._before_mask = self._gaps.get("lossMask", ())
        self._masked, self._dated = "lossMask" in names, "producedAtMillis" in names
        self._end = _skips(fields[start:])
        self._after_mask = self._gaps.get("producedAtMillis", self._end)
        self._after_usual: tuple[Skip, ...] | None = None
        at = names.index("lossMask") if "lossMask" in names else len(names)
        if names[at : at + len(_USUAL)] == _USUAL:
            self._after_usual = self._after_mask[len(_USUAL) - 1 :]

    def encoded_start(self, fingerprint: int, domain: str) -> bytes:
        """What every block of a domain starts with, up to its lane, in a plain layout."""
        return self.prefix + avro.encoded_integer(fingerprint) + avro.encoded_text(domain)

    def start(self, data: bytes) -> BlockStart:
        """The identity; nothing after it is looked at."""
        try:
            fingerprint, at = avro.integer(data, self._to("fingerprint", data, len(self.prefix)))
            at, end = avro.span(data, self._to("domain", data, at))
            domain, at = data[at:end].decode(), end
            lane = 0
            if "lane" in self._gaps:
                lane, at = avro.integer(data, self._to("lane", data, at))
            ordinal, at = avro.integer(data, self._to("ordinal", data, at))
        except (IndexError, UnicodeDecodeError) as error:
            raise WireFormatError(f"truncated or corrupt record: {error!r}") from error
        return BlockStart(fingerprint, domain, lane, ordinal, at)

    def body(self, data: bytes, at: int) -> BlockBody:
        """The rest, from where the start ended; checked to the last field."""
        try:
            width, at = avro.integer(data, self._to("tokenWidth", data, at))
            tokens, end = avro.span(data, self._to("tokens", data, at))
            return BlockBody(width, tokens, end - tokens, *self.tail(data, end))
        except IndexError as error:
            raise WireFormatError(f"truncated or corrupt record: {error!r}") from error

    def tail(self, data: bytes, at: int) -> tuple[list[int], int, list[int] | None, int]:
        """Document lengths, where their ids start, mask runs and time of production, from where the
        tokens end; an IndexError tells of an end that came too early."""
        for passed in self._before_lengths:
            at = passed(data, at)
        lengths, at = avro.integers(data, at)
        ids_at = -1
        if self._before_ids is not None:
            for passed in self._before_ids:
                at = passed(data, at)
            ids_at, at = at, skip_texts(data, at)
        for passed in self._before_mask:
            at = passed(data, at)
        runs = None
        if self._after_usual is not None and data.startswith(_USUAL_BYTES, at):
            at, rest = at + len(_USUAL_BYTES), self._after_usual
        else:
            rest = self._after_mask
            if self._masked:
                masked, at = avro.integer(data, at)
                runs, at = avro.integers(data, at) if masked else (None, at)
        for passed in rest:
            at = passed(data, at)
        if not self._dated:
            return lengths, ids_at, runs, 0
        if not self._end:
            return lengths, ids_at, runs, _moment(data[at:])
        produced_at, at = avro.integer(data, at)
        for passed in self._end:
            at = passed(data, at)
        return lengths, ids_at, runs, produced_at

    def _to(self, name: str, data: bytes, at: int) -> int:
        """Passes over what lies before a field."""
        for passed in self._gaps[name]:
            at = passed(data, at)
        return at


def _skips(fields: list[dict[str, Any]]) -> tuple[Skip, ...]:
    return tuple(skip(field["type"]) for field in fields)


def _is(fields: list[dict[str, Any]], at: int, kind: Any) -> bool:
    return at < 0 or fields[at]["type"] == kind


@lru_cache(maxsize=4096)
def _moment(encoded: bytes) -> int:
    """Blocks that were committed together tell the same time."""
    return avro.integer(encoded, 0)[0]


LAYOUTS = {one.prefix: BlockLayout(one) for one in wire.schemas("TokenBlock")}
"""Of every schema that blocks are read from, by the bytes that they start with."""


def layout_of(data: bytes) -> BlockLayout:
    """How a block lies in these bytes."""
    found = LAYOUTS.get(data[:10])
    if found is None:
        raise WireFormatError("its bytes are not an encoded TokenBlock")
    return found
