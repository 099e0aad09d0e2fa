"""What is known of a global batch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sluice.run.heaviest import TOP, heaviest, others, require_top
from sluice.run.info import RunInfo
from sluice.run.mixture import Mixture
from sluice.run.state import StreamState

_METRICS = "sluice/"


class Shape(Protocol):
    """Which global batch something is of."""

    @property
    def timeline(self) -> int:
        """The timeline that owns it."""

    @property
    def batch(self) -> int:
        """Its number, from 1."""

    @property
    def first_index(self) -> int:
        """Global index of its first sequence."""

    @property
    def batch_size(self) -> int:
        """Its sequences, over all ranks."""

    @property
    def weights_version(self) -> int:
        """Of the weights in force."""


class DataAge(NamedTuple):
    """How long ago the blocks of a rank's rows were committed, as far as they tell."""

    mean_seconds: float
    max_seconds: float


@dataclass(frozen=True, eq=False)
class StepInfo:
    """What every micro-batch of a step knows of its global batch.

    ``batch`` counts from 1, ``size`` is its sequences over all ranks, ``rows`` the rows of
    ``row_length`` labels that they are cut into, ``tokens_seen`` are the
    tokens of the run up to its end, ``update_every`` the steps between its policy's rounds, 0 for
    none; all ranks agree on these but the ``digest``, which is of this rank's rows: what they were
    before they were cut or masked, in [0, 2^64). ``mixture`` is None when this rank
    could not read the control log. ``wait_seconds`` is how long this rank waited for the step,
    ``wait_reason`` what for, and ``wait_causes`` the seconds of each cause, of
    :data:`~sluice.stream.exposed.CAUSES`. ``age`` is that of this rank's rows when it took them,
    None when none of them says when it was made.
    """

    run_id: str
    timeline: int
    batch: int
    first_index: int
    size: int
    weights_version: int
    domain_names: tuple[str, ...]
    tokens_seen: int
    row_length: int
    rows: int
    digest: int
    update_every: int = 0
    mixture: Mixture | None = None
    wait_seconds: float = 0.0
    wait_reason: str = ""
    wait_causes: Mapping[str, float] = field(default_factory=dict)
    age: DataAge | None = None

    @staticmethod
    def of(run: RunInfo, shape: Shape, digest: int, mixture: Mixture | None) -> StepInfo:
        """What is known of a batch before anybody waits for it; ``run`` is under the specification
        that governs it."""
        labels = run.row_length(shape.batch)
        return StepInfo(
            run_id=run.run_id,
            timeline=shape.timeline,
            batch=shape.batch,
            first_index=shape.first_index,
            size=shape.batch_size,
            weights_version=shape.weights_version,
            domain_names=run.domains,
            tokens_seen=(shape.first_index + shape.batch_size) * run.sequence_length,
            row_length=labels,
            rows=shape.batch_size * (run.sequence_length // labels),
            digest=digest,
            update_every=run.update_every,
            mixture=mixture,
        )

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """Weight of each domain in this batch; they sum to 1."""
        return None if self.mixture is None else self.mixture.weights

    @property
    def domain_tokens(self) -> NDArray[np.int64] | None:
        """Tokens seen of each domain, up to the end of this batch."""
        return None if self.mixture is None else self.mixture.tokens

    @property
    def epochs(self) -> NDArray[np.float64] | None:
        """Passes over each domain's blocks up to the end of this batch; NaN for a domain that is
        still prepared, since how many blocks it will have nobody knows."""
        return None if self.mixture is None else self.mixture.epochs

    @property
    def closes_round(self) -> bool:
        """Whether the policy waits for what is measured after this batch."""
        return self.update_every > 0 and self.batch % self.update_every == 0

    @property
    def end(self) -> StreamState:
        """The state of a trainer that has trained on this batch."""
        return StreamState(self.run_id, self.timeline, self.batch, self.first_index + self.size)

    def metrics(self, top: int | None = TOP) -> dict[str, float]:
        """Flat, for Weights & Biases or TensorBoard: numbers by keys that begin with ``sluice/``.

        ``sluice/weight/NAME``, ``sluice/tokens/NAME`` and ``sluice/epochs/NAME`` are of the ``top``
        domains with the greatest weights in this batch, of equal ones those that are first in the
        run; None is all domains. Where domains are left out, ``sluice/others/domains`` is how many,
        ``sluice/others/weight`` the sum of their weights and ``sluice/others/tokens`` that of their
        tokens. An epoch that is not known, as of a domain that is still prepared, has no key.

        Raises:
            ValueError: if ``top`` is no whole number from 0.
        """
        require_top(top)
        flat: dict[str, float] = {
            "batch": self.batch,
            "timeline": self.timeline,
            "weights_version": self.weights_version,
            "tokens_seen": self.tokens_seen,
            "row_length": self.row_length,
            "wait_seconds": self.wait_seconds,
        }
        if self.age is not None:
            flat["age_seconds/mean"] = self.age.mean_seconds
            flat["age_seconds/max"] = self.age.max_seconds
        if self.mixture is not None:
            flat |= self._of_domains(self.mixture, top)
        return {_METRICS + key: value for key, value in flat.items()}

    def _of_domains(self, mixture: Mixture, top: int | None) -> dict[str, float]:
        named = heaviest(mixture.weights, top)
        rest = others(named, mixture.weights.size)
        names = [self.domain_names[place] for place in named.tolist()]
        flat: dict[str, float] = {}
        for what, values in {
            "weight": mixture.weights,
            "tokens": mixture.tokens,
            "epochs": mixture.epochs,
        }.items():
            for name, value in zip(names, values[named].tolist(), strict=True):
                if value == value:  # not NaN
                    flat[f"{what}/{name}"] = value
        if rest.size:
            flat["others/domains"] = rest.size
            flat["others/weight"] = float(mixture.weights[rest].sum())
            flat["others/tokens"] = int(mixture.tokens[rest].sum())
        return flat
