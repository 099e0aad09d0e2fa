"""Writes the samples beside it: `python make.py`, with numpy, pyarrow, megatron-core and mosaicml-streaming."""

import pathlib
import shutil
import tempfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from megatron.core.datasets.indexed_dataset import IndexedDatasetBuilder
from streaming import MDSWriter

HERE = pathlib.Path(__file__).parent
DOCUMENTS = [[1, 2, 3, 0], [50256, 7, 0], [(i * i) % 50257 + 1 for i in range(300)] + [0], [9, 0]]


def megatron(name: str, dtype: type, multimodal: bool = False) -> None:
    """Every document is two sequences, of which the second is its last id; the last one has none."""
    builder = IndexedDatasetBuilder(str(HERE / f"{name}.bin"), dtype, multimodal)
    for document in DOCUMENTS:
        builder.add_document(torch.tensor(document), [len(document) - 1, 1], [0, 1])
    builder.end_document()
    builder.finalize(str(HERE / f"{name}.idx"))


megatron("megatron-u2", np.uint16)
megatron("megatron-i4", np.int32)
megatron("megatron-modes", np.int64, multimodal=True)

FLAT = [i for document in DOCUMENTS for i in document]
np.save(HERE / "flat-u2.npy", np.array(FLAT, np.uint16))
np.save(HERE / "flat-i8.npy", np.array(FLAT[:-1], np.int64))
np.save(HERE / "rows-u4.npy", np.array(FLAT[:12], np.uint32).reshape(3, 4))
np.save(HERE / "big-endian.npy", np.array(FLAT, ">u2"))
np.save(HERE / "floats.npy", np.array(FLAT, np.float32))
np.save(HERE / "fortran.npy", np.asfortranarray(np.array(FLAT[:12], np.int32).reshape(3, 4)))
np.save(HERE / "empty.npy", np.array([], np.uint16))

LIST = pa.list_(pa.int32())
for name, kind in [("lists-i4", pa.int32()), ("lists-i8", pa.int64()), ("lists-u2", pa.uint16())]:
    table = pa.table(
        {
            "id": pa.array(["a", "b", None, "d", "e", "f"]),
            "input_ids": pa.array([*DOCUMENTS, None, [1, None]], pa.list_(kind)),
            "nested": pa.array([[[1]]] * 6, pa.list_(LIST)),
            "text": pa.array(["t"] * 6),
        }
    )
    pq.write_table(table, HERE / f"{name}.parquet", row_group_size=2, compression="zstd")


def mds(name: str, encoding: str, dtype: type, compression: str | None = None) -> None:
    """A shard, without what lies beside it; of arrays of fixed shape the first four ids."""
    fixed = encoding.count(":") == 2
    with tempfile.TemporaryDirectory() as folder:
        columns = {"id": "str", "tokens": encoding, "source": "int"}
        out = pathlib.Path(folder) / "out"
        with MDSWriter(out=str(out), columns=columns, compression=compression) as writer:
            for i, document in enumerate(DOCUMENTS[::2] if fixed else DOCUMENTS):
                ids = np.array(document[:4] if fixed else document, dtype)
                value = ids.tobytes() if encoding == "bytes" else ids
                writer.write({"id": f"d{i}", "tokens": value, "source": i})
        (shard,) = out.glob("shard*")
        shutil.copy(shard, HERE / shard.name.replace("shard.00000", name))


mds("arrays", "ndarray", np.uint16)
mds("arrays-i4", "ndarray:int32", np.int32, "zstd")
mds("fixed-u4", "ndarray:uint32:4", np.uint32)
mds("bytes-i8", "bytes", np.int64, "gz")
