package io.sluice.client.block;

import java.util.List;

/** Which documents the parts of a whole block are of. */
public interface PartDocuments {
  /** What is known of each part's document, as UTF-8; nothing of padding. */
  List<byte[]> ids();

  /** Whether these are {@link io.sluice.schema.set.IdHash hashes} of the ids. */
  boolean areHashes();
}
