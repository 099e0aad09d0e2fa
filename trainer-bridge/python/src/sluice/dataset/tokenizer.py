"""The tokenizer of a run's dataset, for models that read its tokens."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sluice import wire
from sluice.dataset.parts import TokenizerParts
from sluice.dataset.specifications import specifications
from sluice.errors import TokenizerUnavailable
from sluice.kafka.access import KafkaAccess, LogRecord
from sluice.kafka.log import LogReader
from sluice.run.directory import started_run
from sluice.run.info import RunInfo

_FILE = "file:"
_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class DatasetTokenizer:
    """What makes a dataset's tokens.

    ``name`` is as the dataset has it; ``path`` is a ``tokenizer.json`` with the content that the
    dataset was made with, or None for a tokenizer without a file.
    """

    name: str
    path: Path | None

    def load(self) -> Any:
        """A ``tokenizers.Tokenizer`` of the file, or an encoding of ``tiktoken``."""
        if self.path is not None:
            from tokenizers import Tokenizer

            return Tokenizer.from_file(str(self.path))
        if self.name == "bytes":
            raise TokenizerUnavailable(
                "tokenizer 'bytes' needs no object: a token below 256 is a byte of UTF-8"
            )
        import tiktoken

        return tiktoken.get_encoding(self.name)

    def transformers(self) -> Any:
        """A ``transformers.PreTrainedTokenizerFast`` of the file."""
        if self.path is None:
            raise TokenizerUnavailable(f"tokenizer '{self.name}' has no file")
        from transformers import PreTrainedTokenizerFast

        return PreTrainedTokenizerFast(tokenizer_file=str(self.path))


def tokenizer(
    run: str | RunInfo | None = None,
    bootstrap: str = "localhost:9092",
    prefix: str = "sluice.",
    *,
    dataset: str | None = None,
    timeout: float = 30.0,
    config: Mapping[str, Any] | None = None,
) -> DatasetTokenizer:
    """The tokenizer of a run's dataset, or of the dataset named.

    Its file is taken from where the dataset names it, if that has the dataset's SHA-256, else from
    this machine's cache (``SLUICE_CACHE``, else a folder ``sluice`` among the user's caches), else
    from the deployment. Raises :class:`~sluice.errors.TokenizerUnavailable` if it is nowhere.
    """
    if (run is None) == (dataset is None):
        raise ValueError("one of run and dataset must be given")
    access = KafkaAccess(bootstrap, prefix, config or {})
    if run is not None:
        started = run if isinstance(run, RunInfo) else started_run(access, run, timeout)
        dataset = str(started.spec["dataset"])
    spec = _specification(access, str(dataset), timeout)

    def fetch(sha256: str) -> bytes | None:
        parts = TokenizerParts(sha256)
        _read(access, access.topics.tokenizers, timeout, lambda record: parts.take(record.value))
        return parts.content()

    return resolved(spec, _cache(os.environ, Path.home()), fetch)


def resolved(
    spec: wire.Record, cache: Path, fetch: Callable[[str], bytes | None]
) -> DatasetTokenizer:
    """The tokenizer of a dataset's specification; what is fetched goes into the cache."""
    name, sha256 = str(spec["tokenizer"]), str(spec["tokenizerSha256"])
    if not name.startswith((_FILE, "hf:")):
        return DatasetTokenizer(name, None)
    if not _SHA256.fullmatch(sha256):
        raise TokenizerUnavailable(
            f"dataset '{spec['name']}' was applied by a release that kept no file of its tokenizer "
            f"'{name}': 'sluice dataset apply' on a machine that has the file puts it there"
        )
    named, cached = Path(name.removeprefix(_FILE)), cache / f"{sha256}.json"
    for path in [named, cached] if name.startswith(_FILE) else [cached]:
        if _is(path, sha256):
            return DatasetTokenizer(name, path)
    why = "it is neither under that name on this machine nor in the topic of tokenizers"
    try:
        content = fetch(sha256)
    except TokenizerUnavailable as error:
        content, why = None, str(error)
    if content is None:
        raise TokenizerUnavailable(
            f"tokenizer '{name}' with SHA-256 {sha256} cannot be used: {why}; 'sluice dataset "
            "apply' on a machine that has the file puts it into the topic"
        )
    _keep(cached, content)
    return DatasetTokenizer(name, cached)


def _specification(access: KafkaAccess, name: str, timeout: float) -> wire.Record:
    found = {spec["name"]: spec for spec in specifications(access, timeout)}
    if name not in found:
        known = ", ".join(sorted(found)) or "none"
        raise TokenizerUnavailable(f"no dataset '{name}' was applied; known datasets: {known}")
    return found[name]


def _read(
    access: KafkaAccess, topic: str, timeout: float, sink: Callable[[LogRecord], None]
) -> None:
    with closing(LogReader(access, topic)) as log:
        log.catch_up(timeout, sink)


def _cache(environment: Mapping[str, str], home: Path) -> Path:
    own, shared = environment.get("SLUICE_CACHE"), environment.get("XDG_CACHE_HOME")
    caches = Path(shared) if shared else home / ".cache"
    return (Path(own) if own else caches / "sluice") / "tokenizers"


def _is(path: Path, sha256: str) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    except OSError:
        return False


def _keep(path: Path, content: bytes) -> None:
    """Writes a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, written = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.replace(written, path)
    except BaseException:
        os.unlink(written)
        raise
