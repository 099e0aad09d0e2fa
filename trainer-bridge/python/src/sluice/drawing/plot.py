"""A picture of a run, for a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sluice.drawing.course import Course
from sluice.drawing.figure import DISTINCT, drawn
from sluice.history.reading import opened
from sluice.kafka.access import KafkaAccess
from sluice.run.directory import started_run
from sluice.run.info import RunInfo


@dataclass(frozen=True)
class RunPlot:
    """A picture of a run, which notebooks show; ``svg`` is its text, ``summary`` says what of."""

    svg: str = field(repr=False)
    summary: str

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x: auto">{self.svg}</div>'

    def __str__(self) -> str:
        return self.summary

    def save(self, file: str | Path) -> None:
        """Writes it as a file of SVG, in UTF-8."""
        Path(file).write_text(self.svg, encoding="utf-8")


def plot(
    run: str | RunInfo,
    bootstrap: str = "localhost:9092",
    prefix: str = "sluice.",
    *,
    top: int = DISTINCT,
    timeout: float = 30.0,
    config: Mapping[str, Any] | None = None,
) -> RunPlot:
    """Draws the weights of a run's granted batches, stacked, and the losses that its trainers
    reported, in nats per token, with the target losses of its policy dashed: of a run that was
    rewound, what stands.

    ``run`` is a name, of which the run that was started last is drawn, or a run such as
    ``steps.run``. The ``top`` domains that have had the greatest weights have colours and names of
    their own, from 1 to 14, and the others are one. Held-out losses are drawn, or, if there are
    none, those of training, which have no targets. In a notebook the last line of a cell shows the
    picture.

    Raises:
        ValueError: if ``top`` is not in its range.
        UnknownRun: if no run of the name is started within ``timeout`` seconds.
        KafkaUnreachable: if no broker answers.
    """
    if isinstance(top, bool) or not isinstance(top, int) or not 1 <= top <= DISTINCT:
        raise ValueError(f"top must be a whole number from 1 to {DISTINCT}: {top!r}")
    access = KafkaAccess(bootstrap, prefix, config or {})
    found = run if isinstance(run, RunInfo) else started_run(access, run, timeout)
    course = Course(found)
    with opened(access, found) as reading:
        reading.catch_up(course.add)
        reading.give_granted(course.add)
    return plot_of(course, top)


def plot_of(course: Course, top: int = DISTINCT) -> RunPlot:
    """The picture of what a course has taken."""
    summary = (
        f"run {course.run.run_id}: weights of {len(course.domains)} domains up to batch "
        f"{course.last}, losses at {len(course.losses)} steps"
    )
    return RunPlot(drawn(course, top), summary)
