"""What was measured of some domains, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sluice.errors import InvalidFeedback

_SUM, _COUNT = itemgetter(0), itemgetter(1)


def on_host(values: Any) -> NDArray[np.float64]:
    """An array or a tensor, on any device, as numpy."""
    if hasattr(values, "detach"):
        values = values.detach().double().cpu().numpy()
    return np.asarray(values, dtype=np.float64)


class DomainTotals(Mapping[str, tuple[float, int]]):
    """Sums [k] and counts [k] of k domains, which nobody changes any more: both are copied.

    A mapping of domains to (sum, count), too. Feedback takes thousands of domains in this form
    in microseconds. Tensors are taken as well; a tensor of a GPU is waited for.
    """

    __slots__ = ("_places", "counts", "names", "sums")

    def __init__(self, names: Sequence[str], sums: Any, counts: Any) -> None:
        self.names = tuple(names)
        self.sums = np.array(on_host(sums))
        self.counts = _integers(counts)
        self._places: dict[str, int] | None = None
        if not self.sums.shape == self.counts.shape == (len(self.names),):
            raise InvalidFeedback(
                f"sums and counts must have one value for each of the {len(self.names)} domains: "
                f"shapes {self.sums.shape} and {self.counts.shape}"
            )
        self.sums.flags.writeable = self.counts.flags.writeable = False

    @staticmethod
    def uniform(names: Sequence[str], value: float) -> DomainTotals:
        """One observation of the same value for each."""
        return DomainTotals(names, np.full(len(names), value), np.ones(len(names), np.int64))

    @staticmethod
    def of(domains: Mapping[str, tuple[float, int]]) -> DomainTotals:
        """What a mapping holds; it is walked through, which takes a moment for each domain."""
        if isinstance(domains, DomainTotals):
            return domains
        values, size = domains.values(), len(domains)
        try:
            return DomainTotals(
                tuple(domains),
                np.fromiter(map(_SUM, values), np.float64, size),
                np.fromiter(map(_COUNT, values), np.int64, size),
            )
        except (TypeError, ValueError, OverflowError, IndexError) as error:
            raise InvalidFeedback(
                f"domains must have a (sum, count) each, count in [1, 2^63): {error}"
            ) from error

    def __getitem__(self, domain: str) -> tuple[float, int]:
        if self._places is None:
            self._places = {name: place for place, name in enumerate(self.names)}
        place = self._places[domain]
        return float(self.sums[place]), int(self.counts[place])

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"DomainTotals({dict(self)})"


def _integers(counts: Any) -> NDArray[np.int64]:
    if hasattr(counts, "detach"):
        counts = counts.detach().cpu().numpy()
    found = np.asarray(counts)
    if found.size and found.dtype.kind not in "iu":
        raise InvalidFeedback(f"counts must be integers: {found.dtype}")
    return np.array(found, dtype=np.int64)
