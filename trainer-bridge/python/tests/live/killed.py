"""Trainers that are killed again and again, at random points and with random world sizes.

Each life is one process for each rank, which ends itself with SIGKILL somewhere in a step; the next
life goes on from the last state that was written. In the end the rows that were trained on, batch
by batch, must be those that a reader sees which never stops.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn
from zlib import crc32

from scripted import losses

import sluice

WORLDS = [1, 2, 4]
POINTS = ["taken", "trained", "reported", "saved"]


def train(
    given: argparse.Namespace,
    life: int,
    state: str | None,
    dp: tuple[int, int],
    death: tuple[int, str],
) -> None:
    """One rank's life; ``death`` is after how many steps, and at which point of that step."""
    folder, (count, point) = Path(given.folder), death

    def live_on(step: int, at: str) -> None:
        if step == count and at == point:
            os.kill(os.getpid(), signal.SIGKILL)

    with (
        sluice.Loader(given.run, bootstrap=given.bootstrap, dp=dp) as steps,
        sluice.FeedbackReporter(steps) as feedback,
        open(folder / f"{life:03}-{dp[0]}.jsonl", "w", encoding="utf-8") as log,
    ):
        if state is not None:
            steps.load_state_dict(json.loads(state))
        else:
            report(steps, feedback, 0, life)
        for number, step in enumerate(steps):
            live_on(number, "taken")
            log.write(json.dumps([step.batch, rows(step)]) + "\n")
            log.flush()
            live_on(number, "trained")
            if step.info.closes_round:
                report(steps, feedback, step.batch, life)
            feedback.progress(step.batch)
            live_on(number, "reported")
            feedback.flush()
            if dp[0] == 0:
                part = folder / "state.part"
                part.write_text(json.dumps(steps.state_dict()))
                part.rename(folder / "state.json")
            live_on(number, "saved")


def report(steps: sluice.Loader, feedback: sluice.FeedbackReporter, step: int, life: int) -> None:
    feedback.eval_loss(step, losses(steps.run, step), attempt=f"{life}-{step}")


def rows(step: sluice.Step) -> list[Any]:
    """What identifies each row: its index, its domain and its tokens."""
    whole = step.whole
    return [
        [int(index), int(domain), crc32(ids.tobytes())]
        for index, domain, ids in zip(whole.index, whole.domains, whole.tokens, strict=True)
    ]


def end_with(work: Callable[[], None]) -> NoReturn:
    """Ends this fork with what it was made for."""
    try:
        work()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def live(given: argparse.Namespace, life: int, rng: random.Random | None) -> list[int]:
    """One life of all ranks; the signals that ended them. Without a seed none is killed."""
    world = 1 if rng is None else rng.choice(WORLDS)
    count = -1 if rng is None else rng.randrange(6)
    # Read once for all ranks: one may save before another loads.
    file = Path(given.folder) / "state.json"
    state = file.read_text() if file.exists() else None
    children = []
    for rank in range(world):
        # The other ranks get as far as rank 0: a collective step would hold it back.
        point = "" if rng is None else rng.choice(POINTS) if rank == 0 else "saved"
        child = os.fork()
        if child == 0:
            end_with(partial(train, given, life, state, (rank, world), (count, point)))
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def trained(folder: Path) -> dict[int, list[Any]]:
    """The rows of each batch as they were trained on last, over the ranks of that life."""
    found: dict[int, tuple[str, list[Any]]] = {}
    for file in sorted(folder.glob("*.jsonl")):
        life = file.name.partition("-")[0]
        for line in file.read_text().splitlines():
            batch, some = json.loads(line)
            before = found.get(batch)
            joined = before[1] + some if before is not None and before[0] == life else some
            found[batch] = (life, joined)
    return {batch: every for batch, (_, every) in sorted(found.items())}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--kills", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    killed = 0
    for life in range(given.kills):
        ends = live(given, life, rng)
        if set(ends) - {0, -signal.SIGKILL}:
            raise SystemExit(f"seed {given.seed}, life {life}: the ranks ended with {ends}")
        killed += -signal.SIGKILL in ends
    ends = live(given, given.kills, None)
    whole = {}
    with sluice.Loader(given.run, bootstrap=given.bootstrap, attach=False) as steps:
        for step in steps:
            whole[step.batch] = rows(step)
    found = trained(Path(given.folder))
    wrong = [batch for batch in whole if found.get(batch) != whole[batch]]
    print(json.dumps({"killed": killed, "last": ends, "batches": len(whole), "wrong": wrong}))


if __name__ == "__main__":
    main()
