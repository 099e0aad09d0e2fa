from __future__ import annotations

import math

import pytest

from sluice.errors import InvalidFeedback
from sluice.feedback.metrics import needed_by, perplexities

PERPLEXITY = {"metric": "perplexity"}


@pytest.mark.parametrize(
    ("policy", "settings", "metrics"),
    [
        ("static", {}, ""),
        ("velocitune", {}, "eval_loss"),
        ("dynamic-batch-loading", {}, "eval_loss"),
        ("odm", {}, "train_loss"),
        ("ado", {}, "train_loss"),
        ("dga", {}, "alignment"),
        ("doge", {}, "alignment gradient_norm learning_rate"),
        ("topic-perplexity", {}, "eval_loss"),
        ("topic-perplexity", PERPLEXITY, "perplexity"),
        ("of-another-jar", {}, ""),
        ("tree", {"stages.1.when.plateau": "0.1"}, "eval_loss"),
        ("tree", {"groups.zh.policy": "dga", "groups.en.policy": "odm"}, "alignment train_loss"),
        (
            "tree",
            {"groups.zh.policy.topic-perplexity.metric": "perplexity", "groups.zh.share": "0.5"},
            "perplexity",
        ),
    ],
)
def test_a_policy_waits_for_its_metrics(
    policy: str, settings: dict[str, str], metrics: str
) -> None:
    assert needed_by(policy, settings) == set(metrics.split())


def test_perplexity_is_e_to_the_mean_loss() -> None:
    found = perplexities({"java": (6.0, 3), "prose": (0.0, 5)})
    assert found == {"java": (pytest.approx(math.exp(2)), 1), "prose": (1.0, 1)}


def test_a_perplexity_beyond_a_double_is_refused() -> None:
    with pytest.raises(InvalidFeedback) as refused:
        perplexities({"java": (1.0, 1), "prose": (2000.0, 2)})
    assert str(refused.value) == "perplexity of domain 'prose' must be finite: e^1000.0"
