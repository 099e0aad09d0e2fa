"""What is measured of a model for policies: held-out losses, gradients, excess losses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from broker import PARTITIONS, Broker  # noqa: E402
from claims import MemoryClaims  # noqa: E402
from records import (  # noqa: E402
    grant,
    required,
    revised,
    snapshot,
    started,
)
from senders import MemorySender, sent  # noqa: E402
from sluice import wire  # noqa: E402
from sluice.block.block import Block  # noqa: E402
from sluice.block.reader import BlockReader  # noqa: E402
from sluice.claim.claim import RankClaim  # noqa: E402
from sluice.errors import (  # noqa: E402
    EvalSetError,
    InvalidFeedback,
)
from sluice.evaluation.distributions import distribution_pools  # noqa: E402
from sluice.evaluation.held_out import ProbeBatches  # noqa: E402
from sluice.feedback.reporter import FeedbackReporter  # noqa: E402
from sluice.kafka.access import KafkaAccess  # noqa: E402
from sluice.run.info import RunInfo  # noqa: E402
from sluice.run.rank import TrainerRank  # noqa: E402
from sluice.stream.loader import Loader  # noqa: E402
from sluice.torch import (  # noqa: E402
    GradientAlignment,
    StepFeedback,
)
from sluice.torch.excess import ExcessLoss  # noqa: E402
from sluice.torch.modes import logits  # noqa: E402
from training import STREAM  # noqa: E402
from writers import (  # noqa: E402
    DOMAINS,
    LENGTH,
    MemorySource,
    block,
    reader_over,
)


def with_held_out_blocks() -> Broker:
    """A broker that has three held-out blocks of each domain."""
    broker = Broker()
    for name in DOMAINS:
        topic = f"sluice.eval.d.{name}"
        broker.create(topic)
        for ordinal in range(3):
            low = {"tokens": bytes([ordinal, 0] * (LENGTH + 1))}
            broker.write(topic, "TokenBlock", block(name, ordinal) | low)
        for partition in range(PARTITIONS):
            end = {"domain": name, "lane": partition, "size": 1}
            broker.write(topic, "EndOfDomain", end, partition)
    return broker


def evaluated(run: RunInfo, **settings: Any) -> list[tuple[Any, int]]:
    """What a trainer sends that reads the held-out blocks itself, of one step."""
    broker, sender = with_held_out_blocks(), MemorySender()
    model = torch.nn.Sequential(torch.nn.Embedding(8, 4), torch.nn.Linear(4, 8))
    reader = reader_over(MemorySource(2, waits=True), run, [started(run)])
    with Loader.over(reader) as steps:
        steps.access = KafkaAccess(broker.bootstrap)
        client = FeedbackReporter(steps, sender=sender)
        with StepFeedback.evaluating(steps, model, feedback=client, **settings) as reporter:
            reporter.after(2)
    return sent(sender)


def test_alignments_are_measured_against_the_targets_of_the_run() -> None:
    waits = [required("alignment", targets=["java"], tokens=LENGTH), required("gradient_norm")]
    run = RunInfo("r-1", STREAM.run.spec | {"policy": "dga", "metrics": waits})
    expected = [("eval_loss", 2), ("alignment", 2), ("gradient_norm", 2), (None, 2)]
    assert evaluated(run, blocks=1) == expected
    untold = RunInfo("r-1", STREAM.run.spec | {"metrics": [required("alignment")]})
    assert evaluated(untold, targets=["prose"]) == expected
    with pytest.raises(InvalidFeedback, match="alignment: give StepFeedback align=GradientAlign"):
        evaluated(untold)
    earlier = RunInfo("r-1", STREAM.run.spec | {"metrics": None})
    assert evaluated(earlier, targets=["prose"]) == expected
    assert evaluated(earlier) == [("eval_loss", 2), (None, 2)]


def test_products_of_gradients_are_of_the_pairs_that_the_run_names() -> None:
    pairs = [f"{one}/{other}" for one in DOMAINS for other in DOMAINS]
    waits = [required("gradient_product", tokens=LENGTH, of=pairs)]
    decides = {"policy": "r-and-b", "policySettings": {}, "metrics": waits}
    found, _ = measured(RunInfo("r-1", STREAM.run.spec | decides), 2)
    products = found["gradient_product", 2]
    assert list(products) == pairs
    assert all(count == 1 and abs(dot) <= 1 for dot, count in products.values())
    one, other = DOMAINS[:2]
    assert products[f"{one}/{other}"] == products[f"{other}/{one}"]
    assert products[f"{one}/{one}"][0] > 0

    aims = required("gradient_product", targets=[other], of=[f"{other}/{one}"])
    decides = {"policy": "grape", "policySettings": {}, "metrics": [aims]}
    found, _ = measured(RunInfo("r-1", STREAM.run.spec | decides), 2)
    assert list(found["gradient_product", 2]) == [f"{other}/{one}"]


def test_the_noise_of_gradients_is_measured_beside_their_size() -> None:
    of = [f"{moment}/{domain}" for moment in ("square", "variance") for domain in DOMAINS]
    waits = [required("gradient_moment", tokens=2 * LENGTH, of=of)]
    decides = {"policy": "pike", "policySettings": {"probes": "held-out"}, "metrics": waits}
    found, _ = measured(RunInfo("r-1", STREAM.run.spec | decides), 2)
    moments = found["gradient_moment", 2]
    assert list(moments) == of
    assert all(moments[f"variance/{domain}"][0] > 0 for domain in DOMAINS)


def aligned_run(settings: dict[str, str], *of: str) -> RunInfo:
    waits = [required("alignment", targets=["java"], tokens=2 * LENGTH, of=of)]
    decides = {"policy": "dga", "policySettings": settings, "metrics": waits}
    return RunInfo("r-1", STREAM.run.spec | decides)


def made() -> Any:
    """A model that knows the stream's tokens, the same every time."""
    torch.manual_seed(3)
    return torch.nn.Sequential(torch.nn.Embedding(1 << 16, 2), torch.nn.Linear(2, 1 << 16))


def measured(
    run: RunInfo, stop: int, state: Any = None, **settings: Any
) -> tuple[dict[tuple[str, int], dict[str, tuple[float, int]]], Any]:
    """What is sent while a model that learns nothing is trained, and the state at its end."""
    broker, sender, source = with_held_out_blocks(), MemorySender(), MemorySource(2, waits=True)
    source.write(STREAM.sequences)
    with Loader.over(reader_over(source, run, [started(run)])) as steps:
        steps.access = KafkaAccess(broker.bootstrap)
        client = FeedbackReporter(steps, sender=sender)
        with StepFeedback.evaluating(
            steps, made(), blocks=1, feedback=client, **settings
        ) as reporter:
            if state is not None:
                steps.load_state_dict(state["stream"])
                reporter.load_state_dict(state["feedback"])
            for step in reporter:
                reporter.after(step.batch)
                if step.batch == stop:
                    break
            state = {"stream": steps.state_dict(), "feedback": reporter.state_dict()}
    records = [wire.decode(value)[1] for _, _, value in sender.sent]
    found = {
        (record["metric"], record["step"]): {
            entry["domain"]: (entry["sum"], entry["count"]) for entry in record["entries"]
        }
        for record in records
        if "metric" in record
    }
    return found, state


def trained_blocks(first: int, last: int) -> dict[str, list[Block]]:
    """What the stream has of each domain from one sequence to another."""
    reader, found = BlockReader(STREAM.run), dict[str, list[Block]]()
    for one in STREAM.sequences[first:last]:
        row = reader.read(one.value)
        found.setdefault(DOMAINS[row.domain], []).append(row)
    return found


def held_out_blocks(ordinal: int, count: int) -> list[Block]:
    reader = BlockReader(STREAM.run)
    return [
        reader.read(
            wire.encode("TokenBlock", block("java", i) | {"tokens": bytes([i, 0] * (LENGTH + 1))})
        )
        for i in range(ordinal, ordinal + count)
    ]


@pytest.mark.parametrize("clip", ["true", "false"])
def test_alignments_are_of_what_was_trained_on(clip: str) -> None:
    found, _ = measured(aligned_run({"clip-gradients": clip}), 4)
    target = held_out_blocks(0, 1)
    for step, sequences in ((2, 8), (4, 16)):
        pools = trained_blocks(0, sequences)
        assert pools.keys() == set(DOMAINS)
        probes = ProbeBatches(pools, 2).batch(step // 2)
        max_norm = None if clip == "false" else 1.0
        wanted = GradientAlignment(made(), target, probes, max_norm=max_norm)()
        sums = {domain: total for domain, (total, _) in found["alignment", step].items()}
        assert sums == pytest.approx(wanted.dots, rel=1e-5)


def test_a_clip_that_was_given_holds_whatever_the_policy_says() -> None:
    run = aligned_run({"clip-gradients": "false"})
    found, _ = measured(run, 2, max_norm=0.01)
    assert all(abs(total) <= 0.01**2 + 1e-9 for total, _ in found["alignment", 2].values())


def test_alignments_are_of_held_out_blocks_where_the_policy_says_so() -> None:
    found, state = measured(aligned_run({"groups.web.policy.dga.probes": "held-out"}), 2)
    probes = ProbeBatches({"java": held_out_blocks(1, 2)}, 2).batch(1)
    wanted = GradientAlignment(made(), held_out_blocks(0, 1), probes)()
    assert found["alignment", 2]["java"][0] == pytest.approx(wanted.dots["java"], rel=1e-5)
    assert state["feedback"] == {}


def test_a_training_that_is_resumed_measures_what_it_would_have(tmp_path: Path) -> None:
    whole, _ = measured(aligned_run({}), 8)
    before, state = measured(aligned_run({}), 4)
    torch.save(state, tmp_path / "state")
    state = torch.load(tmp_path / "state", weights_only=True)
    after, _ = measured(aligned_run({}), 8, state)
    assert before | after == whole
    assert ("alignment", 8) in after
    without, _ = measured(aligned_run({}), 8, state | {"feedback": {}})
    assert without["alignment", 8] != after["alignment", 8]


def test_alignments_of_distributions_are_of_batches_that_follow_them() -> None:
    shares = {"basis.code": "java=3 config=1", "basis.all": "java=1 prose=1 config=1"}
    found, _ = measured(aligned_run(shares, "code", "all"), 2)
    pools = distribution_pools(aligned_run(shares), ["code", "all"], trained_blocks(0, 8))
    probes = ProbeBatches(pools, 2).batch(1)
    wanted = GradientAlignment(made(), held_out_blocks(0, 1), probes)()
    assert {name: total for name, (total, _) in found["alignment", 2].items()} == pytest.approx(
        wanted.dots, rel=1e-5
    )
    assert ("gradient_norm", 2) not in found
    with pytest.raises(EvalSetError, match="waits for alignment of 'none', and no setting basis"):
        measured(aligned_run(shares, "none"), 2)


def test_losses_above_a_reference_model_s_are_measured_on_what_was_trained_on() -> None:
    waits = {"policy": "doremi", "metrics": [required("excess_loss")], "probeTokens": 2 * LENGTH}
    run = RunInfo("r-1", STREAM.run.spec | waits)
    reference = made()
    with torch.no_grad():
        reference[1].bias.add_(torch.linspace(0, 3, 1 << 16))
    found, _ = measured(run, 2, reference=reference)
    batch = ProbeBatches(trained_blocks(0, 8), 2).batch(1)
    wanted = ExcessLoss(made(), reference, rows=8, forward=logits)(batch)
    assert set(found) == {("eval_loss", 0), ("eval_loss", 2), ("excess_loss", 2)}
    for domain in DOMAINS:
        assert found["excess_loss", 2][domain] == pytest.approx(wanted[domain], rel=1e-5)
    assert sum(total for total, _ in wanted.values()) > 0
    with pytest.raises(InvalidFeedback) as refused:
        measured(run, 2)
    assert str(refused.value) == (
        "policy doremi of run r-1 waits for excess_loss: give StepFeedback the model to compare "
        "with, StepFeedback.evaluating(..., reference=MODEL)"
    )
    unasked, _ = measured(aligned_run({}), 2, reference=reference)
    assert ("excess_loss", 2) not in unasked


@pytest.mark.parametrize("targets", [["java"], []])
def test_alignments_are_made_for_a_policy_that_is_set_later(
    targets: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    broker, sender = with_held_out_blocks(), MemorySender()
    asks = {"policy": "dga", "metrics": [required("alignment", targets=targets, tokens=LENGTH)]}
    other = RunInfo("r-1", STREAM.run.spec | asks)
    first = RunInfo("r-1", STREAM.run.spec | {"metrics": [required("eval_loss")]})
    source = MemorySource(2, waits=True)
    source.write([STREAM.rewritten(i, weights_version=1 if i < 8 else 2) for i in range(16)])
    control = [
        started(first),
        grant(1, 0, 0, 2, counts=[[2, 1, 1]] * 2),
        revised(2, 1, 0, other, snapshot(2, 8, 2, [4, 2, 2])),
        grant(3, 2, 2, 8, version=2, counts=[[2, 1, 1]] * 6, first=8),
    ]
    model = torch.nn.Sequential(torch.nn.Embedding(1 << 16, 2), torch.nn.Linear(2, 1 << 16))
    claims = MemoryClaims()
    claim = RankClaim("r-1", claims, TrainerRank())
    with Loader.over(reader_over(source, first, control), claim=claim) as steps:
        steps.access = KafkaAccess(broker.bootstrap)
        client = FeedbackReporter(steps, sender=sender)
        with StepFeedback.evaluating(steps, model, blocks=1, feedback=client) as reporter:
            for _ in range(4):
                reporter.after(steps.next(20).batch)
        while not claims.said:
            claim.look(0.01)
    assert claims.said[0]["metrics"] == [
        "eval_loss",
        "perplexity",
        "alignment",
        "gradient_norm",
        "gradient_product",
        "gradient_moment",
    ]
    measured = [one for one in sent(sender) if one[0] is not None]
    if targets:
        both = [("alignment", 2), ("gradient_norm", 2)]
        assert measured[:3] == [("eval_loss", 2), *both]
        assert not caplog.records
    else:
        assert measured == [("eval_loss", 2), ("eval_loss", 4)]
        assert [record.getMessage() for record in caplog.records] == [
            (
                "the run goes on, its rounds do not: policy dga of run r-1 waits for alignment: "
                "give StepFeedback align=GradientAlignment(...)"
            )
        ]
