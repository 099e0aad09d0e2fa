"""What is closed at the end of a ``with`` statement."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import TypeVar

_Own = TypeVar("_Own", bound="Closing")


class Closing(ABC):
    """Something that a ``with`` statement closes, however it ends."""

    @abstractmethod
    def close(self) -> None:
        """Gives back what is held; twice does nothing more."""

    def __enter__(self: _Own) -> _Own:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
