"""The objects of a store, as the daemon of a node's cache has them."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from pathlib import Path

from sluice.cache.connection import PATIENCE, CacheConnection
from sluice.errors import SluiceError, StreamCorrupt, StreamMissing

_CHECK_PATIENCE = 30.0  # seconds, in which a file is read
_ANSWERS = {
    "serves": ("ok",),
    "get": ("ok", "wait", "missing", "full", "corrupt"),
    "ahead": ("ok",),
    "release": ("ok",),
    "check": ("ok", "corrupt"),
}
_ESCAPED = re.compile(r"[ %\x00-\x1f\x7f-\x9f]")


class CacheWaits(SluiceError):
    """The cache does not have an object yet, or does not answer: it can be asked again."""


class CacheFull(StreamMissing):
    """What is held leaves no room for an object."""


_REFUSALS: dict[str, type[SluiceError]] = {
    "wait": CacheWaits,
    "missing": StreamMissing,
    "full": CacheFull,
    "corrupt": StreamCorrupt,
    "error": StreamMissing,
}


class NodeCache:
    """Asks the daemon in a folder for the objects of a store.

    Connects when it is asked, again after a failure. ``lost`` says how many connections have ended:
    what was held by these is held no longer. Not thread-safe.
    """

    def __init__(self, folder: Path, store: str) -> None:
        self.lost = 0
        self._folder, self._store = folder, store
        self._objects = f"objects/{hashlib.sha256(store.encode()).hexdigest()[:16]}"
        self._word = _ESCAPED.sub(_escaped, store)
        self._connection: CacheConnection | None = None
        self._serves: bool | None = None  # by this connection

    def serves(self) -> bool:
        """Whether it has the store's objects; asked once over each connection."""
        if self._serves is None:
            self._serves = self._ask("serves")[0] == "ok"
        return self._serves

    def get(self, name: str) -> Path:
        """The file of an object, which is kept for this connection from now on.

        Raises CacheWaits if it has to be asked for again, CacheFull if there is no room,
        StreamMissing if it cannot be had, and StreamCorrupt if the store has other bytes.
        """
        kind, text = self._ask("get", name)
        if kind == "ok":
            return self._place(name, text)
        raise _REFUSALS[kind](
            f"the cache in {self._folder} does not have {name} of {self._store}: {text}"
        )

    def _place(self, name: str, text: str) -> Path:
        expected = f"{self._objects}/{name}"
        if text != expected:
            raise self._lose(f"it has {name} in {text!r} instead of {expected}")
        return self._folder / expected

    def ahead(self, name: str) -> None:
        """Says that an object will be asked for; CacheWaits if the daemon does not answer."""
        self._ask("ahead", name)

    def check(self, name: str) -> None:
        """Has an object's file looked at: one with other bytes is fetched anew when it is asked
        for. Where the daemon does not answer, nothing is done."""
        with suppress(CacheWaits):
            self._ask("check", name, seconds=_CHECK_PATIENCE)

    def release(self) -> None:
        """Says that nothing is held any more."""
        if self._connection is not None:
            with suppress(CacheWaits):
                self._answer("release", PATIENCE)

    def _ask(self, verb: str, *name: str, seconds: float = PATIENCE) -> tuple[str, str]:
        return self._answer(" ".join((verb, self._word, *name)), seconds)

    def _answer(self, line: str, seconds: float) -> tuple[str, str]:
        """The first word of an answer, one of those that it may be, and the others."""
        try:
            if self._connection is None:
                self._connection = CacheConnection(self._folder / "socket")
            said = self._connection.ask(line, seconds)
        except OSError as error:
            raise self._lose(error.strerror or str(error)) from None
        kind, _, text = said.partition(" ")
        if kind != "error" and kind not in _ANSWERS[line.split(" ")[0]]:
            raise self._lose(f"it says {said!r} to {line!r}")
        return kind, text

    def _lose(self, why: str) -> CacheWaits:
        self.close()
        return CacheWaits(
            f"the cache in {self._folder} does not answer: {why}; start 'sluice cache "
            f"{self._folder} --store {self._store} --size SIZE' on this node"
        )

    def close(self) -> None:
        """Ends the connection; another is made when something is asked."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
            self.lost += 1
        self._serves = None


def _escaped(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())
