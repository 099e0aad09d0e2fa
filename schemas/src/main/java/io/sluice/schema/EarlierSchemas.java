package io.sluice.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/**
 * The schemas that wire types had before their current ones, kept so that bytes written with them
 * are read for ever. Each is a resource {@code earlier/<type>-<n>.avsc}, counted from 1 without a
 * gap, in Avro's parsing canonical form: the text that the fingerprint is of.
 */
final class EarlierSchemas {
  private EarlierSchemas() {}

  /** Of the named type, the oldest first; empty when it has not changed. */
  static List<Schema> of(String type) {
    List<Schema> found = new ArrayList<>();
    while (true) {
      String resource = "earlier/" + type + "-" + (found.size() + 1) + ".avsc";
      try (InputStream in = EarlierSchemas.class.getResourceAsStream(resource)) {
        if (in == null) {
          return found;
        }
        found.add(new Schema.Parser().parse(in));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
