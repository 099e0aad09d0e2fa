"""Feedback of training loops, and the callbacks for transformers and Lightning."""

from __future__ import annotations

import copy
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from broker import PARTITIONS, Broker  # noqa: E402
from claims import MemoryClaims  # noqa: E402
from records import (  # noqa: E402
    entry,
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
    InvalidState,
    UnsuitableDataLoader,
)
from sluice.evaluation.distributions import distribution_pools  # noqa: E402
from sluice.evaluation.held_out import ProbeBatches  # noqa: E402
from sluice.feedback.reporter import FeedbackReporter  # noqa: E402
from sluice.kafka.access import KafkaAccess  # noqa: E402
from sluice.run.info import RunInfo  # noqa: E402
from sluice.run.rank import TrainerRank  # noqa: E402
from sluice.stream.loader import Loader  # noqa: E402
from sluice.stream.trained import TrainedRows  # noqa: E402
from sluice.torch import (  # noqa: E402
    Alignment,
    GradientAlignment,
    StepFeedback,
    StreamDataset,
    global_labels,
    tensors,
)
from sluice.torch.excess import ExcessLoss  # noqa: E402
from sluice.torch.modes import label_losses, logits  # noqa: E402
from writers import (  # noqa: E402
    DOMAINS,
    LENGTH,
    MemorySource,
    TestingStream,
    block,
    reader_over,
)

STREAM = TestingStream(2, [4] * 8, batches=8)
STREAM.run.spec["updateEvery"] = 2
LOSSES = {"java": (2.0, 4), "prose": (3.0, 4), "config": (1.0, 4)}


def loader(
    micro_batch: int | None = None,
    policy: str = "static",
    *metrics: str,
    stream: TestingStream = STREAM,
    stopped: bool = False,
) -> Loader:
    """A loader of a run with all its batches, or of one that was stopped after them."""
    source = MemorySource(2, waits=True)
    source.write(stream.sequences)
    decides: dict[str, Any] = {"policy": policy, "metrics": [required(name) for name in metrics]}
    log = []
    if stopped:
        decides["batches"] = 0
        state = {"state": "stopped", "commandId": ""}
        log.append(entry(1, 0, "RunStateChanged", state, "java has ended"))
    run = RunInfo("r-1", stream.run.spec | decides)
    return Loader.over(reader_over(source, run, [started(run), *log]), micro_batch=micro_batch)


def feedback(steps: Loader, **settings: Any) -> tuple[StepFeedback, MemorySender]:
    sender = MemorySender()
    client = FeedbackReporter(steps, sender=sender)
    return StepFeedback(steps, evaluate=lambda: LOSSES, feedback=client, **settings), sender


def test_measures_when_a_round_closes_and_then_tells_the_progress() -> None:
    def align(draw: int) -> Alignment:
        return Alignment({"java": 0.5 * draw}, {"java": 2.0}, 1.0)

    with loader(micro_batch=2) as steps:
        reporter, sender = feedback(steps, align=align, train_loss=True)
        with reporter:
            reporter.begin()
            for step in steps:
                for part in step:
                    reporter.rows(torch.ones(len(part)), tensors(part))
                reporter.after(step.batch)
                if step.batch == 2:
                    break
    assert sent(sender) == [
        ("eval_loss", 0),
        (None, 0),
        (None, 1),
        ("eval_loss", 2),
        ("alignment", 2),
        ("gradient_norm", 2),
        ("train_loss", 2),
        (None, 2),
    ]
    records = [wire.decode(value)[1] for _, _, value in sender.sent]
    assert records[4]["entries"] == [{"domain": "java", "sum": 0.5, "count": 1}]
    assert sum(entry["count"] for entry in records[6]["entries"]) == 8 * LENGTH
    assert len({record["attempt"] for record in records[3:7]}) == 1


def test_a_policy_that_waits_for_something_else_is_refused() -> None:
    with loader(None, "dga", "alignment") as steps, pytest.raises(InvalidFeedback) as refused:
        feedback(steps)
    assert str(refused.value) == (
        "policy dga of run r-1 waits for alignment: give StepFeedback align=GradientAlignment(...)"
    )


def test_every_metric_that_a_policy_waits_for_has_to_be_given() -> None:
    def align(draw: int) -> Alignment:
        return Alignment({"java": 0.5}, {"java": 2.0}, 1.0)

    with loader(None, "doge", "gradient_norm", "learning_rate", "alignment") as steps:
        with pytest.raises(InvalidFeedback) as refused:
            feedback(steps)
        assert str(refused.value) == (
            "policy doge of run r-1 waits for alignment, gradient_norm, learning_rate: give "
            "StepFeedback align=GradientAlignment(...), "
            "learning_rate=lambda: optimizer.param_groups[0]['lr']"
        )
        reporter, sender = feedback(steps, align=align, learning_rate=lambda: 0.25)
        with reporter:
            reporter.after(2)
    assert sent(sender) == [
        ("eval_loss", 2),
        ("alignment", 2),
        ("gradient_norm", 2),
        ("learning_rate", 2),
        (None, 2),
    ]
    rates = wire.decode(sender.sent[3][2])[1]["entries"]
    assert rates == [{"domain": name, "sum": 0.25, "count": 1} for name in DOMAINS]


def test_perplexities_are_sent_to_a_policy_that_is_set_to_them() -> None:
    with loader(None, "topic-perplexity", "perplexity") as steps:
        reporter, sender = feedback(steps)
        with reporter:
            reporter.begin()
            reporter.after(2)
    assert [one for one in sent(sender) if one[0]] == [
        ("eval_loss", 0),
        ("eval_loss", 2),
        ("perplexity", 2),
    ]
    losses, found = (wire.decode(sender.sent[i][2])[1] for i in (2, 3))
    assert losses["attempt"] == found["attempt"]
    assert [(entry["sum"], entry["count"]) for entry in found["entries"]] == [
        (pytest.approx(math.exp(LOSSES[name][0] / LOSSES[name][1])), 1) for name in DOMAINS
    ]


def test_perplexities_of_ranks_are_those_of_all_their_blocks(tmp_path: Path) -> None:
    run = RunInfo("r-1", STREAM.run.spec | {"metrics": [required("perplexity")]})
    source = MemorySource(2, waits=True)
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{tmp_path}/group", rank=0, world_size=1
    )
    try:
        reader = reader_over(source, run, [started(run)], TrainerRank(0, 2))
        with Loader.over(reader) as steps:
            reporter, sender = feedback(steps)
            with reporter:
                reporter.after(2)
    finally:
        torch.distributed.destroy_process_group()
    record = wire.decode(sender.sent[1][2])[1]
    assert (record["metric"], record["worldSize"]) == ("perplexity", 2)
    assert record["entries"][0]["sum"] == pytest.approx(math.exp(0.5))


def test_a_policy_that_is_set_later_and_waits_for_something_else_is_told_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    waits = {"policy": "odm", "metrics": [required("train_loss")]}
    other = RunInfo("r-1", STREAM.run.spec | waits)
    source = MemorySource(2, waits=True)
    source.write([STREAM.rewritten(i, weights_version=1 if i < 8 else 2) for i in range(16)])
    control = [started(STREAM.run), grant(1, 0, 0, 2, counts=[[2, 1, 1]] * 2)]
    with Loader.over(reader_over(source, STREAM.run, control)) as steps:
        reporter, sender = feedback(steps)
        assert [steps.next(20).batch for _ in range(2)] == [1, 2]
        reporter.after(2)
        control.append(revised(2, 1, 0, other, snapshot(2, 8, 2, [4, 2, 2])))
        control.append(grant(3, 2, 2, 8, version=2, counts=[[2, 1, 1]] * 6, first=8))
        assert [steps.next(20).batch for _ in range(2)] == [3, 4]
        for batch in (3, 4):
            reporter.after(batch)
        reporter.close()
    assert [record.getMessage() for record in caplog.records] == [
        (
            "the run goes on, its rounds do not: policy odm of run r-1 waits for train_loss: "
            "give StepFeedback train_loss=True"
        )
    ]
    assert (None, 4) in sent(sender)


def test_a_domain_that_is_added_is_evaluated_from_then_on() -> None:
    more = RunInfo("r-1", STREAM.run.spec | {"domains": [*DOMAINS, "new"]})
    source = MemorySource(2, waits=True)
    source.write([STREAM.rewritten(i, weights_version=1 if i < 8 else 2) for i in range(16)])
    control = [started(STREAM.run), grant(1, 0, 0, 2, counts=[[2, 1, 1]] * 2)]
    with Loader.over(reader_over(source, STREAM.run, control)) as steps:
        unprepared, _ = feedback(steps)
        prepared, sender = feedback(steps, renew=lambda run: lambda: LOSSES | {"new": (1.0, 1)})
        assert [steps.next(20).batch for _ in range(2)] == [1, 2]
        unprepared.after(2)
        control.append(revised(2, 1, 0, more, snapshot(2, 8, 2, [4, 2, 2, 0])))
        counts, weights = [[1, 1, 1, 1]] * 6, [1 << 38] * 4
        control.append(grant(3, 2, 2, 8, version=2, counts=counts, weights=weights, first=8))
        assert steps.next(20).batch == 3
        with pytest.raises(InvalidFeedback, match="was given new and waits for their held-out"):
            unprepared.after(4)
        prepared.after(4)
        prepared.close()
    entries = wire.decode(sender.sent[0][2])[1]["entries"]
    assert [entry["domain"] for entry in entries] == [*LOSSES, "new"]


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
            wire.encode(
                "TokenBlock",
                block("java", i) | {"tokens": bytes([i, 0] * (LENGTH + 1))},
            )
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


def test_losses_of_more_micro_batches_than_are_kept_are_added_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sluice.torch.measures._MOST_WAITING", 3)
    with loader(1, "odm", "train_loss") as steps:
        reporter, sender = feedback(steps, train_loss=True)
        with reporter:
            for step in steps:
                for part in step:
                    reporter.rows(torch.full((1,), 0.5), tensors(part))
                    assert len(reporter._own._waiting) < 3
                reporter.after(step.batch)
                if step.batch == 2:
                    break
    totals = [wire.decode(value)[1] for _, _, value in sender.sent]
    [found] = [one["entries"] for one in totals if one.get("metric") == "train_loss"]
    assert sum(entry["sum"] for entry in found) == 4.0
    assert sum(entry["count"] for entry in found) == 8 * LENGTH


def test_iterating_begins_and_goes_on_where_the_loader_is() -> None:
    with loader() as steps:
        steps.seek_to_batch(6)
        reporter, sender = feedback(steps)
        with reporter:
            for step in reporter:
                reporter.after(step.batch)
    assert [step for metric, step in sent(sender) if metric is None] == [5, 6, 7, 8]


def test_a_run_that_is_stopped_ends_the_loop(caplog: pytest.LogCaptureFixture) -> None:
    with loader(stopped=True) as steps:
        reporter, sender = feedback(steps)
        with reporter:
            for step in reporter:
                reporter.after(step.batch)
    assert [step for metric, step in sent(sender) if metric is None] == list(range(9))
    assert "run r-1 is stopped (java has ended): batch 8 was the last" in caplog.text


def huggingface(folder: Path, steps: Loader, max_steps: int, **settings: Any) -> Any:
    transformers = pytest.importorskip("transformers")
    from sluice.torch.huggingface import StreamTrainer

    torch.manual_seed(0)
    shape = {"n_embd": 8, "n_layer": 1, "n_head": 1, "n_positions": 8, "vocab_size": 1 << 16}
    shape |= dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), 0)
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**shape, bos_token_id=0))
    defaults: dict[str, Any] = {
        "output_dir": str(folder),
        "max_steps": max_steps,
        "gradient_accumulation_steps": 2,
        "ignore_data_skip": True,
        "save_steps": 3,
        "use_cpu": True,
        "report_to": "none",
        "disable_tqdm": True,
        "logging_steps": 100,
    }
    arguments = transformers.TrainingArguments(**defaults | settings)
    reporter, sender = feedback(steps, trained=TrainedRows(steps.run, lambda run: 2))
    trainer = StreamTrainer(model=model, args=arguments, steps=steps, feedback=reporter)
    return trainer, model, reporter, sender


def parameters(model: Any) -> list[list[float]]:
    return [one.detach().flatten().tolist() for one in model.parameters()]


@pytest.mark.filterwarnings("ignore")
def test_a_transformers_trainer_goes_on_where_its_checkpoint_was_written(tmp_path: Path) -> None:
    with loader(micro_batch=2) as steps:
        trainer, whole, reporter, _ = huggingface(tmp_path / "whole", steps, 6)
        trainer.train()
        sampled = reporter.state_dict()
        reporter.close()
    with loader(micro_batch=2) as steps:
        trainer, _, reporter, _ = huggingface(tmp_path / "cut", steps, 6)
        trainer.args.max_steps = 6
        trainer.train()
        reporter.close()
    with loader(micro_batch=2) as steps:
        trainer, resumed, reporter, sender = huggingface(tmp_path / "cut", steps, 6)
        trainer.train(resume_from_checkpoint=str(tmp_path / "cut" / "checkpoint-3"))
        reporter.close()
    assert parameters(resumed) == parameters(whole)
    assert reporter.state_dict() == sampled
    assert sampled["domains"]["java"]["seen"] > 2
    assert sent(sender) == [
        (None, 3),
        ("eval_loss", 4),
        (None, 4),
        (None, 5),
        ("eval_loss", 6),
        (None, 6),
    ]
    state = json.loads((tmp_path / "cut" / "checkpoint-3" / "sluice.json").read_text())
    assert (state["batch"], state["firstIndex"]) == (3, 12)


@pytest.mark.filterwarnings("ignore")
def test_a_run_that_is_stopped_ends_a_transformers_training(tmp_path: Path) -> None:
    with loader(micro_batch=2, stopped=True) as steps:
        trainer, _, reporter, sender = huggingface(tmp_path, steps, 100)
        trainer.train()
        reporter.close()
        assert trainer.state.global_step == 8
        assert steps.ended is not None
        assert steps.ended.state == "stopped"
    assert sent(sender)[-1] == (None, 8)


@pytest.mark.filterwarnings("ignore")
def test_a_transformers_trainer_that_would_train_on_something_else_is_refused(
    tmp_path: Path,
) -> None:
    with loader(micro_batch=2) as steps:
        trainer = huggingface(tmp_path, steps, 3, ignore_data_skip=False)[0]
        with pytest.raises(UnsuitableDataLoader, match="ignore_data_skip must be True"):
            trainer.train()
    with loader(micro_batch=2) as steps:
        trainer = huggingface(tmp_path / "x", steps, 3)[0]
        trainer.train()
        (tmp_path / "x" / "checkpoint-3" / "sluice.json").unlink()
        trainer = huggingface(tmp_path / "x", steps, 6)[0]
        with pytest.raises(InvalidState, match="was written without StreamCallback"):
            trainer.train(resume_from_checkpoint=str(tmp_path / "x" / "checkpoint-3"))


@pytest.mark.filterwarnings("ignore")
def test_a_transformers_trainer_whose_accumulation_does_not_add_up_is_refused(
    tmp_path: Path,
) -> None:
    with loader(micro_batch=1) as steps:
        trainer = huggingface(tmp_path, steps, 3)[0]
        with pytest.raises(UnsuitableDataLoader) as refused:
            trainer.train()
    assert str(refused.value) == (
        "gradient_accumulation_steps must be 4, the micro-batches of this rank in batch 1 of run "
        "r-1: 2 would train on something else"
    )
    growing = TestingStream(2, [4, 4, 8, 8], batches=4)
    with loader(micro_batch=2, stream=growing) as steps:
        huggingface(tmp_path, steps, 2)[0].train()
    with loader(micro_batch=2, stream=growing) as steps:
        trainer = huggingface(tmp_path, steps, 3)[0]
        with pytest.raises(UnsuitableDataLoader) as refused:
            trainer.train()
    assert str(refused.value) == (
        "gradient_accumulation_steps must be the micro-batches of every batch, of which run r-1 "
        "has 2 from batch 1 on, 4 from batch 3 on: open the Loader without micro_batch, and set "
        "gradient_accumulation_steps to 1"
    )


@pytest.mark.filterwarnings("ignore")
def test_ranks_that_would_each_divide_by_their_own_labels_are_refused(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    from sluice.torch.huggingface import StreamCallback

    arguments = transformers.TrainingArguments(
        output_dir=str(tmp_path),
        max_steps=3,
        ignore_data_skip=True,
        average_tokens_across_devices=False,
        use_cpu=True,
    )
    source = MemorySource(2, waits=True)
    reader = reader_over(source, STREAM.run, [started(STREAM.run)], TrainerRank(0, 2))
    with Loader.over(reader) as steps, pytest.raises(UnsuitableDataLoader) as refused:
        StreamCallback(steps).on_train_begin(arguments, transformers.TrainerState(), None)
    assert str(refused.value) == (
        "average_tokens_across_devices must be True: the loss of a step is divided by the labels "
        "of all 2 ranks"
    )


def masked(stream: TestingStream) -> TestingStream:
    """The same with fewer labels in each row than in the one before."""
    for i, one in enumerate(stream.sequences):
        record = wire.decode_as("TokenBlock", one.value)
        trained = LENGTH - i % LENGTH
        runs = {"lossMask": [trained, LENGTH - trained], "trainedTokens": trained}
        stream.sequences[i] = replace(one, value=wire.encode("TokenBlock", record | runs))
    return stream


@pytest.mark.filterwarnings("ignore")
def test_a_transformers_trainer_divides_by_the_labels_of_the_global_batch(tmp_path: Path) -> None:
    stream = masked(TestingStream(2, [4] * 3, batches=3))
    plain: dict[str, Any] = {
        "optim": "sgd",
        "learning_rate": 1.0,
        "lr_scheduler_type": "constant",
        "max_grad_norm": 0.0,
    }
    with loader(micro_batch=2, stream=stream) as steps:
        trainer, trained, reporter, _ = huggingface(tmp_path, steps, 1, **plain)
        before = copy.deepcopy(trained)
        trainer.train()
        assert steps.metrics()["sluice/batch"] == 1
        reporter.close()
    with loader(stream=stream) as steps:
        step = steps.next(20)
        batch = tensors(step.whole)
        losses = label_losses(
            before(batch["inputs"], position_ids=batch["position_ids"]).logits, batch
        )
        (losses.sum() / global_labels(step)).backward()
    for one, found in zip(before.parameters(), trained.parameters(), strict=True):
        assert one.grad is not None
        assert torch.allclose(one.detach() - one.grad, found.detach(), atol=1e-6)


def lightning(
    folder: Path,
    max_steps: int,
    checkpoint: str | None,
    rows: int = 2,
    accumulated: int = 2,
    epoch: float = 1.0,
    stopped: bool = False,
) -> tuple[Any, MemorySender]:
    """Trains in micro-batches of so many rows, ``epoch`` of them an epoch, or all; its checkpoint
    is named after its last step."""
    pytorch = pytest.importorskip("lightning.pytorch")
    from sluice.torch.lightning import StreamCallback

    class Subject(pytorch.LightningModule):  # type: ignore[name-defined]
        def __init__(self, steps: Loader) -> None:
            super().__init__()
            torch.manual_seed(0)
            self.embedding = torch.nn.Embedding(1 << 16, 4)
            self.steps = steps
            self.seen: list[tuple[int, int]] = []
            self.ahead: set[int] = set()
            self.sampled: dict[str, Any] = {}

        def training_step(self, batch: dict[str, Any], _: int) -> Any:
            step = self.trainer.global_step + 1
            self.seen += [(step, index) for index in batch["index"].tolist()]
            self.ahead.add(self.steps.batch - step)
            assert int(batch["step_labels"]) == 4 * LENGTH
            return self.embedding(batch["inputs"]).square().sum()

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), lr=0.1)

    with loader(micro_batch=rows, stopped=stopped) as steps:
        reporter, sender = feedback(steps, trained=TrainedRows(steps.run, lambda run: 2))
        subject = Subject(steps)
        trainer = pytorch.Trainer(
            max_steps=max_steps,
            accumulate_grad_batches=accumulated,
            limit_train_batches=epoch,
            callbacks=[StreamCallback(steps, reporter)],
            accelerator="cpu",
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            default_root_dir=folder,
        )
        data = torch.utils.data.DataLoader(StreamDataset(steps, labels=True), batch_size=None)
        trainer.fit(subject, data, ckpt_path=checkpoint)
        assert steps.metrics()["sluice/batch"] == trainer.global_step
        trainer.save_checkpoint(folder / f"{trainer.global_step}.ckpt")
        subject.sampled = reporter.state_dict()
        reporter.close()
        return subject, sender


@pytest.mark.filterwarnings("ignore")
def test_a_run_that_is_stopped_ends_a_lightning_training(tmp_path: Path) -> None:
    subject, sender = lightning(tmp_path, 100, None, stopped=True)
    assert subject.seen[-1][0] == 8
    assert sent(sender)[-1] == (None, 8)


@pytest.mark.filterwarnings("ignore")
def test_a_lightning_trainer_goes_on_where_its_checkpoint_was_written(tmp_path: Path) -> None:
    whole, _ = lightning(tmp_path, 6, None)
    lightning(tmp_path, 3, None)
    resumed, sender = lightning(tmp_path, 6, str(tmp_path / "3.ckpt"))
    assert resumed.seen == whole.seen[12:]
    assert resumed.sampled == whole.sampled != {}
    assert parameters(resumed) == parameters(whole)
    assert [step for metric, step in sent(sender) if metric is None] == [3, 4, 5, 6]
    with pytest.raises(UnsuitableDataLoader) as refused:
        lightning(tmp_path, 3, None, accumulated=3)
    assert str(refused.value) == (
        "accumulate_grad_batches must be 2, the micro-batches of this rank in batch 1 of run r-1: "
        "3 would train on something else"
    )


@pytest.mark.filterwarnings("ignore")
def test_a_lightning_trainer_takes_no_batch_before_it_has_trained_on_the_last(
    tmp_path: Path,
) -> None:
    trained, _ = lightning(tmp_path, 6, None)
    assert trained.ahead == {0}


@pytest.mark.filterwarnings("ignore")
def test_trainers_end_with_a_run_that_ends_before_them(tmp_path: Path) -> None:
    trained, _ = lightning(tmp_path, 100, None)
    assert trained.seen[-1] == (8, 31)
    with loader(micro_batch=2) as steps:
        trainer = huggingface(tmp_path, steps, 100)[0]
        trainer.train()
        assert trainer.state.global_step == 8


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("epoch", [1.0, 4, 8])
@pytest.mark.parametrize("rows", [1, 2, 4])
def test_a_lightning_trainer_steps_after_each_batch_however_it_was_cut_before(
    rows: int, epoch: float, tmp_path: Path
) -> None:
    lightning(tmp_path, 3, None, epoch=epoch)
    resumed, _ = lightning(tmp_path, 6, str(tmp_path / "3.ckpt"), rows, 4 // rows, epoch)
    assert resumed.seen == [(1 + index // 4, index) for index in range(12, 24)]
