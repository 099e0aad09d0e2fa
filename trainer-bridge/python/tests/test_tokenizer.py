"""Files of tokenizers, from the machine, the cache or the topic."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from typing import Any

import pytest

import sluice
from broker import Broker
from sluice import wire
from sluice.dataset.parts import MOST_BYTES, PART_BYTES, TokenizerParts
from sluice.dataset.tokenizer import DatasetTokenizer, resolved
from sluice.errors import TokenizerUnavailable

FILE = random.Random(1).randbytes(2 * PART_BYTES + 5)
SHA256 = hashlib.sha256(FILE).hexdigest()


def part(number: int, content: bytes, size: int = len(FILE)) -> dict[str, Any]:
    return {"sha256": SHA256, "size": size, "part": number, "content": content}


def parts() -> list[dict[str, Any]]:
    starts = range(0, len(FILE), PART_BYTES)
    return [part(n, FILE[at : at + PART_BYTES]) for n, at in enumerate(starts)]


def joined(*records: dict[str, Any]) -> bytes | None:
    taken = TokenizerParts(SHA256)
    for record in records:
        taken.take(wire.encode("TokenizerPart", record))
    return taken.content()


def spec(tokenizer: str, sha256: str = SHA256) -> dict[str, Any]:
    return {
        "name": "small",
        "fingerprint": 1,
        "tokenizer": tokenizer,
        "tokenizerSha256": sha256,
        "vocabulary": 300,
        "tokenWidth": 2,
        "endOfDocument": 1,
        "padding": 2,
        "sequenceLength": 8,
        "shuffleBuffer": 1,
        "seed": 1,
        "heldOut": 0.0,
        "domains": ["java"],
    }


def test_a_file_is_its_parts_in_any_order() -> None:
    assert joined(*reversed(parts()), *parts()) == FILE
    assert joined() is None


def test_what_no_writer_makes_is_passed_over() -> None:
    taken = TokenizerParts(SHA256)
    forged = [
        part(0, b""),
        part(-1, b"x"),
        part(3, b"x"),
        part(1, b"x"),
        part(0, b"", 0),
        part(0, bytes(PART_BYTES), MOST_BYTES + 1),
        {"sha256": "another", "size": 1, "part": 0, "content": b"x"},
    ]
    for record in [*parts(), *forged]:
        taken.take(wire.encode("TokenizerPart", record))
    taken.take(b"\xc3\x01nonsense")
    taken.take(b"")
    assert taken.content() == FILE


def test_what_is_not_the_file_is_refused_with_the_reason() -> None:
    with pytest.raises(TokenizerUnavailable, match=f"{SHA256} is not that file: part 1 of"):
        joined(parts()[0], parts()[2])
    with pytest.raises(TokenizerUnavailable, match="part 2 of 1048581 bytes is not there"):
        joined(*parts()[:2], part(2, b"123456", len(FILE) + 1))
    with pytest.raises(TokenizerUnavailable, match="bytes have the SHA-256"):
        joined(*parts()[:2], part(2, b"12345"))


def test_the_named_file_is_taken_while_it_is_the_datasets(tmp_path: Path) -> None:
    named, cache = tmp_path / "tokenizer.json", tmp_path / "cache"
    named.write_bytes(FILE)
    found = resolved(spec(f"file:{named}"), cache, lambda _: None)
    assert found == DatasetTokenizer(f"file:{named}", named)

    named.write_bytes(b"{}")
    found = resolved(spec(f"file:{named}"), cache, lambda _: FILE)
    assert found.path == cache / f"{SHA256}.json"
    assert found.path.read_bytes() == FILE
    assert [each.name for each in cache.iterdir()] == [found.path.name]
    assert resolved(spec("hf:acme/tiny@main"), cache, lambda _: None).path == found.path


def test_a_torn_file_in_the_cache_is_replaced(tmp_path: Path) -> None:
    torn = tmp_path / f"{SHA256}.json"
    torn.write_bytes(FILE[:100])
    assert resolved(spec("hf:acme/tiny@main"), tmp_path, lambda _: FILE).path == torn
    assert torn.read_bytes() == FILE


def test_a_file_that_is_nowhere_is_named(tmp_path: Path) -> None:
    def torn(_: str) -> bytes | None:
        raise TokenizerUnavailable("part 3 is not there")

    with pytest.raises(TokenizerUnavailable, match=f"hf:a/b@c.*{SHA256}.*nor in the topic"):
        resolved(spec("hf:a/b@c"), tmp_path, lambda _: None)
    with pytest.raises(TokenizerUnavailable, match=f"hf:a/b@c.*{SHA256}.*part 3 is not there"):
        resolved(spec("hf:a/b@c"), tmp_path, torn)
    for earlier in ["", "../../x"]:
        with pytest.raises(TokenizerUnavailable, match="dataset 'small' was applied by a release"):
            resolved(spec("file:/t.json", earlier), tmp_path, lambda _: FILE)
    assert list(tmp_path.iterdir()) == []


def test_tokenizers_without_a_file(tmp_path: Path) -> None:
    found = resolved(spec("bytes", ""), tmp_path, lambda _: None)
    assert found == DatasetTokenizer("bytes", None)
    with pytest.raises(TokenizerUnavailable, match="needs no object"):
        found.load()
    with pytest.raises(TokenizerUnavailable, match="has no file"):
        found.transformers()


def test_a_dataset_is_found_with_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path))
    broker = Broker()
    broker.create("sluice.datasets")
    broker.create("sluice.tokenizers")
    broker.write("sluice.datasets", "DatasetSpec", spec("file:/no/such.json"), key="small")
    for number, one in enumerate(parts()):
        broker.write("sluice.tokenizers", "TokenizerPart", one, key=f"{SHA256}/{number}")

    found = sluice.tokenizer(dataset="small", bootstrap=broker.bootstrap)
    assert found.path == tmp_path / "tokenizers" / f"{SHA256}.json"
    assert found.path.read_bytes() == FILE
    with pytest.raises(TokenizerUnavailable, match="no dataset 'big'.*known datasets: small"):
        sluice.tokenizer(dataset="big", bootstrap=broker.bootstrap)
    with pytest.raises(ValueError, match="one of run and dataset"):
        sluice.tokenizer()
