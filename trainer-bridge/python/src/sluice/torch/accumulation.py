"""Gradient accumulation of frameworks that count micro-batches themselves."""

from __future__ import annotations

from sluice.errors import UnsuitableDataLoader
from sluice.stream.loader import Loader


def require_adds_up(steps: Loader, setting: str, accumulated: int, first: int, last: int) -> None:
    """Fails unless so many micro-batches are one step of every batch from ``first`` to ``last``.

    ``setting`` is the framework's name of the number.
    """
    found = list(steps.micro_batches(first, last))
    wrong = [(batch, parts) for batch, parts in found if parts != accumulated]
    if not wrong:
        return
    if len({parts for _, parts in found}) > 1:
        stretches = ", ".join(f"{parts} from batch {batch} on" for batch, parts in found)
        raise UnsuitableDataLoader(
            f"{setting} must be the micro-batches of every batch, of which run "
            f"{steps.run.run_id} has {stretches}: open the Loader without micro_batch, and set "
            f"{setting} to 1"
        )
    batch, parts = wrong[0]
    raise UnsuitableDataLoader(
        f"{setting} must be {parts}, the micro-batches of this rank in batch {batch} of run "
        f"{steps.run.run_id}: {accumulated} would train on something else"
    )
