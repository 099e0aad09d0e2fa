"""Whether servers can be reached at all: librdkafka tries for ever, and says so only in the end."""

from __future__ import annotations

import re
import socket
import threading
import time

_SERVER = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:/,]+):([0-9]{1,5})")
_LAST_PORT = 65_535


def servers(bootstrap: str) -> list[tuple[str, int]]:
    """Host and port of each server of a list with commas between.

    Raises:
        ValueError: if one is not written as ``host:port``.
    """
    found = []
    for server in bootstrap.split(","):
        parts = _SERVER.fullmatch(server.strip())
        if parts is None or not 1 <= int(parts[2]) <= _LAST_PORT:
            raise ValueError(
                "bootstrap must be HOST:PORT, or several with commas between, with ports from 1 to "
                f"{_LAST_PORT}: '{server.strip()}' of '{bootstrap}'"
            )
        found.append((parts[1].strip("[]"), int(parts[2])))
    return found


def failures(bootstrap: str, seconds: float) -> list[str]:
    """Why each server takes no connection, asked side by side; empty once one takes any."""
    asked = servers(bootstrap)
    reasons = dict.fromkeys(asked, "no connection, and no refusal either")
    reached = threading.Event()
    over = threading.Semaphore(0)

    def ask(server: tuple[str, int]) -> None:
        try:
            socket.create_connection(server, seconds).close()
            reached.set()
        except socket.gaierror:
            reasons[server] = "its name is not known to this machine"
        except TimeoutError:
            pass
        except OSError as error:
            reasons[server] = error.strerror or str(error)
        over.release()

    deadline = time.monotonic() + seconds
    for server in reasons:
        threading.Thread(target=ask, args=(server,), name="sluice-reach", daemon=True).start()
    for _ in reasons:
        # A name server may take longer than all of this may.
        if reached.is_set() or not over.acquire(timeout=max(0.0, deadline - time.monotonic())):
            break
    if reached.is_set():
        return []
    return [f"{host}:{port}: {reason}" for (host, port), reason in list(reasons.items())]
