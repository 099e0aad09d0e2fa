from __future__ import annotations

import numpy as np

from sluice.block.reader import BlockReader
from sluice.stream.batch import Batch, Step, batch_of
from sluice.stream.open_batch import Taken
from sluice.wire.codec import encode
from writers import TestingStream, block

STREAM = TestingStream(1, [3])


def batch(*blocks: dict[str, object]) -> Batch:
    reader = BlockReader(STREAM.run)
    read = [reader.read(encode("TokenBlock", record)) for record in blocks]
    return batch_of(STREAM.run, Taken(STREAM.sequences[0].header, range(len(read)), read))


def test_inputs_and_labels_are_views_of_the_stream_s_tokens() -> None:
    found = batch(block("java", 0), block("prose", 1), block("java", 2, lossMask=[1, 2]))
    assert found.tokens.dtype == np.uint16
    assert found.inputs[1].tolist() == [60_001, 60_002, 60_003, 60_004]
    assert found.labels[1].tolist() == [60_002, 60_003, 60_004, 60_005]
    assert np.shares_memory(found.inputs, found.tokens)
    assert np.shares_memory(found.labels, found.tokens)
    assert found.int64().dtype == np.int64
    assert found.int64().tolist() == found.tokens.tolist()
    assert found.loss_mask.tolist() == [[True] * 4, [True] * 4, [True, False, False, False]]
    assert found.label_counts.tolist() == [4, 4, 1]
    assert [found.info.domain_names[d] for d in found.domains] == ["java", "prose", "java"]


def test_wide_tokens_stay_wide() -> None:
    wide = b"".join((100_000 + i).to_bytes(4, "little") for i in range(5))
    found = batch(block("java", 0, tokenWidth=4, tokens=wide), block("java", 1))
    assert found.tokens.dtype == np.uint32
    assert found.tokens[0].tolist() == [100_000, 100_001, 100_002, 100_003, 100_004]
    assert found.tokens[1, 0] == 60_001


def test_positions_and_lengths_follow_the_packed_documents() -> None:
    found = batch(
        block("java", 0, documentLengths=[2, 3]),
        block("java", 1, documentLengths=[5], documentIds=["a"]),
        block("java", 2, documentLengths=[1, 0, 3, 1], documentIds=["a", "b", "c", ""]),
    )
    assert found.seq_lens.tolist() == [2, 2, 4, 1, 3]
    assert found.cu_seqlens.tolist() == [0, 2, 4, 8, 9, 12]
    assert found.cu_seqlens.dtype == np.int32
    assert found.position_ids.tolist() == [[0, 1, 0, 1], [0, 1, 2, 3], [0, 0, 1, 2]]


def test_a_block_that_its_documents_do_not_fill_is_masked() -> None:
    found = batch(
        block("java", 0, documentLengths=[2, 2]),
        block("java", 1, documentLengths=[-1, 6]),
        block("java", 2, documentLengths=[2, 3]),
    )
    assert found.domains.tolist() == [-1, -1, 0]
    assert found.seq_lens.tolist() == [4, 4, 2, 2]
    assert found.label_counts.tolist() == [0, 0, 4]


def test_a_block_of_another_dataset_is_masked() -> None:
    found = batch(block("java", 0, fingerprint=1), block("java", 1))
    assert found.domains.tolist() == [-1, 0]
    assert found.loss_mask.tolist() == [[False] * 4, [True] * 4]
    assert found.tokens[0].tolist() == [0] * 5


def test_a_step_cuts_its_rows_to_micro_batches_without_copies() -> None:
    whole = batch(block("java", 0), block("prose", 1), block("java", 2))
    step = Step(whole, 2)
    assert [len(part) for part in step] == [2, 1]
    assert [i for part in step for i in part.index.tolist()] == [0, 1, 2]
    assert step[1].position_ids.tolist() == whole.position_ids[2:].tolist()
    assert all(np.shares_memory(part.tokens, whole.tokens) for part in step)
    assert (step.batch, step[0].info.size, step.info.tokens_seen) == (1, 3, 12)
    assert len(Step(whole)) == 1
