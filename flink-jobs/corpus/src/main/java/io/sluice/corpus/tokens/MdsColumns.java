package io.sluice.corpus.tokens;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The columns of a shard of MDS.
 *
 * @param sizes bytes of each in every sample; 0 where each sample says it
 * @param tokens which has the token ids
 * @param ids how that holds them
 * @param id which has the document's id; -1 if none
 */
record MdsColumns(List<Integer> sizes, int tokens, MdsColumn ids, int id) {
  /** Of no shard. */
  static final MdsColumns NONE =
      new MdsColumns(List.of(), 0, new MdsColumn(Optional.empty(), true), -1);

  private static final String USUAL = "tokens";

  MdsColumns {
    sizes = List.copyOf(sizes);
  }

  /**
   * Understands what a shard says of them.
   *
   * @throws IOException if there is no column of token ids
   */
  static MdsColumns of(JsonNode config, TokenLayout layout) throws IOException {
    JsonNode names = config.path("column_names");
    JsonNode encodings = config.path("column_encodings");
    JsonNode fixed = config.path("column_sizes");
    if (names.size() != encodings.size() || names.size() != fixed.size()) {
      throw new IOException("not a shard of MDS: it names no columns");
    }
    List<Integer> sizes = new ArrayList<>();
    Optional<MdsColumn> ids = Optional.empty();
    int tokens = -1;
    int id = -1;
    for (int each = 0; each < names.size(); each++) {
      String name = names.get(each).asText();
      String encoding = encodings.get(each).asText();
      sizes.add(size(name, fixed.get(each)));
      if (name.equals(layout.field(USUAL))) {
        tokens = each;
        ids = Optional.of(MdsColumn.of(name, encoding, layout.bytesType()));
      } else if (name.equals(layout.idField()) && encoding.equals("str")) {
        id = each;
      }
    }
    if (ids.isEmpty()) {
      throw new IOException(
          "it must have the column '" + layout.field(USUAL) + "': found " + names);
    }
    return new MdsColumns(sizes, tokens, ids.get(), id);
  }

  private static int size(String name, JsonNode size) throws IOException {
    if (!size.isNull() && (!size.canConvertToInt() || size.asInt() < 0)) {
      throw new IOException("column '" + name + "' must have a size or none: found " + size);
    }
    return size.asInt();
  }
}
