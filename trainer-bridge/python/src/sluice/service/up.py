"""``sluice up`` as a process of this one's, which ends with it."""

from __future__ import annotations

import atexit
import logging
import os
import re
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence

from sluice.closing import Closing
from sluice.errors import ServiceUnavailable
from sluice.service.launcher import found

_LOG = logging.getLogger("sluice")
_KAFKA = re.compile(r"sluice: Kafka on ([^\s,]+(?:,[^\s,]+)*),")
_READY = "sluice: ready"
_KEPT_LINES = 20
_ORDERLY_SECONDS = 60.0


def _say(line: str) -> None:
    print(line, flush=True)


def up(
    *,
    port: int = 0,
    state_dir: str | os.PathLike[str] | None = None,
    home: str | os.PathLike[str] | None = None,
    options: Sequence[str] = (),
    launcher: str | os.PathLike[str] | None = None,
    progress: Callable[[str], None] | None = _say,
) -> Service:
    """Starts the service on this machine, Kafka and both jobs, and returns when it is ready.

    It ends with ``close``, with the ``with`` statement, with this process, or when this process is
    killed. Started again on its directory it goes on where it was.

    Args:
        port: of Kafka; 0 for any free one.
        state_dir: of Kafka's log and the checkpoints; ``up`` in the home if None.
        home: of all that Sluice keeps on this machine; ``$SLUICE_HOME`` or its default if None.
            Commands with the same home find this service by themselves.
        options: further ones of ``sluice up``, such as ``["--cluster"]``.
        launcher: another ``sluice`` than the one that the extra ``service`` has installed.
        progress: told each line that is printed until the service is ready; None for silence.

    Raises:
        ServiceUnavailable: if it is not installed, or of another version than this package, or ends
            before it is ready; with its last lines.
    """
    if not 0 <= port <= 65535:
        raise ValueError(f"port must be from 0 to 65535: {port}")
    command = ["bash", str(found(launcher)), "up", "--end-with-input", "--port", str(port)]
    if state_dir is not None:
        command += ["--state-dir", os.fspath(state_dir)]
    environment = dict(os.environ)
    if home is not None:
        environment["SLUICE_HOME"] = os.fspath(home)
    service = Service([*command, *options], environment)
    try:
        service._await_ready(progress)
    except BaseException:
        service.close()
        raise
    return service


class Service(Closing):
    """The service while it runs; ``up`` starts one."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]):
        try:
            # Ctrl-C is for this process, which then ends the other one in order.
            self._process = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                encoding="utf-8",
                errors="replace",
            )
        except FileNotFoundError as missing:
            raise ServiceUnavailable("the service needs bash to start") from missing
        self._owner = os.getpid()
        self._kafka = ""
        self._last: deque[str] = deque(maxlen=_KEPT_LINES)
        self._follower = threading.Thread(target=self._follow, name="sluice-up", daemon=True)
        atexit.register(self.close)

    @property
    def kafka(self) -> str:
        """Bootstrap servers of its Kafka, as ``bootstrap=`` takes them."""
        return self._kafka

    @property
    def running(self) -> bool:
        """False once it has ended, whoever ended it."""
        return self._process.poll() is None

    def close(self) -> None:
        """Ends it in order, and by force if that takes longer than a minute."""
        if os.getpid() != self._owner:
            return  # A fork of the process that started it.
        atexit.unregister(self.close)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.close()
            self._process.wait(_ORDERLY_SECONDS)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        if self._follower.is_alive():
            self._follower.join()
        self._process.stdout.close()

    def __repr__(self) -> str:
        return f"Service(kafka={self._kafka!r}, running={self.running})"

    def _await_ready(self, progress: Callable[[str], None] | None) -> None:
        for line in self._lines():
            if progress is not None:
                progress(line)
            address = _KAFKA.match(line)
            if address:
                self._kafka = address[1]
            if line.startswith(_READY):
                self._follower.start()
                return
        ended = f"the service ended with exit code {self._process.wait()} before it was ready"
        raise ServiceUnavailable("\n".join([ended, *self._last]))

    def _follow(self) -> None:
        for line in self._lines():
            _LOG.info("%s", line)

    def _lines(self) -> Iterator[str]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._last.append(line.rstrip())
            yield self._last[-1]
