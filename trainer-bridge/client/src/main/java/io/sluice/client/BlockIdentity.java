package io.sluice.client;

import io.sluice.schema.ChainHash;

/** Which block an encoding holds: what the chain hash covers. */
record BlockIdentity(long domainHash, int lane, long ordinal) {
  long nextChain(long chain, long index) {
    return ChainHash.next(chain, index, domainHash, lane, ordinal);
  }
}
