"""Draws a run's weights, stacked, and beside them its losses with their targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sluice.drawing.axis import Axis
from sluice.drawing.course import Course
from sluice.drawing.svg import Svg, number
from sluice.wire.metrics import EVAL_LOSS, PERPLEXITY

_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#8a7f00")
_LIGHTER = ("#80b8d8", "#f2cf80", "#80ceb9", "#eaae80", "#e5bcd3", "#aad9f4", "#c4bf80")
_OTHERS = "#999999"
DISTINCT = len(_COLOURS) + len(_LIGHTER)
"""Domains that have a colour of their own, which people with any common colour blindness tell apart
from the others."""
_INK = "#333333"
_WIDTH, _HEIGHT = 440.0, 280.0  # of a panel
_LEFT, _RIGHT, _ABOVE, _BELOW = 56.0, 14.0, 28.0, 42.0
_LINE, _COLUMN = 16.0, 220.0  # of the legend
_LONGEST = 32  # characters of a name


def _colour(style: int) -> str:
    return (*_COLOURS, *_LIGHTER, _OTHERS)[min(style, DISTINCT)]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


@dataclass(frozen=True)
class _Panel:
    """A rectangle of a picture with two axes."""

    svg: Svg
    left: float
    x: Axis
    y: Axis

    def place(self, x: float, y: float) -> str:
        return f"{number(self._x(x))},{number(self._y(y))}"

    def _x(self, value: float) -> float:
        return self.left + _LEFT + (_WIDTH - _LEFT - _RIGHT) * self.x.at(value)

    def _y(self, value: float) -> float:
        return _HEIGHT - _BELOW - (_HEIGHT - _ABOVE - _BELOW) * self.y.at(value)

    def frame(self, title: str, unit: str) -> None:
        left, low = self._x(self.x.low), self._y(self.y.low)
        right, high = self._x(self.x.high), self._y(self.y.high)
        for tick in self.y.ticks():
            at = self._y(tick)
            self._rule(left - 4, at, left, at)
            self.svg.text(left - 7, at + 4, self.y.label(tick), text_anchor="end", fill=_INK)
        for tick in self.x.ticks():
            at = self._x(tick)
            self._rule(at, low, at, low + 4)
            self.svg.text(at, low + 16, self.x.label(tick), text_anchor="middle", fill=_INK)
        self._rule(left, high, left, low)
        self._rule(left, low, right, low)
        self.svg.text(left, high - 10, title, font_size=12.0, font_weight="bold")
        self.svg.text((left + right) / 2, low + 33, "batch", text_anchor="middle", fill=_INK)
        x, y = self.left + 13, (low + high) / 2
        turned = f"rotate(-90 {number(x)} {number(y)})"
        self.svg.text(x, y, unit, text_anchor="middle", fill=_INK, transform=turned)

    def _rule(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.svg.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=_INK)

    def say(self, what: str) -> None:
        middle = self.left + (_LEFT + _WIDTH - _RIGHT) / 2
        self.svg.text(middle, _HEIGHT / 2, what, text_anchor="middle", fill=_INK)

    def area(
        self, x: Sequence[float], low: Sequence[float], high: Sequence[float], **how: str
    ) -> None:
        upper = [self.place(*at) for at in zip(x, high, strict=True)]
        lower = [self.place(*at) for at in zip(x, low, strict=True)]
        points = " ".join([*upper, *reversed(lower)])
        self.svg.add("polygon", points=points, stroke="#ffffff", stroke_width=0.4, **how)

    def line(self, points: Sequence[tuple[float, float]], title: str, **how: str) -> None:
        path = " L".join(self.place(*point) for point in points)
        self.svg.add("path", title, d=f"M{path}", fill="none", stroke_width=1.6, **how)

    def dot(self, x: float, y: float, title: str, **how: str) -> None:
        self.svg.add("circle", title, cx=self._x(x), cy=self._y(y), r=2.5, **how)


def drawn(course: Course, top: int) -> str:
    """The picture of a course, in which ``top`` domains have a colour of their own."""
    shown = course.greatest(min(top, DISTINCT))
    named = [course.domains[place] for place in shown]
    rest = len(course.domains) - len(shown)
    others = f"{rest} other{'s' if rest > 1 else ''}"
    entries = [*map(_short, named), *([others] if rest else [])]
    panels = 2 if course.losses else 1
    columns = max(1, int((panels * _WIDTH - _LEFT) // _COLUMN))
    rows = -(-len(entries) // columns)
    svg = Svg(
        panels * _WIDTH, _HEIGHT + rows * _LINE + 10, f"run {course.run.name}: what was mixed"
    )
    x = Axis.exact(max(course.first - 1, 0), max(course.last, 1))
    _weights(_Panel(svg, 0, x, Axis.exact(0, 1)), course, shown)
    if course.losses:
        _losses(svg, x, course, shown)
    for place, name in enumerate(entries):
        style = place if place < len(shown) else DISTINCT
        at_x = _LEFT + (place % columns) * _COLUMN
        at_y = _HEIGHT + (place // columns) * _LINE
        svg.add("rect", x=at_x, y=at_y, width=10.0, height=10.0, fill=_colour(style))
        svg.text(at_x + 15, at_y + 9, name, fill=_INK)
    return svg.closed()


def _weights(panel: _Panel, course: Course, shown: list[int]) -> None:
    if course.weights:
        ends = [point.batch - 1 for point in course.weights[1:]] + [course.last]
        begins = [max(course.weights[0].batch - 1, 0), *ends[:-1]]
        x = [float(at) for pair in zip(begins, ends, strict=True) for at in pair]
        values = np.array([np.nan_to_num(course.of(point.values)) for point in course.weights])
        stacked = np.zeros(len(values))
        layers = [(values[:, place], course.domains[place]) for place in shown]
        others = 1 - values[:, shown].sum(axis=1)
        if len(shown) < len(course.domains):
            layers.append((np.maximum(others, 0), "others"))
        for style, (heights, name) in enumerate(layers):
            low, stacked = stacked, stacked + heights
            twice = [np.repeat(edge, 2).tolist() for edge in (low, stacked)]
            colour = _colour(style if style < len(shown) else DISTINCT)
            panel.area(x, *twice, title=name, fill=colour)
    else:
        panel.say("no batch is granted yet")
    panel.frame(f"{_short(course.run.name)}: weights", "weight")


def _losses(svg: Svg, x: Axis, course: Course, shown: list[int]) -> None:
    values = np.array([course.of(point.values)[shown] for point in course.losses])
    held_out = course.metric == EVAL_LOSS
    targets = course.targets[shown] if held_out else np.full(len(shown), np.nan)
    seen = np.append(values, targets)
    seen = seen[np.isfinite(seen)]
    low, high = (float(seen.min()), float(seen.max())) if seen.size else (0.0, 1.0)
    panel = _Panel(svg, _WIDTH, x, Axis.covering(low, high))
    batches = [float(point.batch) for point in course.losses]
    for style, place in enumerate(shown):
        name, colour = course.domains[place], _colour(style)
        points = [
            (at, float(loss))
            for at, loss in zip(batches, values[:, style], strict=True)
            if np.isfinite(loss)
        ]
        if len(points) > 1:
            panel.line(points, name, stroke=colour)
        for at, loss in points[:1] if len(points) == 1 else []:
            panel.dot(at, loss, name, fill=colour)
        target = float(targets[style])
        if np.isfinite(target):
            level = [(x.low, target), (x.high, target)]
            panel.line(level, f"target of {name}", stroke=colour, stroke_dasharray="2 3")
    unit = PERPLEXITY if course.metric == PERPLEXITY else "nats per token"
    panel.frame(f"{_short(course.run.name)}: {course.metric}", unit)
