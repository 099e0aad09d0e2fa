"""Names of topics under one prefix, or two."""

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
