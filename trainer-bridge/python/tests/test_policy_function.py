"""What a Python function may answer, to a run and to the simulator."""

from __future__ import annotations

import io
import json
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sluice.errors import InvalidWeights, PolicyFailed, WireFormatError
from sluice.kafka.access import KafkaAccess
from sluice.steering.policy import RunPolicy, policy
from sluice.steering.round import Round
from steered import by_loss
from writers import DOMAINS

EXAMPLES = Path(__file__).parents[1] / "examples"
ASKED = Round(4, {"java": 0.5, "prose": 0.25, "config": 0.25})


def test_a_decorator_without_a_call_is_refused() -> None:
    with pytest.raises(TypeError, match="must be called"):
        policy(lambda asked: None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"web": 1}, "unknown domain 'web' (1): the run has java, prose, config"),
        ({"java": float("nan")}, "weight of domain 'java' must be a number in [0, 1e+09]: nan"),
        ({"prose": -0.5}, "weight of domain 'prose' must be a number in [0, 1e+09]: -0.5"),
        ({"prose": 2e9}, "weight of domain 'prose' must be a number in [0, 1e+09]: 2000000000.0"),
        ({"java": "much"}, "weight of domain 'java' must be a number in [0, 1e+09]: 'much'"),
        ([1, 2], "weights must be one for each of the 3 domains java, prose, config: shape (2,)"),
        ([1, float("inf"), 2], "weight of domain 'prose' must be a number in [0, 1e+09]: inf"),
        ("all", "weights must be a mapping of domains, or an array of 3 numbers: 'all'"),
        (dict.fromkeys(DOMAINS, 0), "one of the weights must be above 0: all are 0"),
    ],
)
def test_an_answer_that_no_run_could_follow_is_refused(
    answer: Any, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    def mix(asked: Round) -> Any:
        return answer

    with pytest.raises(InvalidWeights) as refused:
        policy()(mix)(ASKED)
    assert str(refused.value) == f"policy mix at step 4: {message}"
    assert policy(on_error="keep")(mix)(ASKED) == ASKED.weights
    assert caplog.messages == [f"the weights of step 4 are kept: {refused.value}"]


def test_weights_are_by_domain_or_in_order() -> None:
    assert policy()(lambda asked: np.array([1, 2, 3]))(ASKED) == dict(
        zip(DOMAINS, [1, 2, 3], strict=True)
    )
    assert policy()(lambda asked: {"java": np.float32(2)})(ASKED) == {"java": 2.0}
    assert policy()(lambda asked: {})(ASKED) == ASKED.weights
    assert policy()(lambda asked: None)(ASKED) == ASKED.weights


def test_what_a_function_raises_is_told_with_its_step() -> None:
    @policy()
    def mix(asked: Round) -> dict[str, float]:
        return {"java": 1 / len(asked.losses)}

    message = "policy mix at step 4 failed: ZeroDivisionError: division by zero"
    with pytest.raises(PolicyFailed, match=message) as failed:
        mix(ASKED)
    assert isinstance(failed.value.__cause__, ZeroDivisionError)
    with pytest.raises(ValueError, match="on_error must be 'stop' or 'keep': 'go'"):
        policy(on_error="go")(lambda asked: None)  # type: ignore[arg-type]


def test_answers_the_lines_of_the_simulator(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @policy("r")
    def mix(asked: Round) -> dict[str, float]:
        print("thinks")
        return {name: asked.losses[name] * asked.weights[name] for name in asked.losses}

    lines = [
        {"step": 2, "weights": {"a": 0.5, "b": 0.5}, "eval_loss": {"a": 2.0, "b": 4.0}},
        {"step": 4, "weights": {"a": 0.5, "b": 0.5}, "eval_loss": {"a": 2.0, "b": "NaN"}},
    ]
    monkeypatch.setenv("SLUICE_EXTERNAL", "lines")
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(json.dumps(one) + "\n" for one in lines)))
    mix.main([])
    said = capsys.readouterr()
    assert list(map(json.loads, said.out.splitlines())) == [
        {"weights": {"a": 1.0, "b": 2.0}},
        {"weights": {"a": 1.0}},
    ]
    assert said.err == "thinks\nthinks\n"
    with pytest.raises(WireFormatError, match="a round must be a line of JSON"):
        mix.simulate(io.StringIO("7\n"), io.StringIO())


def test_as_a_program_it_follows_the_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = list[RunPolicy]()
    monkeypatch.setattr(RunPolicy, "run", lambda self: ran.append(self))
    file = tmp_path / "kafka.properties"
    file.write_text("security.protocol=SSL\n", encoding="utf-8")
    by_loss.main([])
    by_loss.main(
        ["--run", "s", "--bootstrap", "b:1", "--prefix", "p.", "--kafka-config", str(file)]
    )
    assert [one.name for one in ran] == ["r", "s"]
    assert ran[0].access == by_loss.access
    assert ran[1].access == KafkaAccess("b:1", "p.", {"security.protocol": "SSL"})
    with pytest.raises(SystemExit):
        policy()(lambda asked: None).main([])
    assert "--run" in capsys.readouterr().err


def test_the_actor_critic_prefers_the_domain_that_improves_most() -> None:
    mix: RunPolicy = runpy.run_path(str(EXAMPLES / "actor_critic.py"))["mix"]
    asked = {"fast": 1 / 3, "slow": 1 / 3, "still": 1 / 3}
    trained = dict.fromkeys(asked, 1.0)
    slopes = {"fast": 0.5, "slow": 0.1, "still": 0.0}
    shares = []
    for step in range(1, 31):
        losses = {name: 3 * trained[name] ** -slope for name, slope in slopes.items()}
        line = json.dumps({"step": step, "weights": asked, "eval_loss": losses})
        answers = io.StringIO()
        assert mix.simulate(io.StringIO(line + "\n"), answers) == 1
        weights = json.loads(answers.getvalue())["weights"]
        asked = {name: weight / sum(weights.values()) for name, weight in weights.items()}
        trained = {name: trained[name] + asked[name] for name in trained}
        shares.append(asked)
    assert shares[0] == pytest.approx(dict.fromkeys(asked, 1 / 3))
    assert shares[5]["fast"] > 0.6
    assert all(each["fast"] > each["slow"] > each["still"] for each in shares[2:10])
    assert shares[-1]["fast"] > 0.6
