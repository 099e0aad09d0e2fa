from __future__ import annotations

import math

import pytest

from sluice.errors import InvalidFeedback
from sluice.feedback.perplexity import perplexities


def test_perplexity_is_e_to_the_mean_loss() -> None:
    found = perplexities({"java": (6.0, 3), "prose": (0.0, 5)})
    assert found == {"java": (pytest.approx(math.exp(2)), 1), "prose": (1.0, 1)}


def test_a_perplexity_beyond_a_double_is_refused() -> None:
    with pytest.raises(InvalidFeedback) as refused:
        perplexities({"java": (1.0, 1), "prose": (2000.0, 2)})
    assert str(refused.value) == "perplexity of domain 'prose' must be finite: e^1000.0"
