package io.sluice.corpus.inplace;

import io.sluice.schema.set.IdHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The documents that a row has parts of, in their order. Not thread-safe. */
final class RowParts {
  private final String domain;
  private final boolean hashes;
  private int[] lengths = new int[16];
  private long[] documents = new long[16];
  private int parts;
  private String source = "";
  private long number;
  private String id = "";
  private long hash;
  private int begun;

  /**
   * Of no row yet.
   *
   * @param hashes whether blocks have hashes of ids
   */
  RowParts(String domain, boolean hashes) {
    this.domain = domain;
    this.hashes = hashes;
  }

  private final List<String> ids = new ArrayList<>();

  /** Begins the next row, of a file whose documents' ids begin with its source. */
  void begin(String of) {
    parts = 0;
    begun = 0;
    ids.clear();
    if (!of.equals(source)) {
      source = of;
      number = 0;
    }
  }

  /** Adds a part, of the document with a number in its file. */
  void add(int tokens, long of) {
    if (parts == lengths.length) {
      lengths = Arrays.copyOf(lengths, 2 * parts);
      documents = Arrays.copyOf(documents, 2 * parts);
    }
    if (of != number) {
      number = of;
      begun++;
      id = source + ":" + of;
      hash = IdHash.number(IdHash.of(domain, id));
    }
    lengths[parts] = tokens;
    documents[parts] = hash;
    ids.add(id);
    parts++;
  }

  /** How many of them no row before has a part of. */
  int begun() {
    return begun;
  }

  /** Tokens of each. */
  int[] lengths() {
    return Arrays.copyOf(lengths, parts);
  }

  /** Their documents, as sides have them. */
  long[] documents() {
    return Arrays.copyOf(documents, parts);
  }

  /** Their documents, as blocks have them. */
  List<String> ids() {
    return ids.stream().map(each -> hashes ? IdHash.of(domain, each) : each).toList();
  }
}
