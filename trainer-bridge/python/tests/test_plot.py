"""What the picture of a run holds, read as XML."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import sluice
from broker import Broker
from sluice import wire
from sluice.drawing.axis import Axis
from sluice.drawing.course import Course
from sluice.drawing.figure import DISTINCT
from sluice.drawing.plot import RunPlot, plot_of
from sluice.drawing.svg import Svg, escaped, number
from sluice.history.row import Row
from sluice.run.info import RunInfo
from steered import ONE, TOPIC, Service, Topic, report
from told import TOLD, progress, reading, trained
from writers import DOMAINS

SVG = "{http://www.w3.org/2000/svg}"
MAY = {"svg", "rect", "line", "path", "polygon", "circle", "text", "title"}
HOSTILE = [
    "<script>alert(1)</script>",
    '"/><svg onload="x',
    "a&b;<!--",
    "]]>\x00\x1b\ud800\ufffe",
    "'é漢😀",
]


def picture(plot: RunPlot) -> ElementTree.Element:
    """Of a plot; nothing is in it that could do anything."""
    root = ElementTree.fromstring(plot.svg)
    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= MAY
    assert not any(
        name.startswith("on") or "href" in name for one in root.iter() for name in one.attrib
    )
    return root


def titled(root: ElementTree.Element, tag: str) -> dict[str, ElementTree.Element]:
    """Elements of a kind by the name that is shown where somebody points at one."""
    return {str(one.findtext(f"{SVG}title")): one for one in root.iter(SVG + tag) if len(one)}


def texts(root: ElementTree.Element) -> list[str]:
    return [str(one.text) for one in root.iter(SVG + "text")]


def areas(root: ElementTree.Element) -> list[list[tuple[float, float]]]:
    """Corners of each polygon."""
    return [
        [(float(x), float(y)) for x, y in (at.split(",") for at in str(one.get("points")).split())]
        for one in root.iter(SVG + "polygon")
    ]


def course_of(service: Service, topic: Topic, run: RunInfo = TOLD) -> Course:
    course = Course(run)
    one = reading(service, topic)
    one.catch_up(course.add)
    one.give_granted(course.add)
    return course


@pytest.mark.parametrize("seed", range(4))
def test_weights_are_stacked_and_fill_the_panel(seed: int) -> None:
    made = trained(seed, rewinds=seed % 2)
    root = picture(plot_of(course_of(made.service, made.topic)))
    found = areas(root)
    assert len(found) == len(DOMAINS)
    versions = [made.weights[mark] for mark in made.stands[::2]]
    bottom, top = 280 - 42, 28
    for place, corners in enumerate(found):
        half = len(corners) // 2
        upper, lower = corners[:half:2], corners[: half - 1 : -2]
        heights = [low[1] - up[1] for up, low in zip(upper, lower, strict=True)]
        expected = [(bottom - top) * weights[place] / ONE for weights in versions]
        assert heights == pytest.approx(expected, abs=0.011)
        assert [up[0] for up in upper] == [low[0] for low in lower]
    for below, above in pairwise(found):
        half = len(below) // 2
        assert below[:half] == above[: half - 1 : -1]
    assert {y for _, y in found[-1][: len(found[-1]) // 2]} == {top}
    assert {y for _, y in found[0][len(found[0]) // 2 :]} == {bottom}


def test_losses_are_lines_and_targets_are_dashed() -> None:
    made = trained(1)
    root = picture(plot_of(course_of(made.service, made.topic)))
    lines = titled(root, "path")
    assert set(lines) == {*DOMAINS, "target of java"}
    steps = [mark for mark in made.stands if mark in made.losses]
    for place, name in enumerate(DOMAINS):
        points = [at.split(",") for at in str(lines[name].get("d"))[1:].split(" L")]
        assert len(points) == len(steps)
        losses = [made.losses[mark][place] for mark in steps]
        rising = sorted(range(len(losses)), key=lambda at: losses[at])
        assert sorted(range(len(points)), key=lambda at: -float(points[at][1])) == rising
        assert "stroke-dasharray" not in lines[name].attrib
    target = str(lines["target of java"].get("d"))
    assert lines["target of java"].get("stroke-dasharray") == "2 3"
    assert lines["target of java"].get("stroke") == lines["java"].get("stroke")
    assert len({at.split(",")[1] for at in target[1:].split(" L")}) == 1
    assert {"r: weights", "r: eval_loss", "nats per token", "weight", "batch"} <= set(texts(root))


def test_hostile_names_are_text() -> None:
    run = RunInfo("r-1", TOLD.spec | {"domains": HOSTILE, "run": HOSTILE[0]})
    size = len(HOSTILE)
    course = Course(run)
    course.add(row(1, np.full(size, 1 / size), tuple(HOSTILE)))
    plot = plot_of(course)
    root = picture(plot)
    shown = [
        name.translate({0: 0xFFFD, 0x1B: 0xFFFD, 0xD800: 0xFFFD, 0xFFFE: 0xFFFD})
        for name in HOSTILE
    ]
    assert set(shown) <= set(texts(root))
    assert set(titled(root, "polygon")) == set(shown)
    assert "<script" not in plot._repr_html_()
    plot.svg.encode()


def row(batch: int, weights: Any, domains: tuple[str, ...], **losses: Any) -> Row:
    nothing = np.full(len(domains), np.nan)
    return Row(0, batch, 0.0, 0, 1, 0, domains, weights, weights, losses, nothing)


def test_the_greatest_of_thousands_are_named_and_the_others_are_one() -> None:
    names = tuple(f"d{place}" for place in range(4096))
    course = Course(RunInfo("r-1", TOLD.spec | {"domains": list(names)}))
    rng = random.Random(3)
    peaks = np.zeros(4096)
    for batch in range(1, 40):
        weights = np.array([rng.random() ** 40 for _ in names])
        weights /= weights.sum()
        peaks = np.maximum(peaks, weights)
        course.add(row(batch, weights, names, train_loss=weights))
    root = picture(plot_of(course, top=5))
    best = sorted(range(4096), key=lambda place: -peaks[place])[:5]
    expected = {names[place] for place in best}
    assert set(titled(root, "polygon")) == {*expected, "others"}
    assert set(titled(root, "path")) == expected
    assert "4091 others" in texts(root)
    assert len(plot_of(course).svg) < 100_000
    assert "r: train_loss" in texts(root)


def test_a_long_run_is_thinned_to_what_can_be_seen() -> None:
    course = Course(TOLD)
    domains = tuple(DOMAINS)
    for batch in range(1, 5001):
        share = batch / 5000
        weights = np.array([share, 1 - share, 0.0])
        course.add(row(batch, weights, domains, perplexity=1 + weights))
    assert (course.first, course.last) == (1, 5000)
    assert 400 <= len(course.weights) <= 801
    assert 400 <= len(course.losses) <= 801
    first = areas(picture(plot_of(course)))[0]
    upper = [y for _, y in first[: len(first) // 2]]
    assert upper == sorted(upper, reverse=True)
    assert "perplexity" in texts(picture(plot_of(course)))


def test_domains_that_were_added_later_had_no_weight_before() -> None:
    course = Course(TOLD)
    course.add(row(1, np.array([1.0]), ("a",), eval_loss=np.array([2.0])))
    course.add(row(2, np.array([0.5, 0.5]), ("a", "b"), eval_loss=np.array([2.0, 3.0])))
    root = picture(plot_of(course))
    assert list(titled(root, "polygon")) == ["a", "b"]
    assert list(titled(root, "path")) == ["a"]
    assert list(titled(root, "circle")) == ["b"]


def test_a_run_without_batches_says_so() -> None:
    plot = plot_of(Course(TOLD))
    assert "no batch is granted yet" in texts(picture(plot))
    assert str(plot) == "run r-1: weights of 3 domains up to batch 0, losses at 0 steps"


def test_draws_a_run_by_a_broker_s_address(tmp_path: Path) -> None:
    broker, service = Broker(), Service(TOLD)
    service.grant(2)
    service.grant(3)
    for one in service.records:
        broker.write("sluice.control", "ControlRecord", one)
    for value in (progress(1), report(2)):
        broker.write(TOPIC, *wire.decode(value))
    plot = sluice.plot("r", broker.bootstrap)
    assert repr(plot) == f"RunPlot(summary='{plot}')"
    assert str(plot) == "run r-1: weights of 3 domains up to batch 3, losses at 1 steps"
    assert set(titled(picture(plot), "circle")) == set(DOMAINS)
    assert plot._repr_svg_() in plot._repr_html_()
    plot.save(tmp_path / "r.svg")
    assert (tmp_path / "r.svg").read_text(encoding="utf-8") == plot.svg
    assert sluice.plot(TOLD, broker.bootstrap, top=1).summary == plot.summary


@pytest.mark.parametrize("top", [0, DISTINCT + 1, True, 2.0])
def test_a_number_of_domains_that_is_none_is_refused(top: Any) -> None:
    with pytest.raises(ValueError, match=f"top must be a whole number from 1 to 14: {top}"):
        sluice.plot("r", top=top)


@pytest.mark.parametrize("seed", range(20))
def test_ticks_are_few_and_cover_the_data(seed: int) -> None:
    rng = random.Random(seed)
    low = rng.uniform(-1, 1) * 10 ** rng.uniform(-3, 6)
    high = low + rng.choice([0, 1]) * 10 ** rng.uniform(-3, 6)
    axis = Axis.covering(low, high)
    ticks = axis.ticks()
    assert axis.low <= low <= high <= axis.high
    assert 2 <= len(ticks) <= 9
    assert len({axis.label(tick) for tick in ticks}) == len(ticks) or max(map(abs, ticks)) >= 1e5
    assert Axis.exact(3, 3).at(3) == 0


def test_numbers_and_texts_are_as_svg_has_them() -> None:
    assert [number(value) for value in (1, 0.5, 2 / 3, -0.001)] == ["1", "0.50", "0.67", "0"]
    assert escaped("<a b='c' d=\"e\">&\x07\n") == "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;�\n"
    svg = Svg(10, 5, 'say "hi"')
    svg.add("rect", title="<t>", stroke_width=1.5)
    root = ElementTree.fromstring(svg.closed())
    assert root.get("aria-label") == 'say "hi"'
    (added,) = titled(root, "rect").items()
    assert added[0] == "<t>"
    assert added[1].attrib == {"stroke-width": "1.50"}
