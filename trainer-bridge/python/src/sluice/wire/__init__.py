"""The wire: Avro records and their codec, stream headers, chain hashes, topic names."""

from sluice.wire.codec import TYPES, Record, around, decode, decode_as, encode, prefix

__all__ = ["TYPES", "Record", "around", "decode", "decode_as", "encode", "prefix"]
