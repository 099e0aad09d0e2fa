from __future__ import annotations

import io
import json
import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sluice.bench import peers
from sluice.bench.peers import PEERS, Rows, main

LENGTH, BATCH, BATCHES, DOMAINS = 32, 8, 6, 3


@pytest.fixture
def rows(tmp_path: Path) -> Rows:
    for domain in range(DOMAINS):
        tokens = np.arange(20 * (LENGTH + 1), dtype=np.uint16).reshape(20, -1)
        tokens[:, 0] = domain
        tokens.tofile(tmp_path / f"d{domain}.rows")
    return Rows(tmp_path, LENGTH, BATCH, BATCHES)


@pytest.mark.parametrize("name", PEERS)
def test_each_loader_that_is_there_gives_rows_of_the_files(name: str, rows: Rows) -> None:
    try:
        read = PEERS[name](rows)
    except ImportError as absent:
        pytest.skip(str(absent))
    files = {row.tobytes() for domain in rows.domains() for row in domain}
    for _ in range(2):
        batches = [np.array(batch) for batch in read()]
        assert [batch.shape for batch in batches] == [(BATCH, LENGTH + 1)] * BATCHES
        delivered = Counter(row.tobytes() for batch in batches for row in batch)
        assert delivered.keys() <= files
        assert {np.frombuffer(row, np.uint16)[0] for row in delivered} == set(range(DOMAINS))


def test_the_memory_map_takes_each_domains_rows_in_turn(rows: Rows) -> None:
    batches = np.concatenate([batch.copy() for batch in PEERS["memory-map"](rows)()])
    for domain, file in enumerate(rows.domains()):
        taken = batches[batches[:, 0] == domain]
        assert np.array_equal(taken, np.resize(file, taken.shape))


def test_what_is_there_and_what_is_absent_is_said(
    rows: Rows, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(_: Rows) -> peers.Read:
        raise ImportError("No module named 'elsewhere'")

    assert main([]) == 0
    assert json.loads(capsys.readouterr().out) == list(PEERS)
    monkeypatch.setitem(PEERS, "elsewhere", absent)
    shape = list(map(str, (rows.directory, LENGTH, BATCH, BATCHES)))
    assert main(["elsewhere", *shape]) == 0
    assert json.loads(capsys.readouterr().out) == {"absent": "No module named 'elsewhere'"}
    monkeypatch.setattr("sys.stdin", io.StringIO("once\nmore\n"))
    assert main(["memory-map", *shape]) == 0
    ready, *answers = map(json.loads, capsys.readouterr().out.splitlines())
    assert ready == {"ready": True}
    assert [each["tokens"] for each in answers] == [BATCHES * BATCH * LENGTH] * 2


def test_files_of_loaders_lie_with_the_rows(rows: Rows) -> None:
    assert rows.place(3) == str(rows.directory / f"{os.getpid()}-3")
