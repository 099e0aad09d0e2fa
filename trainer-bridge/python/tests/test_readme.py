"""The pieces of Python in the README do what it says, beside the first one (``test_torch``)."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sluice
from records import required, started
from senders import MemorySender, sent
from sluice.feedback import steps as reporting
from sluice.feedback.reporter import FeedbackReporter
from sluice.run.info import RunInfo
from sluice.stream.loader import Loader
from writers import DOMAINS, MemorySource, TestingStream, reader_over

PAGE = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^ *```python\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
PIECES = [dedent(code) for code in FENCED.findall(PAGE)]
STREAM = TestingStream(2, [4] * 6, batches=6)


def piece(word: str) -> str:
    """The only one with a word."""
    (found,) = (code for code in PIECES if word in code)
    return found


@pytest.fixture
def steps() -> Iterator[Loader]:
    source = MemorySource(2, waits=True)
    source.write(STREAM.sequences)
    metrics = [required("hardness", 3, of=["easy", "hard"])]
    spec = {"policy": "theirs", "updateEvery": 3, "metrics": metrics}
    run = RunInfo("r-1", STREAM.run.spec | spec)
    with Loader.over(reader_over(source, run, [started(run)])) as loader:
        yield loader


def execute(code: str, **names: Any) -> dict[str, Any]:
    exec(compile(code, "README.md", "exec"), {"sluice": sluice} | names, names)
    return names


def test_a_state_is_saved_after_its_feedback_and_goes_on(steps: Loader, tmp_path: Path) -> None:
    sender = MemorySender()

    def save(state: Any, path: Path) -> None:
        path.write_bytes(pickle.dumps(state))

    torch = SimpleNamespace(save=save, load=lambda path: pickle.loads(path.read_bytes()))
    steps.next()
    with FeedbackReporter(steps, sender=sender) as feedback:
        feedback.progress(1)
        execute(
            piece("torch.save"),
            feedback=feedback,
            steps=steps,
            model=SimpleNamespace(state_dict=dict),
            torch=torch,
            path=tmp_path / "state",
        )
        assert sent(sender) == [(None, 1)]
    assert steps.batch == 1
    assert steps.next().batch == 2


def test_losses_are_reported(steps: Loader) -> None:
    sender = MemorySender()
    step = steps.next()
    with FeedbackReporter(steps, sender=sender) as feedback:
        execute(
            piece("sum_nll"),
            feedback=feedback,
            step=step,
            part=step[0],
            sum_nll=5.0,
            tokens=2,
            nll_of_each_row=np.ones(len(step[0])),
            nonce="n",
        )
        feedback.flush()
    assert sent(sender) == [("eval_loss", 1), ("train_loss", 1)]
    assert "java" in DOMAINS


def test_a_metric_of_ones_own_is_measured(steps: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    sender = MemorySender()
    monkeypatch.setattr(
        reporting, "FeedbackReporter", lambda loader: FeedbackReporter(loader, sender=sender)
    )
    trained: list[int] = []
    execute(
        piece("def hardness"),
        steps=steps,
        model=None,
        judge=lambda model, names: [(name, 1.0, 1) for name in names],
        train=lambda step: trained.append(step.batch),
    )
    assert trained == [1, 2, 3, 4, 5, 6]
    assert [one for one in sent(sender) if one[0]] == [("hardness", 3), ("hardness", 6)]


def test_a_function_is_a_policy() -> None:
    mix = execute(piece("sluice.policy"), __name__="mix")["mix"]
    asked = sluice.Round(2, {"web": 0.4, "code": 0.6}, {"eval_loss": {"web": 3.0, "code": 2.0}})
    assert mix(asked) == {"web": 9.0, "code": 4.0}
    assert (mix.name, mix.access.bootstrap) == ("velo-small", "broker:9092")


@pytest.mark.parametrize("code", PIECES)
def test_it_names_what_there_is(code: str) -> None:
    used = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Attribute)]
    names = [
        node.attr for node in used if isinstance(node.value, ast.Name) and node.value.id == "sluice"
    ]
    assert [name for name in names if not hasattr(sluice, name)] == []
