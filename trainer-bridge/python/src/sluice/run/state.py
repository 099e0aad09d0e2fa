"""Where a trainer is in a run's stream."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from sluice.errors import InvalidState

_RUN_ID = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class StreamState:
    """Position of a trainer in a run's stream: what its checkpoint keeps.

    ``batch`` is the last batch that was handed out, ``first_index`` the global index of the first
    sequence of the next one.
    """

    run_id: str
    timeline: int = 0
    batch: int = 0
    first_index: int = 0

    def __post_init__(self) -> None:
        if not _RUN_ID.fullmatch(self.run_id):
            raise InvalidState(f"runId must be letters, digits, '.', '_' or '-': '{self.run_id}'")
        if min(self.timeline, self.batch, self.first_index) < 0:
            raise InvalidState(
                "timeline, batch and firstIndex must not be negative: "
                f"{self.timeline}, {self.batch}, {self.first_index}"
            )

    def to_dict(self) -> dict[str, Any]:
        """The form that the Java client's JSON has, key by key."""
        return {
            "version": 1,
            "runId": self.run_id,
            "timeline": self.timeline,
            "batch": self.batch,
            "firstIndex": self.first_index,
        }

    @staticmethod
    def from_dict(state: dict[str, Any]) -> StreamState:
        """Reads what :meth:`to_dict` gave."""
        if state.get("version") != 1:
            raise InvalidState(f"stream state must be version 1: {state.get('version')}")
        try:
            return StreamState(
                state["runId"], state["timeline"], state["batch"], state["firstIndex"]
            )
        except KeyError as error:
            raise InvalidState(f"stream state has no {error}: {state}") from error
