"""``sluice.bench.step`` on the CPU: what is trained on, not how fast."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from records import started  # noqa: E402
from sluice.bench import step as bench  # noqa: E402
from sluice.bench.step import measure, note  # noqa: E402
from sluice.bench.training import Timed, Training  # noqa: E402
from sluice.stream.batch import Step  # noqa: E402
from sluice.stream.loader import Loader  # noqa: E402
from writers import LENGTH, MemorySource, TestingStream, reader_over  # noqa: E402

STEPS = 3
STREAM = TestingStream(2, [4] * 4, batches=4)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_feedback", lambda stack, loader: lambda step: None)


def loader(stream: TestingStream = STREAM) -> Loader:
    source = MemorySource(2, waits=True)
    source.write(stream.sequences)
    return Loader.over(reader_over(source, stream.run, [started(stream.run)]), micro_batch=2)


class Watched(Training):
    """Remembers each turn, and the rows of its steps."""

    def __init__(self) -> None:
        super().__init__(STREAM.run.vocabulary, LENGTH)
        self.turns: list[Timed] = []
        self.rows: list[list[bytes]] = []

    def timed(self, steps: Iterable[Step], after: Callable[[Step], Any]) -> Timed:
        rows: list[bytes] = []
        self.rows.append(rows)

        def watched(step: Step) -> None:
            rows.append(b"".join(part.tokens.tobytes() for part in step))
            after(step)

        timed = super().timed(steps, watched)
        self.turns.append(timed)
        return timed


def test_both_ways_train_on_what_the_loader_gives(capsys: pytest.CaptureFixture[str]) -> None:
    training = Watched()
    ratio = measure(training, "r", loader, STEPS, repeats=2)
    with loader() as steps:
        given = [next(iter(steps)).whole.tokens.tobytes() for _ in range(STEPS)]
    assert training.rows == [given] * 6
    assert len({tuple(turn.losses) for turn in training.turns}) == 1
    assert len(set(training.turns[0].losses)) == STEPS
    assert ratio.ratio == pytest.approx(ratio.loader / ratio.memory)
    said = [line.split(",")[0] for line in capsys.readouterr().err.splitlines()]
    assert said == ["r: warm-up", "r: turn 1 of 2", "r: turn 2 of 2"]
    assert int(ratio.digest, 16) == sum(training.turns[0].digests) % (1 << 64)


def test_the_loss_is_the_mean_over_the_labels_of_the_batch() -> None:
    training = Training(STREAM.run.vocabulary, LENGTH)
    with loader() as steps:
        kept = [next(iter(steps)) for _ in range(2)]
    whole = [Step(step.whole) for step in kept]
    assert training.timed(kept, lambda step: None).losses == pytest.approx(
        training.timed(whole, lambda step: None).losses, rel=1e-4
    )


class Misread(Training):
    """Whose steps say that they have other rows."""

    def timed(self, steps: Iterable[Step], after: Callable[[Step], Any]) -> Timed:
        return super().timed(steps, after)._replace(digests=[0] * STEPS)


def test_a_loader_that_gives_other_rows_is_noticed() -> None:
    with pytest.raises(ValueError, match="run r gave other rows than before"):
        measure(Misread(STREAM.run.vocabulary, LENGTH), "r", loader, STEPS, repeats=1)


def test_what_cannot_be_compared_is_refused() -> None:
    training = Training(STREAM.run.vocabulary, LENGTH)
    with pytest.raises(ValueError, match="steps must be at least 2, repeats 1: 1, 1"):
        measure(training, "r", loader, 1, repeats=1)


def test_says_what_it_did_not_run_on() -> None:
    assert note("H100", True, 10**9) == "1000.0 M parameters on H100"
    assert "not run on a GPU" in note("CPU", False, 10**5)
