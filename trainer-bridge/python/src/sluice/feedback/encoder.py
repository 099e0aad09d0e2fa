"""Avro encoding of feedback, whose entries are columns."""

from __future__ import annotations

import io
from collections.abc import Iterable

import fastavro
import numpy as np

from sluice import wire
from sluice.feedback.totals import DomainTotals

_SUM_BYTES = 8
_MOST_COUNT_BYTES = 10
_END_OF_ARRAY = b"\x00"


class FeedbackEncoder:
    """Encodes one record after the other; the encoded names are kept. Not thread-safe.

    Entries are laid out as rows of bytes, name, sum and count, of which some are not used: names
    end, and counts begin, at the same column.
    """

    def __init__(self) -> None:
        self._know(())

    def _know(self, names: Iterable[str]) -> None:
        self._rows = {name: row for row, name in enumerate(names)}
        encoded = [_encoded("string", name) for name in self._rows]
        self._width = max(map(len, encoded), default=0)
        self._names = np.zeros((len(encoded), self._width), np.uint8)
        self._used = np.zeros(self._names.shape, bool)
        for row, name in enumerate(encoded):
            self._names[row, self._width - len(name) :] = np.frombuffer(name, np.uint8)
            self._used[row, self._width - len(name) :] = True

    def encode(self, record: wire.Record, totals: DomainTotals) -> bytes:
        """TrainerFeedback of this record, which has no entries, and of these totals."""
        head, tail = wire.around("TrainerFeedback", "entries")
        out = io.BytesIO()
        out.write(wire.prefix("TrainerFeedback"))
        fastavro.schemaless_writer(out, head, record)
        out.write(_encoded("long", len(totals)))
        out.write(self._entries(totals))
        out.write(_END_OF_ARRAY)
        fastavro.schemaless_writer(out, tail, record)
        return out.getvalue()

    def _entries(self, totals: DomainTotals) -> bytes:
        if not self._rows.keys() >= set(totals.names):
            self._know([*self._rows, *(name for name in totals.names if name not in self._rows)])
        rows = np.fromiter(map(self._rows.__getitem__, totals.names), np.intp, len(totals))
        counts = self._width + _SUM_BYTES
        cells = np.empty((len(totals), counts + _MOST_COUNT_BYTES), np.uint8)
        used = np.ones(cells.shape, bool)
        cells[:, : self._width], used[:, : self._width] = self._names[rows], self._used[rows]
        sums = totals.sums.astype("<f8").view(np.uint8)
        cells[:, self._width : counts] = sums.reshape(-1, _SUM_BYTES)
        end = _write_counts(totals, cells[:, counts:], used[:, counts:])
        return cells[:, : counts + end][used[:, : counts + end]].tobytes()


def _write_counts(totals: DomainTotals, cells: np.ndarray, used: np.ndarray) -> int:
    """Writes a variable number of bytes for each count, which is positive; the most of them."""
    left = totals.counts.astype(np.uint64) << np.uint64(1)  # Avro's zigzag
    for column in range(_MOST_COUNT_BYTES):
        more = left > np.uint64(0x7F)
        cells[:, column] = (left & np.uint64(0x7F)) | (more * np.uint64(0x80))
        used[:, column + 1 :] = more[:, None]
        left >>= np.uint64(7)
        if not more.any():
            break
    return column + 1


def _encoded(schema: str, value: str | int) -> bytes:
    out = io.BytesIO()
    fastavro.schemaless_writer(out, schema, value)
    return out.getvalue()
