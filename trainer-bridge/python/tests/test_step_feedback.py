"""Feedback of training loops: rounds, metrics, the end of a run."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from records import (  # noqa: E402
    grant,
    required,
    revised,
    snapshot,
    started,
)
from senders import sent  # noqa: E402
from sluice import wire  # noqa: E402
from sluice.errors import (  # noqa: E402
    InvalidFeedback,
)
from sluice.run.info import RunInfo  # noqa: E402
from sluice.run.rank import TrainerRank  # noqa: E402
from sluice.stream.loader import Loader  # noqa: E402
from sluice.torch import (  # noqa: E402
    Alignment,
    tensors,
)
from training import LOSSES, STREAM, feedback, loader  # noqa: E402
from writers import (  # noqa: E402
    DOMAINS,
    LENGTH,
    MemorySource,
    reader_over,
)


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
