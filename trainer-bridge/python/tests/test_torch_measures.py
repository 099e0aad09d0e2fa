"""What ``sluice.torch`` measures of a model; runs when torch is installed."""

from __future__ import annotations

import ast
import gc
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from sluice.block.block import Block  # noqa: E402
from sluice.block.reader import BlockReader  # noqa: E402
from sluice.errors import EvalSetError  # noqa: E402
from sluice.feedback.losses import DomainSums  # noqa: E402
from sluice.run.rank import TrainerRank  # noqa: E402
from sluice.torch import (  # noqa: E402
    DomainEvaluator,
    GradientAlignment,
    GradientMoments,
    GradientProducts,
)
from sluice.torch.excess import ExcessLoss  # noqa: E402
from sluice.torch.modes import logits  # noqa: E402
from sluice.torch.samples import gather_samples  # noqa: E402
from sluice.wire.codec import encode  # noqa: E402
from torch_stream import STREAM, VOCABULARY, ranks_of  # noqa: E402
from writers import (  # noqa: E402
    LENGTH,
    block,
)


def small(seed: int, count: int, mask: list[int] | None = None) -> list[Block]:
    """Blocks whose tokens a small model knows."""
    rng = random.Random(seed)
    reader = BlockReader(STREAM.run)
    found = []
    for ordinal in range(count):
        ids = [rng.randrange(VOCABULARY) for _ in range(LENGTH + 1)]
        packed = b"".join(token.to_bytes(2, "little") for token in ids)
        record = block("java", ordinal, tokens=packed, lossMask=mask)
        found.append(reader.read(encode("TokenBlock", record)))
    return found


class Model(nn.Module):
    """Everything that a careless pass would disturb: dropout, running statistics, tied weights."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, 8)
        self.norm = nn.BatchNorm1d(LENGTH)
        self.drop = nn.Dropout(0.5)
        self.middle = nn.Linear(8, 8)
        self.frozen = nn.Linear(8, 8).requires_grad_(False)
        self.head = nn.Linear(8, VOCABULARY, bias=False)
        self.head.weight = self.embed.weight
        self.register_buffer("passes", torch.zeros(()))

    def forward(self, inputs: Any) -> Any:
        self.passes += 1
        hidden = self.drop(self.norm(self.embed(inputs)))
        return self.head(torch.tanh(self.frozen(self.middle(hidden))))


def model() -> Model:
    torch.manual_seed(7)
    made = Model()
    made.drop.eval()  # a mode of its own
    return made


def traces(of: Model, optimizer: Any) -> list[Any]:
    state = [*of.state_dict().values(), *(p.grad for p in of.parameters() if p.grad is not None)]
    moments = [
        value for kept in optimizer.state.values() for value in kept.values() if value is not None
    ]
    return [torch.get_rng_state(), *(v.clone() for v in state + moments if torch.is_tensor(v))]


def trained(of: Model) -> Any:
    """An optimizer in the midst of training, with gradients of a step to come."""
    optimizer = torch.optim.AdamW(of.parameters(), lr=0.01)
    for _ in range(2):
        optimizer.zero_grad()
        inputs = torch.randint(VOCABULARY, (3, LENGTH))
        nn.functional.cross_entropy(of(inputs).flatten(0, 1), inputs.flatten()).backward()
        optimizer.step()
    return optimizer


@pytest.mark.parametrize("world", [1, 2, 3])
def test_evaluates_every_held_out_label_once(world: int) -> None:
    subject = model()
    sets = {"java": small(1, 5), "prose": small(2, 3, mask=[1, 2])}
    ranks = [DomainEvaluator(subject, sets, dp=(r, world), rows=2) for r in range(world)]
    found = DomainSums(["java", "prose"]).merge(rank.sums() for rank in ranks).totals()
    subject.eval()
    for domain, blocks in sets.items():
        total, count = 0.0, 0
        for one in blocks:
            ids = torch.from_numpy(one.tokens.astype(np.int64))
            losses = nn.functional.cross_entropy(
                subject(ids[None, :-1])[0], ids[1:], reduction="none"
            )
            mask = torch.from_numpy(one.loss_mask)
            total += float(losses[mask].detach().sum())
            count += int(mask.sum())
        assert found[domain][1] == count
        assert found[domain][0] == pytest.approx(total, rel=1e-5)


@pytest.mark.parametrize("length", [1, 2, LENGTH])
def test_held_out_labels_are_evaluated_once_in_shorter_rows(length: int) -> None:
    """Of a model that sees one token at a time, which rows do not change."""
    torch.manual_seed(7)
    subject = nn.Sequential(nn.Embedding(VOCABULARY, 8), nn.Linear(8, VOCABULARY))
    sets = {"java": small(1, 5), "prose": small(2, 3, mask=[1, 2])}
    seen: list[tuple[int, ...]] = []

    def forward(of: nn.Module, batch: Any) -> Any:
        seen.append(tuple(batch["inputs"].shape))
        return of(batch["inputs"])

    whole = DomainEvaluator(subject, sets, rows=3)()
    found = DomainEvaluator(subject, sets, rows=3, forward=forward, row_length=lambda: length)()
    aligned = GradientAlignment(subject, small(3, 2), sets, rows=3)()
    again = GradientAlignment(subject, small(3, 2), sets, rows=3, row_length=lambda: length)()
    assert {shape[1] for shape in seen} == {length}
    assert max(rows for rows, _ in seen) == 3
    for domain in sets:
        assert found[domain][1] == whole[domain][1]
        assert found[domain][0] == pytest.approx(whole[domain][0], rel=1e-5)
        assert again.dots[domain] == pytest.approx(aligned.dots[domain], rel=1e-4)


def test_a_rank_without_held_out_blocks_is_refused() -> None:
    with pytest.raises(EvalSetError, match="rank 2 of 3 has no held-out block: ask eval_sets for"):
        DomainEvaluator(model(), {"java": small(1, 2)}, dp=(2, 3))


def gradient(subject: Model, blocks: list[Block]) -> Any:
    """The reference: the ordinary gradient, flat."""
    subject.zero_grad()
    ids = torch.stack([torch.from_numpy(one.tokens.astype(np.int64)) for one in blocks])
    nn.functional.cross_entropy(subject(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten()).backward()
    return torch.cat([p.grad.flatten() for p in subject.parameters() if p.grad is not None])


@pytest.mark.parametrize("rows", [1, 2, 8])
@pytest.mark.parametrize("max_norm", [1.0, 0.05, None])
def test_alignment_is_the_inner_product_of_clipped_gradients(
    rows: int, max_norm: float | None
) -> None:
    subject = model()
    target, probes = small(1, 4), {"java": small(2, 3), "prose": small(3, 2)}
    found = GradientAlignment(subject, target, probes, max_norm=max_norm, rows=rows)()
    subject.eval()
    gradients = {name: gradient(subject, blocks) for name, blocks in probes.items()}
    wanted = gradient(subject, target)

    def clipped(one: Any) -> Any:
        return one * min(1.0, (max_norm or math.inf) / float(one.norm()))

    assert found.target_norm == pytest.approx(float(wanted.norm()), rel=1e-5)
    for name, one in gradients.items():
        assert found.norms[name] == pytest.approx(float(one.norm()), rel=1e-5)
        dot = float(clipped(one) @ clipped(wanted))
        assert found.dots[name] == pytest.approx(dot, rel=1e-4, abs=1e-7)
        assert found.measurement()[name] == (found.dots[name], 1)


@pytest.mark.parametrize("kept", [1, 2, 8])
@pytest.mark.parametrize("max_norm", [0.05, None])
def test_products_are_those_of_the_clipped_gradients_of_each_pair(
    kept: int, max_norm: float | None
) -> None:
    subject = model()
    targets = {"prose": small(4, 2), "java": small(5, 1)}
    probes = {"java": small(2, 3), "prose": small(3, 2), "config": small(6, 1)}
    every = [(one, other) for one in probes for other in probes]
    found = GradientProducts(subject, probes, max_norm=max_norm, kept=kept)(every)
    aimed = GradientProducts(subject, probes, targets, max_norm=max_norm, kept=kept)(
        [("prose", "config"), ("java", "java")]
    )
    subject.eval()

    def clipped(blocks: list[Block]) -> Any:
        one = gradient(subject, blocks)
        return one * min(1.0, (max_norm or math.inf) / float(one.norm()))

    assert list(found) == every
    for (one, other), product in found.items():
        dot = float(clipped(probes[one]) @ clipped(probes[other]))
        assert product == pytest.approx(dot, rel=1e-4, abs=1e-7)
        assert product == found[other, one]
    assert list(aimed) == [("prose", "config"), ("java", "java")]
    for (target, domain), product in aimed.items():
        dot = float(clipped(targets[target]) @ clipped(probes[domain]))
        assert product == pytest.approx(dot, rel=1e-4, abs=1e-7)


def test_moments_are_those_of_the_gradients_of_sequences() -> None:
    subject = model()
    probes = {"java": small(2, 4), "prose": small(3, 2), "config": small(6, 1)}
    found = GradientMoments(subject, probes, rows=3)()
    subject.eval()
    assert list(found) == ["java", "prose"]
    for name, (square, variance) in found.items():
        own = torch.stack([gradient(subject, [one]) for one in probes[name]])
        spread = float((own - own.mean(dim=0)).square().sum()) / (len(own) - 1)
        assert variance == pytest.approx(spread, rel=1e-4)
        whole = float(own.mean(dim=0).square().sum())
        assert square == pytest.approx(whole - spread / len(own), rel=1e-3, abs=1e-6)


def test_products_of_what_is_not_there_are_refused() -> None:
    sets = {"java": small(1, 1)}
    with pytest.raises(EvalSetError, match="no blocks to take a gradient on: prose"):
        GradientProducts(model(), sets, {"prose": []})
    with pytest.raises(EvalSetError, match="pairs must be of java and java: java/prose"):
        GradientProducts(model(), sets)([("java", "prose")])
    with pytest.raises(ValueError, match="kept must be at least 1: 0"):
        GradientProducts(model(), sets, kept=0)


def test_looking_at_a_model_leaves_no_trace() -> None:
    subject = model()
    optimizer = trained(subject)
    hooked: list[int] = []
    for parameter in subject.parameters():
        if parameter.requires_grad:
            parameter.register_hook(lambda grad: hooked.append(1))
    sets = {"java": small(2, 3)}
    before = traces(subject, optimizer)
    gradients = [parameter.grad for parameter in subject.parameters()]
    modes = [module.training for module in subject.modules()]
    GradientAlignment(subject, small(1, 2), sets)()
    GradientProducts(subject, sets)([("java", "java")])
    after = traces(subject, optimizer)
    assert all(torch.equal(one, other) for one, other in zip(before, after, strict=True))
    assert all(p.grad is kept for p, kept in zip(subject.parameters(), gradients, strict=True))
    assert [module.training for module in subject.modules()] == modes
    assert not hooked
    passes = float(subject.passes)
    DomainEvaluator(subject, sets)()
    assert [module.training for module in subject.modules()] == modes
    assert torch.equal(torch.get_rng_state(), before[0])
    assert float(subject.passes) == passes


def test_the_excess_of_a_loss_is_that_of_each_label_above_the_reference_s() -> None:
    subject, reference = model(), model()
    with torch.no_grad():
        for parameter in reference.parameters():
            parameter.add_(torch.randn_like(parameter))
    sets = {"java": small(1, 5), "prose": small(2, 3, mask=[1, 2])}
    found = ExcessLoss(subject, reference, rows=2, forward=logits)(sets)
    assert (subject.training, reference.training) == (True, True)
    assert float(subject.passes) == float(reference.passes) == 0
    subject.eval()
    reference.eval()
    for domain, blocks in sets.items():
        total, every, count = 0.0, 0.0, 0
        for one in blocks:
            ids = torch.from_numpy(one.tokens.astype(np.int64))
            own, other = (
                nn.functional.cross_entropy(of(ids[None, :-1])[0], ids[1:], reduction="none")
                for of in (subject, reference)
            )
            above = (own - other)[torch.from_numpy(one.loss_mask)].detach()
            total += float(above.clamp(min=0).sum())
            every += float(above.sum())
            count += len(above)
        assert found[domain][0] == pytest.approx(total, rel=1e-5)
        assert found[domain][1] == count
        assert total > max(0.0, every) + 0.1  # a label below the reference takes nothing away


def test_ranks_gather_their_samples_where_the_checkpoint_is_written(tmp_path: Path) -> None:
    assert gather_samples(TrainerRank(1, 2), {}) == {1: {}}
    found = ranks_of("torch_samples.py", tmp_path)
    assert [ast.literal_eval(one) for one in found] == [
        {0: {"of": 0}, 1: {"of": 1}},
        {1: {"of": 1}},
    ]


def test_two_gradients_are_in_memory_however_many_domains_there_are() -> None:
    subject = model()
    shape = subject.middle.weight.shape
    alive: list[int] = []

    def count(of: nn.Module, batch: dict[str, Any]) -> Any:
        gc.collect()
        found = [one for one in gc.get_objects() if type(one) in (torch.Tensor, nn.Parameter)]
        alive.append(sum(one.shape == shape for one in found))
        return of(batch["inputs"])

    probes = {f"domain{i}": small(i, 2) for i in range(6)}
    pairs = [(one, other) for one in probes for other in probes]
    GradientProducts(subject, probes, kept=2, rows=1, forward=count)(pairs)
    assert len(alive) == 2 * (6 + 4 + 2)  # each tile of two, and what comes after it
    assert max(alive) <= alive[0] + 2  # a gradient more than are kept, at most
    alive.clear()
    GradientAlignment(subject, small(9, 2), probes, rows=1, forward=count)()
    assert len(alive) == 2 * 7
    assert len(set(alive[2::2])) == 1  # with the target's gradient, before the domain's own
    assert max(alive) <= alive[2] + 1


def test_a_model_that_fails_is_left_as_it_was() -> None:
    subject = model()

    def fail(of: nn.Module, batch: dict[str, Any]) -> Any:
        raise ArithmeticError("no logits")

    with pytest.raises(ArithmeticError):
        GradientAlignment(subject, small(1, 1), {"java": small(2, 1)}, forward=fail)()
    assert subject.training
    assert not subject.drop.training


def test_refuses_sets_without_blocks_or_labels() -> None:
    with pytest.raises(EvalSetError, match="no blocks to take a gradient on: target set, prose"):
        GradientAlignment(model(), [], {"java": small(1, 1), "prose": []})
    with pytest.raises(ValueError, match="max_norm must be positive: 0"):
        GradientAlignment(model(), small(1, 1), {}, max_norm=0)
    with pytest.raises(EvalSetError, match="no label of these blocks counts"):
        GradientAlignment(model(), small(1, 1, mask=[0, 4]), {})()
