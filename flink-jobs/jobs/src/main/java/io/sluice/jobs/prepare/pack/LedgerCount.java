package io.sluice.jobs.prepare.pack;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** So many documents, with so many tokens. */
final class LedgerCount {
  private long documents;
  private long tokens;

  long documents() {
    return documents;
  }

  long tokens() {
    return tokens;
  }

  void add(long moreDocuments, long moreTokens) {
    documents += moreDocuments;
    tokens += moreTokens;
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(documents);
    out.writeLong(tokens);
  }

  /** Goes on with what {@link #write} wrote. */
  void read(DataInput in) throws IOException {
    documents = in.readLong();
    tokens = in.readLong();
  }
}
