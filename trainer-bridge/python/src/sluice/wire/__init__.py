"""The wire: Avro records and their codec, stream headers, chain hashes, topic names."""

from sluice.wire.codec import (
    TYPES,
    Record,
    Written,
    around,
    decode,
    decode_as,
    encode,
    prefix,
    schemas,
    type_of,
)

__all__ = [
    "TYPES",
    "Record",
    "Written",
    "around",
    "decode",
    "decode_as",
    "encode",
    "prefix",
    "schemas",
    "type_of",
]
