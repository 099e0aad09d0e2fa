"""Names of the topics, under one prefix, or two where the datasets are shared."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PREFIXES = re.compile(r"[A-Za-z0-9._-]{0,64}(?::[A-Za-z0-9._-]{0,64})?")


@dataclass(frozen=True)
class Topics:
    """The topics that a trainer uses. ``prefixes`` is one, or that of the runs, ``:``, and that of
    the datasets."""

    prefixes: str = "sluice."

    def __post_init__(self) -> None:
        if not _PREFIXES.fullmatch(self.prefixes):
            raise ValueError(
                "prefix must be at most 64 letters, digits, '.', '_' or '-', or two such with a ':'"
                f" between: '{self.prefixes}'"
            )

    @property
    def prefix(self) -> str:
        """First part of every name that is not a dataset's."""
        return self.prefixes.partition(":")[0]

    @property
    def datasets_prefix(self) -> str:
        """First part of the names of what datasets have."""
        return self.prefixes.rpartition(":")[2]

    @property
    def control(self) -> str:
        """The control log that runs shared before each had its own."""
        return f"{self.prefix}control"

    def control_of(self, run_id: str) -> str:
        """The control log of one run, whose id is its name, a dot and a suffix."""
        return f"{self.control}.{run_id}"

    def stream(self, run: str) -> str:
        """The weighted token stream of a run."""
        return f"{self.prefix}stream.{run}"

    def feedback(self, run: str) -> str:
        """Feedback and progress of a run's trainers; one partition."""
        return f"{self.prefix}feedback.{run}"

    def supply(self, dataset: str) -> str:
        """How many blocks of each domain are prepared; one partition."""
        return f"{self.datasets_prefix}supply.{dataset}"

    def segments(self, dataset: str) -> str:
        """Which blocks of a dataset are in its store, and where; one partition."""
        return f"{self.datasets_prefix}segments.{dataset}"

    @property
    def datasets(self) -> str:
        """Specifications of the datasets, by name; one partition."""
        return f"{self.datasets_prefix}datasets"

    @property
    def tokenizers(self) -> str:
        """Files of the datasets' tokenizers, in parts; one partition."""
        return f"{self.datasets_prefix}tokenizers"

    @property
    def sets(self) -> str:
        """Sets of documents that are forgotten, or masked in some run; one partition."""
        return f"{self.datasets_prefix}sets"

    @property
    def status(self) -> str:
        """What the service says of every run, for people; one partition."""
        return f"{self.prefix}status"

    def eval(self, dataset: str, domain: str) -> str:
        """Held-out blocks of a domain."""
        return f"{self.datasets_prefix}eval.{dataset}.{domain}"
