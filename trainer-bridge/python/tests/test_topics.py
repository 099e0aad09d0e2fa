"""Names of topics under one prefix, or two."""

import pytest

from sluice.kafka.access import KafkaAccess
from sluice.wire.topics import Topics


def test_everything_is_under_one_prefix() -> None:
    topics = Topics("team.")
    assert topics.stream("velo") == "team.stream.velo"
    assert topics.eval("small", "wiki") == "team.eval.small.wiki"
    assert topics.datasets == "team.datasets"


def test_datasets_may_be_under_another() -> None:
    topics = KafkaAccess("localhost:9092", "team.:shared.").topics
    assert topics.control_of("velo.1") == "team.control.velo.1"
    assert topics.stream("velo") == "team.stream.velo"
    assert topics.feedback("velo") == "team.feedback.velo"
    assert topics.status == "team.status"
    assert topics.eval("small", "wiki") == "shared.eval.small.wiki"
    assert topics.supply("small") == "shared.supply.small"
    assert topics.segments("small") == "shared.segments.small"
    assert topics.datasets == "shared.datasets"
    assert topics.tokenizers == "shared.tokenizers"
    assert topics.sets == "shared.sets"


@pytest.mark.parametrize("prefix", ["x y", "a:b:c", "é.", "a" * 65, "a:" + "b" * 65])
def test_a_prefix_that_begins_no_topics_name_is_refused(prefix: str) -> None:
    for made in Topics, lambda given: KafkaAccess(prefix=given):
        with pytest.raises(ValueError) as failed:
            made(prefix)
        assert str(failed.value) == (
            "prefix must be at most 64 letters, digits, '.', '_' or '-', or two such with a ':' "
            f"between: '{prefix}'"
        )


def test_a_prefix_may_be_empty() -> None:
    assert Topics("").datasets == "datasets"
