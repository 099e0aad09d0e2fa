package io.sluice.client.block;

import io.sluice.schema.TokenBlock;

/** All of a block, of which a sequence shows what is trained on. */
public interface WholeBlock {
  /** Its bytes; a copy. */
  byte[] encoded();

  /** The bytes of memory that it takes up. */
  int size();

  /** With every field. */
  TokenBlock decoded();

  /** Whether it stands in the place of one that cannot be used. */
  boolean isUnusable();
}
