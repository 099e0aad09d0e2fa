"""A Python function as a run's policy ``external``."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from typing import Any, TextIO

from sluice.feedback.reporter import FeedbackReporter
from sluice.kafka.access import KafkaAccess
from sluice.kafka.log import LogReader
from sluice.kafka.properties import kafka_config
from sluice.run.directory import started_run
from sluice.steering.answer import CheckedPolicy, OnError
from sluice.steering.followed import FollowedRun
from sluice.steering.lines import LINES, answer_lines
from sluice.steering.round import Means, PolicyFunction, Round
from sluice.steering.runner import PolicyRunner


@dataclass(frozen=True)
class RunPolicy:
    """A function that decides the weights of a run's rounds; :func:`policy` makes one.

    Called, it answers a round as the function does, with the answer checked.
    """

    checked: CheckedPolicy
    name: str = ""
    metrics: tuple[str, ...] = ()
    timeout: float = 30.0
    access: KafkaAccess = field(default_factory=KafkaAccess)

    def __call__(self, asked: Round) -> Means:
        """The weights of a round."""
        return self.checked.decide(asked)

    def run(self) -> int:
        """Follows the run that was started last under its name, and sends the weights of each
        round, until it is completed or stopped; how many rounds it answered.

        What is known of a round's answer is in the run's feedback alone, so another process goes on
        where this one ends. A broker that goes away between two rounds is waited for.
        """
        if not self.name:
            raise ValueError("run must be named: @sluice.policy(NAME), or --run NAME")
        found = started_run(self.access, self.name, self.timeout)
        log = LogReader(self.access, self.access.topics.feedback(found.name))
        try:
            with FollowedRun(self.access, found) as run, FeedbackReporter(run) as reporter:
                return PolicyRunner(run, log, reporter, self, self.metrics).run()
        finally:
            log.close()

    def simulate(self, questions: TextIO | None = None, answers: TextIO | None = None) -> int:
        """Answers the lines of a simulator, by default of standard input on standard output, where
        what the function prints goes to standard error; how many there were."""
        out = answers or sys.stdout
        with redirect_stdout(sys.stderr):
            return answer_lines(self, questions or sys.stdin, out)

    def main(self, arguments: Sequence[str] | None = None) -> None:
        """What a module of one policy does as a program: :meth:`simulate` if ``sluice simulate
        --external`` has started it, otherwise :meth:`run`; progress goes to standard error.

        ``--run``, ``--bootstrap``, ``--prefix`` and ``--kafka-config`` take the place of what the
        module says.
        """
        if os.environ.get(LINES) == "lines":
            self.simulate()
            return
        given = self._parser().parse_args(arguments)
        logging.basicConfig(format="%(asctime)s %(message)s")
        logging.getLogger("sluice").setLevel(logging.INFO)
        config = kafka_config(given.kafka_config) if given.kafka_config else self.access.config
        access = KafkaAccess(given.bootstrap, given.prefix, config)
        replace(self, name=given.run, access=access).run()

    def _parser(self) -> argparse.ArgumentParser:
        access = self.access
        parser = argparse.ArgumentParser(description=self.checked.function.__doc__)
        parser.add_argument("--run", default=self.name, required=not self.name, help="its name")
        parser.add_argument("--bootstrap", default=access.bootstrap, help="HOST:PORT of a broker")
        parser.add_argument("--prefix", default=access.prefix, help="of the topics' names")
        parser.add_argument("--kafka-config", metavar="FILE", help="properties, as of sluice")
        return parser


def policy(
    run: str = "",
    bootstrap: str = "localhost:9092",
    prefix: str = "sluice.",
    *,
    metrics: Sequence[str] = (),
    on_error: OnError = "stop",
    timeout: float = 30.0,
    config: Mapping[str, Any] | None = None,
) -> Callable[[PolicyFunction], RunPolicy]:
    """Makes a function of a :class:`~sluice.Round` the policy ``external`` of a run.

    ``metrics`` are those that the function reads beside the held-out losses: a round waits for
    them, too. A function that raises, or answers with what no run could follow, ends the process,
    and the round is answered once it is started again; with ``on_error="keep"`` the round keeps its
    weights. ``timeout`` is how many seconds a run is waited for that has not started.

    .. code-block:: python

        @sluice.policy("velo-small", bootstrap="broker:9092")
        def mix(round):
            return {name: loss for name, loss in round.losses.items()}

        if __name__ == "__main__":
            mix.main()
    """
    if not isinstance(run, str):
        raise TypeError("sluice.policy must be called: @sluice.policy(NAME), or @sluice.policy()")
    access = KafkaAccess(bootstrap, prefix, config or {})

    def decorated(function: PolicyFunction) -> RunPolicy:
        name = getattr(function, "__name__", type(function).__name__)
        checked = CheckedPolicy(name, function, on_error)
        return RunPolicy(checked, run, tuple(metrics), timeout, access)

    return decorated
