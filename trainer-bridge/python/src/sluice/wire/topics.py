"""Names of the topics, under one prefix."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Topics:
    """The topics that a trainer uses."""

    prefix: str = "sluice."

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
        return f"{self.prefix}supply.{dataset}"

    def segments(self, dataset: str) -> str:
        """Which blocks of a dataset are in its store, and where; one partition."""
        return f"{self.prefix}segments.{dataset}"

    @property
    def datasets(self) -> str:
        """Specifications of the datasets, by name; one partition."""
        return f"{self.prefix}datasets"

    @property
    def tokenizers(self) -> str:
        """Files of the datasets' tokenizers, in parts; one partition."""
        return f"{self.prefix}tokenizers"

    @property
    def sets(self) -> str:
        """Sets of documents that are forgotten, or masked in some run; one partition."""
        return f"{self.prefix}sets"

    @property
    def status(self) -> str:
        """What the service says of every run, for people; one partition."""
        return f"{self.prefix}status"

    def eval(self, dataset: str, domain: str) -> str:
        """Held-out blocks of a domain."""
        return f"{self.prefix}eval.{dataset}.{domain}"
