"""Does what each line of standard input says with loaders of this client, and answers in a line.

Questions and answers are JSON; an error is answered with its kind, the name of its class.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import sluice


class Contract:
    """Loaders by number."""

    def __init__(self, bootstrap: str, timeout: float) -> None:
        self._bootstrap = bootstrap
        self._timeout = timeout
        self._loaders: dict[int, sluice.Loader] = {}

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Does what a question says."""
        number = question["loader"]
        if question["do"] == "open":
            self._loaders[number] = self._open(question)
            return {}
        steps = self._loaders[number]
        match question["do"]:
            case "next":
                return _described(steps.next())
            case "state":
                return {"state": steps.state_dict()}
            case "seek":
                steps.load_state_dict(question["state"])
            case "seek-to-batch":
                steps.seek_to_batch(question["batch"])
            case "close":
                self._loaders.pop(number).close()
            case other:
                raise ValueError(other)
        return {}

    def _open(self, question: dict[str, Any]) -> sluice.Loader:
        return sluice.Loader(
            sluice.find_run(question["run"], self._bootstrap, timeout=0),
            bootstrap=self._bootstrap,
            dp=(question["rank"], question["world"]),
            replica=question["replica"],
            attach=question["attach"],
            prefetch_bytes=question["bytes"],
            timeout=self._timeout,
        )


def _described(step: sluice.Step) -> dict[str, Any]:
    whole = step.whole
    names = [step.info.domain_names[domain] for domain in whole.domains]
    rows = zip(whole.index, names, whole.tokens[:, 0], strict=True)
    return {
        "batch": step.batch,
        "timeline": step.info.timeline,
        "rows": [f"{index} {name} {token}" for index, name, token in rows],
        "trained": int(whole.label_counts.sum()),
    }


def main() -> None:
    bootstrap, timeout = sys.argv[1:]
    contract = Contract(bootstrap, float(timeout))
    for line in sys.stdin:
        try:
            answer = contract.answer(json.loads(line))
        except (sluice.SluiceError, ValueError) as error:
            answer = {"error": type(error).__name__, "message": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
