"""A connection to the daemon of a node's cache, which answers each line with a line."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

_LONGEST_LINE = 4096
_HELLO = "sluice-cache 1"
PATIENCE = 5.0  # seconds


class CacheConnection:
    """A connection; fails with OSError, and is of no use from then on. Not thread-safe."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(PATIENCE)
            self._socket.connect(os.fspath(path))
            said = self.ask(_HELLO)
            if said != f"ok {_HELLO}":
                raise ConnectionError(f"it says {said!r} to {_HELLO!r}")
        except BaseException:
            self.close()
            raise

    def ask(self, line: str, seconds: float = PATIENCE) -> str:
        """The answer to a line, within some seconds."""
        asked = line.encode() + b"\n"
        if len(asked) > _LONGEST_LINE:
            raise ConnectionError(f"it takes lines of {_LONGEST_LINE} bytes: {len(asked)}")
        until = time.monotonic() + seconds
        self._socket.sendall(asked)
        found = b""
        while not found.endswith(b"\n"):
            if len(found) > _LONGEST_LINE:
                raise ConnectionError(f"it answers with more than {_LONGEST_LINE} bytes")
            self._wait_until(until, seconds)
            more = self._socket.recv(_LONGEST_LINE + 1 - len(found))
            if not more:
                raise ConnectionError("it has ended the connection")
            found += more
        return _text(found[:-1])

    def _wait_until(self, until: float, seconds: float) -> None:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"it says nothing for {seconds:g} s")
        self._socket.settimeout(left)

    def close(self) -> None:
        """Ends the connection, and with it what it holds."""
        self._socket.close()


def _text(line: bytes) -> str:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = "\n"
    if "\n" in text:
        raise ConnectionError(f"it answers with no line of text: {line[:40]!r}")
    return "".join(c if c.isprintable() else "?" for c in text)
