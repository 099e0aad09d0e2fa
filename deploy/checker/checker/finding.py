"""What is wrong, where, and both values."""

from __future__ import annotations

from typing import NamedTuple

RULES = {
    "granted": "nothing is taken that no grant names",
    "heard": "an acknowledged report is in its round, or was refused as the page says",
    "digest": "one (timeline, index) is one digest",
    "order": "no gap, repeat or inversion for a rank",
    "command": "a command acknowledged before a grant was proposed governs it",
    "version": "versions never go back",
    "document": "an ingested document's tokens are in blocks or held out, once",
    "mixture": "what was taken keeps to the plan and its bound",
    "kept": "nothing is cut that a live checkpoint needs",
    "read": "what ranks say that they read is what the log and the blocks give",
    "sealed": "a run without a stream is granted what segments have",
    "flow": "every run flows again after the last fault",
    "log": "no record breaks a run's log",
}


class Finding(NamedTuple):
    rule: str
    run: str
    """The run's id; of documents, the dataset and domain."""
    place: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.run}, {self.place}: {self.expected}, but {self.found}"
