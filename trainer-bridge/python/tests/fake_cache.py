"""What 'sluice cache' says over its socket, of objects that lie in folders; none of its client."""

from __future__ import annotations

import hashlib
import re
import shutil
import socket
import threading
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

HELLO = b"sluice-cache 1"


class FakeCache:
    """A cache of stores, each with the folder that its objects are fetched from.

    ``asked`` is every line. ``says`` are answers to the next lines that begin so, in their order.
    Objects are held until ``room`` of them are.
    """

    def __init__(self, folder: Path, stores: dict[str, Path], room: int = 1 << 20) -> None:
        self.folder, self.room = folder, room
        self.asked: list[str] = []
        self.says: list[tuple[str, bytes]] = []
        self.stores = stores
        self._held: dict[socket.socket, set[str]] = {}
        self._lock = threading.Lock()
        self.start()

    def start(self) -> None:
        (self.folder / "socket").unlink(missing_ok=True)
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(str(self.folder / "socket"))
        self._listening.listen()
        self._threads = [threading.Thread(target=self._accept, args=(self._listening,))]
        self._threads[0].start()

    def stop(self) -> None:
        """Ends, and with it all connections."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        self._listening.close()
        for connection in list(self._held):
            with suppress(OSError):  # it may just have ended
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads[1:]:
            thread.join()

    @property
    def held(self) -> set[str]:
        """What any connection holds."""
        with self._lock:
            return set().union(*self._held.values())

    def asked_for(self, verb: str) -> list[str]:
        """The objects, or stores, that lines were of."""
        return [line.split(" ")[-1] for line in self.asked if line.split(" ")[0] == verb]

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with self._lock:
                self._held[connection] = set()
            self._threads.append(threading.Thread(target=self._serve, args=(connection,)))
            self._threads[-1].start()

    def _serve(self, connection: socket.socket) -> None:
        greeted = False
        with connection, connection.makefile("rb") as lines, suppress(OSError):
            for line in lines:
                assert len(line) <= 4096
                with self._lock:
                    answer = self._said(line.rstrip(b"\n").decode(), greeted, connection)
                greeted = True
                connection.sendall(answer)
        with self._lock:
            del self._held[connection]

    def _said(self, line: str, greeted: bool, connection: socket.socket) -> bytes:
        self.asked.append(line)
        for i, (begin, answer) in enumerate(self.says):
            if line.startswith(begin):
                del self.says[i]
                return answer
        if not greeted:
            return b"ok " + HELLO + b"\n" if line.encode() == HELLO else b"error who is that\n"
        return self._answer(self._held[connection], *line.split(" ")).encode() + b"\n"

    def _answer(self, held: set[str], verb: str, word: str = "", name: str = "") -> str:
        store = unquote(word)
        if verb == "release":
            held.clear()
            return "ok"
        if store not in self.stores:
            return "error it is not a store of this cache"
        if verb in ("serves", "ahead"):
            return "ok"
        assert re.fullmatch(r"d/[0-9a-f]{64}\.(rows|side)", name)
        place = f"objects/{hashlib.sha256(store.encode()).hexdigest()[:16]}/{name}"
        if verb == "check":
            return self._checked(self.folder / place)
        assert verb == "get"
        return self._got(held, self.stores[store] / name, place)

    def _checked(self, path: Path) -> str:
        if not path.exists() or is_whole(path):
            return "ok"
        path.unlink()
        return "corrupt it was another"

    def _got(self, held: set[str], source: Path, place: str) -> str:
        path = self.folder / place
        if not path.exists():
            if not source.exists():
                return "missing there is no such object"
            if not is_whole(source):
                return "corrupt the store has other bytes"
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, path)
        if len({place}.union(*self._held.values())) > self.room:
            return f"full {self.room} objects are held"
        held.add(place)
        return f"ok {place}"


def is_whole(path: Path) -> bool:
    return hashlib.sha256(path.read_bytes()).hexdigest() == path.stem
