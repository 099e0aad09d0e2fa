"""What a run's policy says of the gradients it compares."""

from __future__ import annotations

from typing import NamedTuple

from sluice.run.info import RunInfo


class ProbeOptions(NamedTuple):
    """Settings that the policy only checks, and trainers act on.

    ``training`` tells whether probe batches are of text that was trained on, as in algorithm 1 of
    the DGA paper (line 6), and not of held-out text; ``clip`` whether gradients are scaled down to
    norm 1.
    """

    training: bool
    clip: bool

    @staticmethod
    def of(run: RunInfo) -> ProbeOptions:
        """Those in the policy's settings, whose own policy may be nested in another."""
        return ProbeOptions(
            not _has(run, "probes", "held-out"), not _has(run, "clip-gradients", "false")
        )


def _has(run: RunInfo, name: str, value: str) -> bool:
    return any(
        found == value and (key == name or key.endswith("." + name))
        for key, found in run.spec["policySettings"].items()
    )
