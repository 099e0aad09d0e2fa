"""What of a dataset's blocks is sealed, by the records of its segments: section 4."""

from __future__ import annotations

from checker.topics import Topics
from checker.wire import Record, of

Lane = tuple[str, int]
"""A domain's."""


class Sealed:
    """The files of segments are in a store, which is not read here."""

    def __init__(self, topics: Topics, dataset: str, fingerprint: int) -> None:
        segments: dict[Lane, dict[int, Record]] = {}
        topic = f"segments.{dataset}"
        for message in topics.read(topic) if topic in topics.names() else ():
            segment = of("Segment", message.value)
            if segment is None or segment["fingerprint"] != fingerprint:
                continue
            if segment["first"] >= 0 and segment["rows"] > 0:
                lane = segments.setdefault((segment["domain"], segment["lane"]), {})
                lane[segment["first"]] = segment
        self.covered = {lane: _covered(said) for lane, said in segments.items()}
        self.ends = {
            (lane, first + segment["rows"])
            for lane, said in segments.items()
            for first, segment in said.items()
            if segment["ended"]
        }
        self.placed = {
            domain
            for (domain, _), said in segments.items()
            if any(segment["file"] for segment in said.values())
        }

    def rows(self, domain: str, lane: int) -> int:
        """All blocks with ordinals below it are."""
        return self.covered.get((domain, lane), 0)

    def ended(self, domain: str, lane: int) -> int | None:
        """Blocks of a lane, once a segment says that it ends with them."""
        rows = self.rows(domain, lane)
        return rows if ((domain, lane), rows) in self.ends else None

    def in_place(self, domain: str) -> bool:
        """Whether its blocks are files of others, which nobody has shuffled."""
        return domain in self.placed


def _covered(segments: dict[int, Record]) -> int:
    rows = 0
    for first, segment in sorted(segments.items(), key=lambda each: each[0]):
        if first > rows:
            break
        rows = max(rows, first + segment["rows"])
    return rows
