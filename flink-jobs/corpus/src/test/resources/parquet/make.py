"""Writes the samples beside it: `python make.py`, with pyarrow 21 or newer."""

import pathlib

import pyarrow as pa
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
TEXTS = ["first", None, "zwölf Boxkämpfer", "", "x" * 3000, "fünf", "same", "same"]
TABLE = pa.table(
    {
        "id": pa.array([1, 2, 3, 4, 5, 6, None, 8], pa.int64()),
        "text": pa.array(TEXTS, pa.string()),
        "name": pa.array([f"n{i}" for i in range(8)], pa.string()),
        "raw": pa.array([b"ok", b"\xff\xfe"] * 4, pa.binary()),
        "input_ids": pa.array([[1, 2], None, []] * 2 + [[3]] * 2, pa.list_(pa.int32())),
    }
)


def write(name: str, **options: object) -> None:
    """Writes the table in three row groups, with checksums of pages."""
    pq.write_table(
        TABLE, HERE / f"{name}.parquet", row_group_size=3, write_page_checksum=True, **options
    )


for codec in ["none", "snappy", "gzip", "zstd", "lz4"]:
    write(codec, compression=codec)
write("pages-v2", compression="zstd", data_page_version="2.0", use_dictionary=False)

KINDS = pa.table(
    {
        "text": pa.array(["one", "two", "three"], pa.string()),
        "lang": pa.array(["en", None, "x" * 5000], pa.string()),
        "score": pa.array([0.25, float("nan"), None], pa.float64()),
        "half": pa.array([1.5, -0.0, 1e30], pa.float32()),
        "year": pa.array([2026, None, -1], pa.int32()),
        "clean": pa.array([True, False, None], pa.bool_()),
        "raw": pa.array([b"ok", b"\xff\xfe", None], pa.binary()),
        "tags": pa.array([["a"], [], None], pa.list_(pa.string())),
        "meta": pa.array([{"a": 1}, None, {"a": 2}], pa.struct([("a", pa.int32())])),
        "price": pa.array([None, None, None], pa.decimal128(9, 2)),
    }
)
pq.write_table(KINDS, HERE / "kinds.parquet", compression="none", write_page_checksum=True)
