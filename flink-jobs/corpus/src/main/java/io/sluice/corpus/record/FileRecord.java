package io.sluice.corpus.record;

import io.sluice.control.line.Line;
import io.sluice.corpus.parquet.ParquetRow;
import io.sluice.corpus.tokens.TokenRow;

/** A record of a file as it was read. */
public sealed interface FileRecord {
  /** Its number in the file, from 1. */
  long number();

  /** The bytes that a dead letter shows of it. */
  byte[] payload();

  /** Bytes of what is hashed of it. */
  long bytes();

  /** Adds it to a digest. */
  void addTo(RecordDigest digest);

  /** A line, numbered as it is in the file. */
  record OfLine(Line line) implements FileRecord {
    @Override
    public long number() {
      return line.number();
    }

    @Override
    public byte[] payload() {
      return line.bytes();
    }

    @Override
    public long bytes() {
      return line.bytes().length;
    }

    @Override
    public void addTo(RecordDigest digest) {
      digest.add(line.bytes());
    }
  }

  /** A row of a Parquet file. */
  record OfRow(ParquetRow row) implements FileRecord {
    private static final byte[] NOTHING = {};

    @Override
    public long number() {
      return row.number();
    }

    @Override
    public byte[] payload() {
      return row.text() == null ? NOTHING : row.text();
    }

    @Override
    public long bytes() {
      return payload().length + (row.id() == null ? 0L : row.id().length);
    }

    @Override
    public void addTo(RecordDigest digest) {
      digest.add(row.text());
      digest.add(row.id());
    }
  }

  /** A document of a file of token ids. */
  record OfTokens(TokenRow row) implements FileRecord {
    @Override
    public long number() {
      return row.number();
    }

    @Override
    public byte[] payload() {
      return row.tokens();
    }

    @Override
    public long bytes() {
      return row.tokens().length + (row.id() == null ? 0L : row.id().length);
    }

    @Override
    public void addTo(RecordDigest digest) {
      digest.add(row.tokens());
      digest.add(row.id());
    }
  }

  /** All of a file, or its beginning where that is too large for a document. */
  @SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
  record Whole(byte[] content) implements FileRecord {
    @Override
    public long number() {
      return 1;
    }

    @Override
    public byte[] payload() {
      return content;
    }

    @Override
    public long bytes() {
      return content.length;
    }

    @Override
    public void addTo(RecordDigest digest) {
      digest.add(content);
    }
  }
}
