"""Names by numbers."""

from __future__ import annotations


class Numbers:
    """Names in the order in which they came, each once."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}

    def of(self, name: str) -> int:
        """The number of a name, which it has from now on."""
        number = self._numbers.setdefault(name, len(self._names))
        if number == len(self._names):
            self._names.append(name)
        return number

    def find(self, name: str) -> int:
        """The number of a name; -1 if it has none."""
        return self._numbers.get(name, -1)

    def __getitem__(self, number: int) -> str:
        return self._names[number]
